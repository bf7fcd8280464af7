/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of every x86 kernel, as short as the latency of its steps: a shuffle and AESENCLAST, which for AES-256 also
 * adds what was ready before. A block of zeros can go through the rounds beside it. */
#include "arch/x86/target.h"
#include "shared.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,sse4.1,ssse3")

/* SubWord of the word of those bytes of x, in every word, XOR words: four equal columns make ShiftRows of
 * AESENCLAST do nothing. */
TARGET RUNNEL_INLINE __m128i aes_sub_word(__m128i x, uint32_t bytes, __m128i words)
{
    return _mm_aesenclast_si128(_mm_shuffle_epi8(x, _mm_set1_epi32((int)bytes)), words);
}

#define WORD_3 0x0f0e0d0c
#define WORD_3_ROTATED 0x0c0f0e0d
#define WORD_1_ROTATED 0x04070605

/* Words w0, w0 ^ w1, w0 ^ w1 ^ w2, w0 ^ w1 ^ w2 ^ w3. */
TARGET RUNNEL_INLINE __m128i aes_sum_words(__m128i w)
{
    w = _mm_xor_si128(w, _mm_slli_si128(w, 4));
    return _mm_xor_si128(w, _mm_slli_si128(w, 8));
}

/* Stores a round key, and takes the block of zeros, unless it is NULL, through its round. */
TARGET RUNNEL_INLINE void aes_put(__m128i *keys, int round, int last, __m128i k, __m128i *zero)
{
    _mm_storeu_si128(keys + round, k);
    if (zero != NULL)
        *zero = round == 0 ? k : round < last ? _mm_aesenc_si128(*zero, k) : _mm_aesenclast_si128(*zero, k);
}

TARGET RUNNEL_INLINE void aes_expand_128(__m128i *keys, __m128i k, __m128i *zero)
{
    aes_put(keys, 0, 10, k, zero);
    RUNNEL_UNROLL
    for (int r = 1, constant = 1; r <= 10; r++, constant = constant << 1 ^ (constant >> 7) * 0x11b) {
        k = _mm_xor_si128(aes_sum_words(k), aes_sub_word(k, WORD_3_ROTATED, _mm_set1_epi32(constant)));
        aes_put(keys, r, 10, k, zero);
    }
}

TARGET RUNNEL_INLINE void aes_expand_192(__m128i *keys, __m128i k, __m128i words_4_5, __m128i *zero)
{
    aes_put(keys, 0, 12, k, zero);
    RUNNEL_UNROLL
    for (int r = 1, constant = 1; r <= 10; r += 3, constant <<= 2) { /* three round keys are two times six words */
        const __m128i before = words_4_5;
        k = _mm_xor_si128(aes_sum_words(k), aes_sub_word(words_4_5, WORD_1_ROTATED, _mm_set1_epi32(constant)));
        words_4_5 = _mm_xor_si128(words_4_5, _mm_slli_si128(words_4_5, 4));
        words_4_5 = _mm_xor_si128(words_4_5, _mm_shuffle_epi32(k, 0xff));
        aes_put(keys, r, 12, _mm_unpacklo_epi64(before, k), zero);
        aes_put(keys, r + 1, 12, _mm_unpacklo_epi64(_mm_srli_si128(k, 8), words_4_5), zero);
        k = _mm_xor_si128(aes_sum_words(k), aes_sub_word(words_4_5, WORD_1_ROTATED, _mm_set1_epi32(constant << 1)));
        words_4_5 = _mm_xor_si128(words_4_5, _mm_slli_si128(words_4_5, 4));
        words_4_5 = _mm_xor_si128(words_4_5, _mm_shuffle_epi32(k, 0xff));
        aes_put(keys, r + 2, 12, k, zero);
    }
}

TARGET RUNNEL_INLINE void aes_expand_256(__m128i *keys, __m128i even, __m128i odd, __m128i *zero)
{
    aes_put(keys, 0, 14, even, zero);
    RUNNEL_UNROLL
    for (int r = 1, constant = 1; r <= 13; r += 2, constant <<= 1) {
        aes_put(keys, r, 14, odd, zero);
        /* These sums have two rounds' time. */
        even = aes_sub_word(odd, WORD_3_ROTATED, _mm_xor_si128(aes_sum_words(even), _mm_set1_epi32(constant)));
        aes_put(keys, r + 1, 14, even, zero);
        odd = aes_sub_word(even, WORD_3, aes_sum_words(odd)); /* the last time for nothing: compilers leave it out */
    }
}

TARGET RUNNEL_INLINE void aes_expand(runnel_aes_schedule *s, const uint8_t *key, size_t key_bytes, __m128i *zero)
{
    __m128i *keys = (void *)s->keys.bytes;
    const __m128i k = _mm_loadu_si128((const void *)key);
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    if (key_bytes == 16)
        aes_expand_128(keys, k, zero);
    else if (key_bytes == 24)
        aes_expand_192(keys, k, _mm_loadl_epi64((const void *)(key + 16)), zero);
    else
        aes_expand_256(keys, k, _mm_loadu_si128((const void *)(key + 16)), zero);
}

TARGET void runnel_aes_x86_key(void *state, const uint8_t *key, size_t key_bytes)
{
    aes_expand(state, key, key_bytes, NULL);
}

TARGET void runnel_aes_x86_key_and_zero(void *state, const uint8_t *key, size_t key_bytes, uint8_t *zero)
{
    __m128i block;
    aes_expand(state, key, key_bytes, &block);
    _mm_storeu_si128((void *)zero, block);
}

#endif
