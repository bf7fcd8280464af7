/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH's own kernels, over multiply.h. */
#ifndef RUNNEL_GHASH_X86_BLOCKS_H
#define RUNNEL_GHASH_X86_BLOCKS_H

#include "arch/common/bytes.h"
#include "multiply.h"

/* The key times x, the first power. Others are made when a message needs them. */
TARGET static void set_key(runnel_ghash_state *s, const uint8_t *key)
{
    uint64_t high = runnel_load64be(key), low = runnel_load64be(key + 8);
    const uint64_t carry = 0 - (high >> 63);
    high = (high << 1 | low >> 63) ^ (carry & 0xc200000000000000);
    low = low << 1 ^ (carry & 1);
    _mm_storeu_si128((void *)s->powers[LAST_POWER - 1], _mm_set_epi64x((long long)high, (long long)low));
    s->ready = 1;
}

TARGET static void absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    __m128i y = load_sum(s);
    if (nblocks > s->ready)
        make_powers(s, nblocks < MOST_AT_ONCE ? nblocks : MOST_AT_ONCE);
    for (; nblocks > MOST_AT_ONCE; nblocks -= MOST_AT_ONCE, data += 16 * MOST_AT_ONCE)
        y = absorb_some(s, y, data, MOST_AT_ONCE);
    store_sum(s, absorb_some(s, y, data, nblocks));
    vector_clear_upper();
}

#endif
