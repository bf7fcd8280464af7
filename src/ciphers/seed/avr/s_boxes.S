/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The S-boxes of SEED in the flash of 8-bit AVR, each in a page of its own. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "ciphers/seed/s_boxes.h"

#define ENTRY(s) 0x##s,

flash_tables runnel_seed_avr_sboxes, 256
const runnel_seed_avr_s0
    .byte SEED_S0(ENTRY) SEED_S1(ENTRY) 0 /* ends the list */
endconst
alias runnel_seed_avr_s1, runnel_seed_avr_s0 + 256

#endif
