/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash's rounds on bytes, the lowest first: rotations by whole bytes rename bytes, and the remaining bits are
 * products of each byte with a power of two. Sums are of 64 bits, for which compilers for 8-bit processors have good
 * code. */
#ifndef SIPHASH_ROUNDS_H
#define SIPHASH_ROUNDS_H

#include "siphash.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "RUNNEL_MAC_WORDS=0 is for little-endian processors"
#endif

static void siphash_start(runnel_siphash *c, uint8_t long_tag)
{
    static const uint8_t constants[32] RUNNEL_FLASH = "uespemosmodnarodarenegylsetybdet";
    uint8_t *const b = (uint8_t *)c->words;
    for (uint8_t i = 0; i < 32; i++)
        b[i] = c->key[i % 16] ^ runnel_flash8(&constants[i]);
    b[8] ^= long_tag;
}

/* x = (x <<< 8 * bytes + bits) ^ y, where 2^bits is `factor`. */
#define ROTATE_AND_XOR(x, y, bytes, factor)                                                                            \
    do {                                                                                                               \
        uint8_t old[8];                                                                                                \
        memcpy(old, x, 8);                                                                                             \
        uint16_t moved = (uint16_t)((uint16_t)old[7 - (bytes)] * (factor));                                            \
        MOVE(x, y, 0, bytes, factor);                                                                                  \
        MOVE(x, y, 1, bytes, factor);                                                                                  \
        MOVE(x, y, 2, bytes, factor);                                                                                  \
        MOVE(x, y, 3, bytes, factor);                                                                                  \
        MOVE(x, y, 4, bytes, factor);                                                                                  \
        MOVE(x, y, 5, bytes, factor);                                                                                  \
        MOVE(x, y, 6, bytes, factor);                                                                                  \
        MOVE(x, y, 7, bytes, factor);                                                                                  \
    } while (0)
#define MOVE(x, y, i, bytes, factor)                                                                                   \
    do {                                                                                                               \
        const uint8_t low = (uint8_t)(moved >> 8);                                                                     \
        moved = (uint16_t)((uint16_t)old[((i) + 8 - (bytes)) % 8] * (factor));                                         \
        (x)[i] = (uint8_t)((uint8_t)moved | low) ^ (y)[i];                                                             \
    } while (0)

static inline void siphash_swap_halves(uint8_t *x)
{
    uint32_t halves[2];
    memcpy(halves, x, 8);
    memcpy(x, &halves[1], 4);
    memcpy(x + 4, &halves[0], 4);
}

static void siphash_rounds(runnel_siphash *c, uint8_t n)
{
    uint64_t *const v = c->words;
    uint8_t *const b = (uint8_t *)v; /* the same in bytes */
    for (; n > 0; n--) {
        v[0] += v[1];
        v[2] += v[3];
        ROTATE_AND_XOR(b + 8, b, 1, 1 << 5);
        ROTATE_AND_XOR(b + 24, b + 16, 2, 1);
        siphash_swap_halves(b);
        v[2] += v[1];
        v[0] += v[3];
        ROTATE_AND_XOR(b + 8, b + 16, 2, 1 << 1);
        ROTATE_AND_XOR(b + 24, b, 2, 1 << 5);
        siphash_swap_halves(b + 16);
    }
}

static void siphash_compress(runnel_siphash *c, const uint8_t *data, size_t nblocks)
{
    uint8_t *const b = (uint8_t *)c->words;
    for (; nblocks > 0; nblocks--, data += 8) {
        for (uint8_t i = 0; i < 8; i++)
            b[24 + i] ^= data[i];
        siphash_rounds(c, 2);
        for (uint8_t i = 0; i < 8; i++)
            b[i] ^= data[i];
    }
}

/* Four rounds after v[which] ^= value, and the sum of all words. */
static void siphash_finish_half(runnel_siphash *c, uint8_t which, uint8_t value, uint8_t *tag)
{
    const uint8_t *const b = (const uint8_t *)c->words;
    c->words[which] ^= value;
    siphash_rounds(c, 4);
    for (uint8_t i = 0; i < 8; i++)
        tag[i] = b[i] ^ b[8 + i] ^ b[16 + i] ^ b[24 + i];
}

#endif
