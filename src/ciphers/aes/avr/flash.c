/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: both tables in flash. */
#include "kernel.h"

#if RUNNEL_AVR

KERNEL(avr_flash, "avr-flash")

#endif
