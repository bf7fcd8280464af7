/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 for 8-bit AVR, short (small_rounds.S). */
#include "aead/ascon/kernels.h"

#if RUNNEL_AVR

void runnel_ascon_avr_small_rounds(uint8_t *state, uint8_t constant);

#define ROUNDS runnel_ascon_avr_small_rounds
#include "mode.h"

const runnel_ascon_kernel runnel_ascon_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = RUNNEL_TEXT("SP 800-232, byte by byte, rotations by one byte and one bit"),
    ASCON_FUNCTIONS,
};

#endif
