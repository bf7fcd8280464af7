/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR, short: small_rounds.S. */
#include "kernel.h"

#if RUNNEL_AVR

KERNEL(avr_small, "avr-small", "as avr, with one G and one round in a loop")

#endif
