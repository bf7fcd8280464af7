/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK's key set-up, unrolled: a word of the expanded key waits for the one before it, two cycles a word, and
 * the S-boxes of the words before fit in between. */
#ifndef SOSEMANUK_X86_KEY_H
#define SOSEMANUK_X86_KEY_H

#include "arch/common/barrier.h"
#include "ciphers/sosemanuk/setup.h"

/* The next word of the expanded key; `last` is the one before it, and comes late. */
#define NEXT(word, a, b, last, number)                                                                                 \
    do {                                                                                                               \
        word ^= (a) ^ (b) ^ 0x9e3779b9 ^ (number);                                                                     \
        RUNNEL_VALUE_BARRIER(word);                                                                                    \
        word = runnel_rotl32(word ^ (last), 11);                                                                       \
    } while (0)

/* Subkey number i: a to d become the next four words after e to h, which followed them. */
#define SUBKEY(i, a, b, c, d, e, f, g, h, box)                                                                         \
    do {                                                                                                               \
        NEXT(a, d, f, h, 4 * (i));                                                                                     \
        NEXT(b, e, g, a, 4 * (i) + 1);                                                                                 \
        NEXT(c, f, h, b, 4 * (i) + 2);                                                                                 \
        NEXT(d, g, a, c, 4 * (i) + 3);                                                                                 \
        uint32_t y0 = a, y1 = b, y2 = c, y3 = d;                                                                       \
        box(uint32_t, y0, y1, y2, y3);                                                                                 \
        subkeys[4 * (i)] = y0;                                                                                         \
        subkeys[4 * (i) + 1] = y1;                                                                                     \
        subkeys[4 * (i) + 2] = y2;                                                                                     \
        subkeys[4 * (i) + 3] = y3;                                                                                     \
    } while (0)

/* As runnel_sosemanuk_set_key. */
static void sosemanuk_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    uint32_t *subkeys = ((runnel_sosemanuk_state *)state)->subkeys, w[8];
    uint8_t padded[32];
    sosemanuk_pad_key(padded, key, key_bytes);
    sosemanuk_load_key(w, padded);
    uint32_t w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3], w4 = w[4], w5 = w[5], w6 = w[6], w7 = w[7];
    for (uint32_t i = 0; i < 24; i += 8) {
        SUBKEY(i, w0, w1, w2, w3, w4, w5, w6, w7, SERPENT_S3);
        SUBKEY(i + 1, w4, w5, w6, w7, w0, w1, w2, w3, SERPENT_S2);
        SUBKEY(i + 2, w0, w1, w2, w3, w4, w5, w6, w7, SERPENT_S1);
        SUBKEY(i + 3, w4, w5, w6, w7, w0, w1, w2, w3, SERPENT_S0);
        SUBKEY(i + 4, w0, w1, w2, w3, w4, w5, w6, w7, SERPENT_S7);
        SUBKEY(i + 5, w4, w5, w6, w7, w0, w1, w2, w3, SERPENT_S6);
        SUBKEY(i + 6, w0, w1, w2, w3, w4, w5, w6, w7, SERPENT_S5);
        SUBKEY(i + 7, w4, w5, w6, w7, w0, w1, w2, w3, SERPENT_S4);
    }
    SUBKEY(24, w0, w1, w2, w3, w4, w5, w6, w7, SERPENT_S3);
    runnel_wipe(w, sizeof w);
    runnel_wipe(padded, sizeof padded);
}

#endif
