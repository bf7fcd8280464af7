/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: the S-box in SRAM, the table of xtime in flash. */
#include "kernel.h"

#if RUNNEL_AVR

KERNEL(avr_sram, "avr-sram")

#endif
