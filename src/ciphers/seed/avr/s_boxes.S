/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The S-boxes of SEED in the flash of 8-bit AVR, each in a page of its own. */
#include "arch/asm.h"

#if RUNNEL_AVR

#include "ciphers/seed/s_boxes.h"

#define ENTRY(s) 0x##s,

    .section .progmem.data.runnel_seed_avr_sboxes, "a", @progbits
    .balign 256
    .global runnel_seed_avr_s0
    .global runnel_seed_avr_s1
runnel_seed_avr_s0:
    .byte SEED_S0(ENTRY) SEED_S1(ENTRY) 0 /* ends the list */
    .set runnel_seed_avr_s1, runnel_seed_avr_s0 + 256

#endif
