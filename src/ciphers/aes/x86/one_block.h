/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block in a register of 128 bits, and its counter, for code of every width. The includer defines TARGET. */
#ifndef AES_X86_ONE_BLOCK_H
#define AES_X86_ONE_BLOCK_H

#include "arch/x86/target.h"
#include "ciphers/aes/kernels.h"

/* Loads the counter block by halves: the caller has just written it so, and there is no store-forwarding to a wider
 * load. */
TARGET RUNNEL_INLINE __m128i aes_load_block(const uint8_t *block)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const void *)block), _mm_loadl_epi64((const void *)(block + 8)));
}

/* The order of bytes that turns word 3, between a block and the machine's byte order. */
TARGET RUNNEL_INLINE __m128i aes_swap_word_3(void)
{
    return _mm_set_epi8(12, 13, 14, 15, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

TARGET RUNNEL_INLINE __m128i aes_encrypt_one(const runnel_aes_schedule *s, __m128i x)
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

/* A single block is bound by latency: 128 bits, whatever the width of the rest. */
TARGET RUNNEL_INLINE void aes_xor_one(const runnel_aes_schedule *s, __m128i block, uint8_t *out, const uint8_t *in)
{
    block = aes_encrypt_one(s, block);
    _mm_storeu_si128((void *)out, in == NULL ? block : _mm_xor_si128(block, _mm_loadu_si128((const void *)in)));
}

#endif
