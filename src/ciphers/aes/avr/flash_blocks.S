/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR: S-box in flash, no table in SRAM. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#define KERNEL(name) runnel_aes_avr_flash_##name
#define SBOX_IN_SRAM 0
#define XTIME_IN_SRAM 0

#include "tables.inc"

flash_tables runnel_aes_avr_flash, 256
.Lsbox:
    sbox_table

code runnel_aes_avr_flash
#include "ctr.inc"
#include "key.inc"

#endif
