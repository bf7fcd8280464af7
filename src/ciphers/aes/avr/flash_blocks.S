/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR: S-box in flash, no table in SRAM. */
#include "arch/asm.h"

#if RUNNEL_AVR

#define KERNEL(name) runnel_aes_avr_flash_##name
#define SBOX_IN_SRAM 0
#define XTIME_IN_SRAM 0

#include "tables.inc"

    .section .progmem.data.runnel_aes_avr_flash, "a", @progbits
    .balign 256
KERNEL(sbox):
    sbox_table

    .section .text.runnel_aes_avr_flash, "ax", @progbits
#include "ctr.inc"
#include "key.inc"

#endif
