/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast_rounds.S. */
#include "kernel.h"

#if RUNNEL_AVR

KERNEL(avr, "avr", "S-boxes in flash, the masks of G as three exchanges of bits")

#endif
