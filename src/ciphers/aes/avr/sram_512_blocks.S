/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR: S-box and table of doubles in SRAM, 512 bytes. */
#include "arch/asm.h"

#if RUNNEL_AVR

#define KERNEL(name) runnel_aes_avr_sram_512_##name
#define SBOX_IN_SRAM 1
#define XTIME_IN_SRAM 1

#include "tables.inc"

    .global __do_copy_data /* the start-up code fills SRAM */

    .section .data.runnel_aes_avr_sram_512, "aw", @progbits
    .balign 256
KERNEL(sbox):
    sbox_table
KERNEL(doubles):
    doubles_table

    .section .text.runnel_aes_avr_sram_512, "ax", @progbits
#include "ctr.inc"
#include "key.inc"

#endif
