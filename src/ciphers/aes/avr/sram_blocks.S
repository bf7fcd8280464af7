/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for 8-bit AVR: S-box in SRAM, table of doubles in flash. */
#include "arch/asm.h"

#if RUNNEL_AVR

#define KERNEL(name) runnel_aes_avr_sram_##name
#define SBOX_IN_SRAM 1
#define XTIME_IN_SRAM 0

#include "tables.inc"

    .global __do_copy_data /* the start-up code fills SRAM */

    .section .data.runnel_aes_avr_sram, "aw", @progbits
    .balign 256
KERNEL(sbox):
    sbox_table

    .section .progmem.data.runnel_aes_avr_sram, "a", @progbits
    .balign 256
KERNEL(doubles):
    doubles_table

    .section .text.runnel_aes_avr_sram, "ax", @progbits
#include "ctr.inc"
#include "key.inc"

#endif
