/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: both tables in SRAM. */
#include "kernel.h"

#if RUNNEL_AVR

KERNEL(avr_sram_512, "avr-sram-512")

#endif
