/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 for 8-bit AVR: rounds and blocks are in assembly (fast_rounds.S). */
#include "aead/ascon/kernels.h"

#if RUNNEL_AVR

void runnel_ascon_avr_rounds(uint8_t *state, uint8_t constant);
void runnel_ascon_avr_encrypt(uint8_t *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_ascon_avr_decrypt(uint8_t *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_ascon_avr_absorb(uint8_t *state, const uint8_t *unused, const uint8_t *in, size_t nblocks);

#define ROUNDS runnel_ascon_avr_rounds
#define BLOCKS(name) runnel_ascon_avr_##name
#include "mode.h"

const runnel_ascon_kernel runnel_ascon_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("three words in registers, rotations by shared shifts, complements left out"),
    ASCON_FUNCTIONS,
};

#endif
