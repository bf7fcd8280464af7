/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK's key and IV set-up, which are parts of Serpent. ROTL32 may be defined before. */
#ifndef SOSEMANUK_SETUP_H
#define SOSEMANUK_SETUP_H

#include "kernels.h"
#include "serpent.h"

#ifndef ROTL32
#define ROTL32 runnel_rotl32
#endif

/* The type and number of the units in which four words are substituted: an 8-bit processor keeps bytes in registers. */
#if defined(__AVR__)
typedef uint8_t sosemanuk_unit;
#else
typedef uint32_t sosemanuk_unit;
#endif

#define SUBSTITUTE(n)                                                                                                  \
    case n:                                                                                                            \
        for (unsigned i = 0; i < UNITS; i++)                                                                           \
            SERPENT_S##n(sosemanuk_unit, u[i], u[UNITS + i], u[2 * UNITS + i], u[3 * UNITS + i]);                      \
        break;

/* S-box number n of each bit of four words. */
static RUNNEL_AVR_NOINLINE void sosemanuk_substitute(uint32_t *y, unsigned n)
{
    enum { UNITS = sizeof(uint32_t) / sizeof(sosemanuk_unit) };
    sosemanuk_unit *u = (sosemanuk_unit *)y;
    switch (n) {
    SUBSTITUTE(0)
    SUBSTITUTE(1)
    SUBSTITUTE(2)
    SUBSTITUTE(3)
    SUBSTITUTE(4)
    SUBSTITUTE(5)
    SUBSTITUTE(6)
    SUBSTITUTE(7)
    }
}

static RUNNEL_AVR_NOINLINE void sosemanuk_transform(uint32_t *y)
{
    const uint32_t y0 = ROTL32(y[0], 13), y2 = ROTL32(y[2], 3);
    const uint32_t y1 = ROTL32(y[1] ^ y0 ^ y2, 1), y3 = ROTL32(y[3] ^ y2 ^ y0 << 3, 7);
    y[0] = ROTL32(y0 ^ y1 ^ y3, 5);
    y[1] = y1;
    y[2] = ROTL32(y2 ^ y3 ^ y1 << 7, 22);
    y[3] = y3;
}

/* A key padded to 32 bytes. */
static inline void sosemanuk_pad_key(uint8_t *padded, const uint8_t *key, size_t key_bytes)
{
    memset(padded, 0, 32);
    memcpy(padded, key, key_bytes);
    if (key_bytes < 32)
        padded[key_bytes] = 1;
}

static inline void sosemanuk_load_key(uint32_t *w, const uint8_t *padded)
{
    for (unsigned i = 0; i < 8; i++)
        w[i] = runnel_load32le(padded + 4 * i);
}

#define NEXT_WORD(word, a, b, c, j) ((word) = ROTL32((word) ^ (a) ^ (b) ^ (c) ^ 0x9e3779b9 ^ (j), 11))

/* Subkey number i, one after the other; w has the last eight words of the expanded key, the older four in the half that
 * the next four replace. */
static RUNNEL_AVR_NOINLINE void sosemanuk_next_subkey(uint32_t *subkey, unsigned i, uint32_t *w)
{
    uint32_t *next = w + 4 * (i % 2);
    const uint32_t *last = w + 4 - 4 * (i % 2);
    i *= 4;
    NEXT_WORD(next[0], next[3], last[1], last[3], i);
    NEXT_WORD(next[1], last[0], last[2], next[0], i + 1);
    NEXT_WORD(next[2], last[1], last[3], next[1], i + 2);
    NEXT_WORD(next[3], last[2], next[0], next[2], i + 3);
    memcpy(subkey, next, 16);
    sosemanuk_substitute(subkey, (35 - i / 4) % 8); /* S3, S2, S1, S0, S7 … */
}

/* All subkeys of a key. */
static inline void sosemanuk_expand_key(uint32_t *subkeys, const uint8_t *key, size_t key_bytes)
{
    uint32_t w[8];
    uint8_t padded[32];
    sosemanuk_pad_key(padded, key, key_bytes);
    sosemanuk_load_key(w, padded);
    for (unsigned i = 0; i < 25; i++)
        sosemanuk_next_subkey(subkeys + 4 * i, i, w);
    runnel_wipe(w, sizeof w);
    runnel_wipe(padded, sizeof padded);
}

/* Subkey number i from an array, or without one computed from w. */
static inline void sosemanuk_add_key(uint32_t *y, unsigned i, const uint32_t *subkeys, uint32_t *w)
{
    uint32_t made[4];
    const uint32_t *subkey = made;
    if (subkeys != NULL)
        subkey = subkeys + 4 * i;
    else
        sosemanuk_next_subkey(made, i, w);
    for (unsigned j = 0; j < 4; j++)
        y[j] ^= subkey[j];
    if (subkeys == NULL)
        runnel_wipe(made, sizeof made);
}

/* IV set-up; the subkeys as above. */
static inline void sosemanuk_mix_iv(runnel_sosemanuk_state *s, const uint8_t *iv, size_t iv_bytes,
                                    const uint32_t *subkeys, uint32_t *w)
{
    uint8_t padded[16] = {0};
    uint32_t y[4];
    if (iv_bytes > 0)
        memcpy(padded, iv, iv_bytes);
    for (unsigned i = 0; i < 4; i++)
        y[i] = runnel_load32le(padded + 4 * i);
    for (unsigned round = 0; round < 24; round++) {
        sosemanuk_add_key(y, round, subkeys, w);
        sosemanuk_substitute(y, round % 8);
        sosemanuk_transform(y);
        if (round == 11) {
            s->s[6] = y[3];
            s->s[7] = y[2];
            s->s[8] = y[1];
            s->s[9] = y[0];
        } else if (round == 17) {
            s->r1 = y[0];
            s->s[4] = y[1];
            s->r2 = y[2];
            s->s[5] = y[3];
        }
    }
    sosemanuk_add_key(y, 24, subkeys, w);
    s->s[0] = y[3];
    s->s[1] = y[2];
    s->s[2] = y[1];
    s->s[3] = y[0];
    runnel_wipe(y, sizeof y);
}

#endif
