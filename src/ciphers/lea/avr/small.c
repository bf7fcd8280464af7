/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR, short: small.inc. */
#include "kernel.h"

#if RUNNEL_AVR_MUL

KERNEL(avr_small, "avr-small", "state in registers, one round in a loop")

#endif
