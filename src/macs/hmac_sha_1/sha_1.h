/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-1's compression of blocks (FIPS 180-4 6.1), for any processor. */
#ifndef HMAC_SHA_1_HASH_H
#define HMAC_SHA_1_HASH_H

#include "arch/common/bytes.h"
#include "kernels.h"

static void sha_1_start(uint32_t *state)
{
    state[0] = 0x67452301;
    state[1] = 0xefcdab89;
    state[2] = 0x98badcfe;
    state[3] = 0x10325476;
    state[4] = 0xc3d2e1f0;
}

#if !RUNNEL_MAC_WORDS && RUNNEL_AVR

static inline void sha_1_compress(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += RUNNEL_SHA_1_BLOCK)
        runnel_hmac_sha_1_avr_compress(state, data);
}

#else

/* Rotations to the left. Processors that shift by one bit take whole bytes and then single steps. */
#if RUNNEL_MAC_WORDS
#define LEFT_1(x) runnel_rotl32(x, 1)
#define LEFT_5(x) runnel_rotl32(x, 5)
#define LEFT_30(x) runnel_rotl32(x, 30)
#else
#define LEFT_1(x) ((x) << 1 | (x) >> 31)
#define RIGHT_1(x) ((x) >> 1 | (x) << 31)
static inline uint32_t hmac_sha_1_left_5(uint32_t x)
{
    x = x << 8 | x >> 24;
    x = RIGHT_1(x);
    x = RIGHT_1(x);
    return RIGHT_1(x);
}
static inline uint32_t hmac_sha_1_left_30(uint32_t x)
{
    x = RIGHT_1(x);
    return RIGHT_1(x);
}
#define LEFT_5(x) hmac_sha_1_left_5(x)
#define LEFT_30(x) hmac_sha_1_left_30(x)
#endif

#define CHOOSE(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define MAJORITY(b, c, d) (((b) & (c)) | ((d) & ((b) | (c))))

/* Word i of the schedule, in a window of sixteen. */
static inline uint32_t sha_1_word(uint32_t *w, unsigned i)
{
    uint32_t *const now = w + i % 16;
    if (i >= 16) {
        const uint32_t x = w[(i + 13) % 16] ^ w[(i + 8) % 16] ^ w[(i + 2) % 16] ^ *now;
        *now = LEFT_1(x);
    }
    return *now;
}

#if RUNNEL_MAC_WORDS

#define ROUND(a, b, c, d, e, function, constant, i)                                                                    \
    do {                                                                                                               \
        e += LEFT_5(a) + function(b, c, d) + constant + sha_1_word(w, i);                                              \
        b = LEFT_30(b);                                                                                                \
    } while (0)
/* Five rounds: five variables that change names instead of being moved. */
#define ROUNDS(function, constant, from)                                                                               \
    for (unsigned i = from; i < from + 20; i += 5) {                                                                   \
        ROUND(a, b, c, d, e, function, constant, i);                                                                   \
        ROUND(e, a, b, c, d, function, constant, i + 1);                                                               \
        ROUND(d, e, a, b, c, function, constant, i + 2);                                                               \
        ROUND(c, d, e, a, b, function, constant, i + 3);                                                               \
        ROUND(b, c, d, e, a, function, constant, i + 4);                                                               \
    }

#else

/* One round after the other in one loop, for size. */
#define ROUNDS(function, constant, from)                                                                               \
    for (uint8_t i = from; i < from + 20; i++) {                                                                       \
        const uint32_t sum = LEFT_5(a) + function(b, c, d) + e + constant + sha_1_word(w, i);                          \
        e = d;                                                                                                         \
        d = c;                                                                                                         \
        c = LEFT_30(b);                                                                                                \
        b = a;                                                                                                         \
        a = sum;                                                                                                       \
    }

#endif

static void sha_1_compress(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    uint32_t w[16];
    for (; nblocks > 0; nblocks--, data += RUNNEL_SHA_1_BLOCK) {
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (uint8_t i = 0; i < 16; i++)
            w[i] = runnel_load32be(data + 4 * i);
        ROUNDS(CHOOSE, 0x5a827999, 0)
        ROUNDS(PARITY, 0x6ed9eba1, 20)
        ROUNDS(MAJORITY, 0x8f1bbcdc, 40)
        ROUNDS(PARITY, 0xca62c1d6, 60)
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
    runnel_wipe(w, sizeof w);
}

#endif

#endif
