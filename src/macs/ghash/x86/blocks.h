/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH's own kernels, over multiply.h. */
#ifndef GHASH_X86_BLOCKS_H
#define GHASH_X86_BLOCKS_H

#include "arch/common/bytes.h"
#include "multiply.h"

/* The key times x, the first power. Others are made when a message needs them. */
TARGET static void ghash_set_key(runnel_ghash_state *s, const uint8_t *key)
{
    uint64_t high = runnel_load64be(key), low = runnel_load64be(key + 8);
    const uint64_t carry = 0 - (high >> 63);
    high = (high << 1 | low >> 63) ^ (carry & 0xc200000000000000);
    low = low << 1 ^ (carry & 1);
    ghash_store_one_power(s->powers[LAST_POWER - 1], _mm_set_epi64x((long long)high, (long long)low));
    s->ready = 1;
}

TARGET static void ghash_absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    __m128i y = ghash_load_sum(s);
    if (nblocks > s->ready)
        ghash_make_powers(s, nblocks < GHASH_MOST_AT_ONCE ? nblocks : GHASH_MOST_AT_ONCE);
    for (; nblocks > GHASH_MOST_AT_ONCE; nblocks -= GHASH_MOST_AT_ONCE, data += 16 * GHASH_MOST_AT_ONCE)
        y = ghash_absorb_some(s, y, data, GHASH_MOST_AT_ONCE);
    ghash_store_sum(s, ghash_absorb_some(s, y, data, nblocks));
    vector_clear_upper();
}

#endif
