/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash's rounds for 8-bit AVR: fast_rounds.S. */
#ifndef SIPHASH_ROUNDS_H
#define SIPHASH_ROUNDS_H

#include "macs/siphash/kernels.h"

static inline void siphash_start(runnel_siphash *c, uint8_t long_tag)
{
    runnel_siphash_avr_start(c->words, c->key, long_tag);
}

static inline void siphash_compress(runnel_siphash *c, const uint8_t *data, size_t nblocks)
{
    runnel_siphash_avr_absorb(c->words, data, nblocks);
}

/* Four rounds after v[which] ^= value, and the sum of all words. */
static void siphash_finish_half(runnel_siphash *c, uint8_t which, uint8_t value, uint8_t *tag)
{
    uint8_t *const b = (uint8_t *)c->words;
    b[8 * which] ^= value;
    runnel_siphash_avr_finish(c->words);
    for (uint8_t i = 0; i < 8; i++)
        tag[i] = b[i] ^ b[8 + i] ^ b[16 + i] ^ b[24 + i];
}

#endif
