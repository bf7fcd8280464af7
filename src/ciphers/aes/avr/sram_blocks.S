/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR: S-box in SRAM, table of xtime in flash. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#define KERNEL(name) runnel_aes_avr_sram_##name
#define SBOX_IN_SRAM 1
#define XTIME_IN_SRAM 0

#include "tables.inc"

sram_tables runnel_aes_avr_sram, 256
.Lsbox:
    sbox_table

flash_tables runnel_aes_avr_sram, 256
.Ldoubles:
    xtime_table

code runnel_aes_avr_sram
#include "ctr.inc"
#include "key.inc"

#endif
