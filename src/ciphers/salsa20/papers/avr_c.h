/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 in C for 8-bit AVR, as the sensor-node paper has it: the reference code's array of sixteen words, with
 * rotations through a word's bytes. Included by the file of each kernel, which defines ROTL32, how a word is
 * rotated. */
#include "arch/common/bytes.h"
#include "arch/avr/rotate.h"

#define QUARTER_ROUND(a, b, c, d)                                                                                      \
    do {                                                                                                               \
        x[b] ^= ROTL32(x[a] + x[d], 7);                                                                                \
        x[c] ^= ROTL32(x[b] + x[a], 9);                                                                                \
        x[d] ^= ROTL32(x[c] + x[b], 13);                                                                               \
        x[a] ^= ROTL32(x[d] + x[c], 18);                                                                               \
    } while (0)

static void salsa20_double_rounds(uint32_t *x, uint8_t rounds)
{
    for (; rounds > 0; rounds = (uint8_t)(rounds - 2)) {
        QUARTER_ROUND(0, 4, 8, 12);
        QUARTER_ROUND(5, 9, 13, 1);
        QUARTER_ROUND(10, 14, 2, 6);
        QUARTER_ROUND(15, 3, 7, 11);
        QUARTER_ROUND(0, 1, 2, 3);
        QUARTER_ROUND(5, 6, 7, 4);
        QUARTER_ROUND(10, 11, 8, 9);
        QUARTER_ROUND(15, 12, 13, 14);
    }
}

static void salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_salsa20_state *s = state;
    uint32_t x[16];
    s->words[8] = (uint32_t)index;
    s->words[9] = (uint32_t)(index >> 32);
    for (; nblocks > 0; nblocks--) {
        memcpy(x, s->words, sizeof x);
        salsa20_double_rounds(x, s->rounds);
        for (uint8_t i = 0; i < 16; i++)
            runnel_xor32le(out, in, i, x[i] + s->words[i]);
        out += SALSA20_BLOCK;
        if (in != NULL)
            in += SALSA20_BLOCK;
        if (++s->words[8] == 0)
            s->words[9]++;
    }
    runnel_wipe(x, sizeof x);
}
