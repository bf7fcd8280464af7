/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash's rounds on 64-bit words. */
#ifndef SIPHASH_ROUNDS_H
#define SIPHASH_ROUNDS_H

#include "siphash.h"

static inline uint64_t siphash_rotate(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static void siphash_start(runnel_siphash *c, uint8_t long_tag)
{
    const uint64_t k0 = runnel_load64le(c->key), k1 = runnel_load64le(c->key + 8);
    c->words[0] = k0 ^ 0x736f6d6570736575;
    c->words[1] = k1 ^ 0x646f72616e646f6d ^ long_tag;
    c->words[2] = k0 ^ 0x6c7967656e657261;
    c->words[3] = k1 ^ 0x7465646279746573;
}

static inline void siphash_rounds(uint64_t *v, unsigned n)
{
    uint64_t v0 = v[0], v1 = v[1], v2 = v[2], v3 = v[3];
    for (; n > 0; n--) {
        v0 += v1;
        v2 += v3;
        v1 = siphash_rotate(v1, 13) ^ v0;
        v3 = siphash_rotate(v3, 16) ^ v2;
        v0 = siphash_rotate(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = siphash_rotate(v1, 17) ^ v2;
        v3 = siphash_rotate(v3, 21) ^ v0;
        v2 = siphash_rotate(v2, 32);
    }
    v[0] = v0;
    v[1] = v1;
    v[2] = v2;
    v[3] = v3;
}

static void siphash_compress(runnel_siphash *c, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += 8) {
        const uint64_t m = runnel_load64le(data);
        c->words[3] ^= m;
        siphash_rounds(c->words, 2);
        c->words[0] ^= m;
    }
}

/* Four rounds after v[which] ^= value, and the sum of all words. */
static void siphash_finish_half(runnel_siphash *c, unsigned which, uint8_t value, uint8_t *tag)
{
    c->words[which] ^= value;
    siphash_rounds(c->words, 4);
    runnel_store64le(tag, c->words[0] ^ c->words[1] ^ c->words[2] ^ c->words[3]);
}

#endif
