/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast.inc. */
#include "kernel.h"

#if RUNNEL_AVR_MUL

KERNEL(avr, "avr", "state in registers, four rounds in a loop; of rounds 1 to 3 what a nonce fixes is kept in a call")

#endif
