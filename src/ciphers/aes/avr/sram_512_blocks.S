/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR: S-box and table of xtime in SRAM, 512 bytes. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#define KERNEL(name) runnel_aes_avr_sram_512_##name
#define SBOX_IN_SRAM 1
#define XTIME_IN_SRAM 1

#include "tables.inc"

sram_tables runnel_aes_avr_sram_512, 256
.Lsbox:
    sbox_table
.Ldoubles:
    xtime_table

code runnel_aes_avr_sram_512
#include "ctr.inc"
#include "key.inc"

#endif
