/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pomaranch except for its jump functions, which the kernels define: nine registers of 14 cells, cell 1 in the lowest
 * bit. Two more bits receive old cells and are read only when the IV is loaded. */
#ifndef POMARANCH_STEPS_H
#define POMARANCH_STEPS_H

#include "kernels.h"

enum { POMARANCH_ROUNDS = 128, POMARANCH_SECTION_BITS = 14 };

typedef runnel_pomaranch_v1_state pomaranch;

/* A bit of a section: as wide as a section where that lets the compiler vectorise over the sections. */
#if defined(__AVR__)
typedef uint8_t pomaranch_bit;
#else
typedef uint16_t pomaranch_bit;
#endif

/* Writes the jump bits of the sections 1 to 8, each 0 or 1. */
typedef void (*pomaranch_jumps)(const pomaranch *s, pomaranch_bit *restrict jumps);

/* The cells that the jump function of a section reads. */
static inline uint16_t pomaranch_seen(uint16_t p)
{
    return (uint16_t)((p >> 2 & 0x1f0) | (p >> 1 & 0xf));
}

/* Clocks a section: jump (0 or 1) selects which cells keep their value beside what moves in. */
static inline uint16_t pomaranch_move(uint16_t p, pomaranch_bit jump, pomaranch_bit injected)
{
    const uint16_t feedback = (uint16_t)(((pomaranch_bit)(p ^ p >> 8) >> 5 & 1) ^ injected); /* cells 6 and 14 */
    const uint16_t kept = (uint16_t)(0x15c5 ^ (0x3fff & (0 - jump)));
    return (uint16_t)((uint16_t)(p << 1 | feedback) ^ (p & kept));
}

/* A round of keystream generation; returns the keystream bit in bit 12. */
static inline uint16_t pomaranch_round(pomaranch *s, pomaranch_jumps pomaranch_find_jumps)
{
    pomaranch_bit jumps[8], jump = 0;
    uint16_t out = 0;
    pomaranch_find_jumps(s, jumps);
    for (unsigned j = 0; j < 8; j++) { /* section 1 never jumps */
        const pomaranch_bit next = jump ^ jumps[j];
        jumps[j] = jump;
        jump = next;
    }
    for (unsigned j = 0; j < 8; j++) {
        out ^= s->sections[j];
        s->sections[j] = pomaranch_move(s->sections[j], jumps[j], 0);
    }
    out ^= s->sections[8];
    s->sections[8] = pomaranch_move(s->sections[8], jump, 0);
    return out;
}

static inline void pomaranch_load_key(pomaranch *s, const uint8_t *key)
{
    static const uint16_t initial[9] RUNNEL_FLASH = {0x090f, 0x36a8, 0x2216, 0x2308, 0x34c4,
                                                     0x3198, 0x28b8, 0x0370, 0x1cd1};
    for (unsigned j = 0; j < 9; j++)
        s->sections[j] = runnel_flash16(initial + j);
    for (unsigned j = 0; j < 8; j++)
        s->key[j] = (uint16_t)(key[2 * j] | (unsigned)key[2 * j + 1] << 8);
}

/* The part of set-up that depends on the key alone. */
static inline void pomaranch_mix_key(pomaranch *s, pomaranch_jumps pomaranch_find_jumps)
{
    for (unsigned round = 0; round < POMARANCH_ROUNDS; round++) {
        pomaranch_bit jumps[8], injected = s->sections[8] & 1;
        pomaranch_find_jumps(s, jumps);
        for (unsigned j = 0; j < 9; j++) {
            s->sections[j] = pomaranch_move(s->sections[j], 0, injected);
            if (j < 8)
                injected = jumps[j];
        }
    }
    memcpy(s->master, s->sections, sizeof s->master);
}

static inline void pomaranch_mix_iv(pomaranch *s, pomaranch_jumps pomaranch_find_jumps, const uint8_t *iv,
                                    size_t iv_bytes)
{
    unsigned bit = 0;
    for (unsigned j = 0; j < 9; j++) {
        uint16_t added = 0;
        for (unsigned i = 0; i < POMARANCH_SECTION_BITS; i++) {
            added = (uint16_t)(added << 1 | (iv[bit / 8] >> (7 - bit % 8) & 1));
            if (++bit == 8 * iv_bytes)
                bit = 0;
        }
        const uint16_t p = s->master[j] ^ added;
        s->sections[j] = (uint16_t)(p | (runnel_equal_mask(p, 0) & 1));
    }
    for (unsigned round = 0; round < POMARANCH_ROUNDS; round++)
        (void)pomaranch_round(s, pomaranch_find_jumps);
}

static inline void pomaranch_xor(pomaranch *s, pomaranch_jumps pomaranch_find_jumps, uint8_t *out, const uint8_t *in,
                                 size_t nblocks)
{
    for (size_t bytes = POMARANCH_BLOCK * nblocks; bytes > 0; bytes--) {
        uint8_t keystream = 0;
        for (unsigned i = 0; i < 8; i++)
            keystream = (uint8_t)(keystream << 1 | (pomaranch_round(s, pomaranch_find_jumps) >> 12 & 1));
        *out++ = in == NULL ? keystream : (uint8_t)(keystream ^ *in++);
    }
}

#endif
