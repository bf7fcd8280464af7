/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block in a register of 128 bits, for code of every width, which defines TARGET. */
#ifndef RUNNEL_AES_X86_ONE_BLOCK_H
#define RUNNEL_AES_X86_ONE_BLOCK_H

#include "vectors.h"

TARGET RUNNEL_INLINE __m128i encrypt_one(const runnel_aes_schedule *s, __m128i x)
{
    const __m128i *key = (const void *)s->keys.bytes;
    x = _mm_xor_si128(x, _mm_loadu_si128(key));
    RUNNEL_UNROLL
    for (int i = 1; i < 10; i++)
        x = _mm_aesenc_si128(x, _mm_loadu_si128(key + i));
    key += 10;
    for (unsigned more = s->rounds - 10u; more > 0; more--)
        x = _mm_aesenc_si128(x, _mm_loadu_si128(key++));
    return _mm_aesenclast_si128(x, _mm_loadu_si128(key));
}

#endif
