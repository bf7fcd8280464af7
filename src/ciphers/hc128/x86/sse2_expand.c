/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The expansion of key and IV, four words at a time, with SSE2, which every x86-64 has; the last 16 words stay in
 * registers. Each two words depend on the two before them: only f2, an addition and a shuffle are on that path; all
 * else is summed beforehand. */
#include "ciphers/hc128/kernels.h"

#include "arch/x86/target.h"

#if RUNNEL_X86_64

/* Four words, of which the first is word 1 of a, the last word 0 of b, which follows a. */
RUNNEL_INLINE __m128i hc128_second_to_fifth(__m128i a, __m128i b)
{
    const __m128 mixed = _mm_move_ss(_mm_castsi128_ps(a), _mm_castsi128_ps(b));
    return _mm_shuffle_epi32(_mm_castps_si128(mixed), _MM_SHUFFLE(0, 3, 2, 1));
}

/* In words 0 and 2, of x, which is there twice in 64 bits, so that a shift turns it. */
RUNNEL_INLINE __m128i hc128_f2(__m128i x)
{
    return _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(x, 17), _mm_srli_epi64(x, 19)), _mm_srli_epi32(x, 10));
}

/* Words 0 and 2, each twice. */
RUNNEL_INLINE __m128i hc128_twice(__m128i x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 2, 0, 0));
}

/* Two words of a, then two of b. */
#define select(a, b, which) _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), which))

RUNNEL_INLINE __m128i hc128_f1(__m128i x)
{
    const __m128i by_7 = _mm_xor_si128(_mm_srli_epi32(x, 7), _mm_slli_epi32(x, 25));
    const __m128i by_18 = _mm_xor_si128(_mm_srli_epi32(x, 18), _mm_slli_epi32(x, 14));
    return _mm_xor_si128(_mm_xor_si128(by_7, by_18), _mm_srli_epi32(x, 3));
}

/* The four words after w0 to w3, which are made two at a time, in words 0 and 2 of a vector. newest: the last two, each
 * twice. */
RUNNEL_INLINE __m128i hc128_expanded(__m128i w0, __m128i w1, __m128i w2, __m128i w3, __m128i *newest, __m128i numbers)
{
    const __m128i sum = _mm_add_epi32(_mm_add_epi32(w0, numbers), hc128_f1(hc128_second_to_fifth(w0, w1)));
    const __m128i seventh = _mm_shuffle_epi32(w2, _MM_SHUFFLE(2, 2, 1, 1)); /* the words 7 before */
    const __m128i next_seventh = select(w2, w3, _MM_SHUFFLE(0, 0, 3, 3));
    const __m128i first = _mm_add_epi32(hc128_f2(*newest), _mm_add_epi32(seventh, _mm_unpacklo_epi32(sum, sum)));
    const __m128i last =
        _mm_add_epi32(hc128_f2(hc128_twice(first)), _mm_add_epi32(next_seventh, _mm_unpackhi_epi32(sum, sum)));
    *newest = hc128_twice(last);
    return select(first, last, _MM_SHUFFLE(2, 0, 2, 0));
}

/* The words 0 to 255 of the expansion are thrown away. */
void runnel_hc128_expand_sse2(runnel_hc128_state *s, const uint8_t *iv)
{
    const __m128i four = _mm_set1_epi32(4);
    __m128i w0 = _mm_loadu_si128((const void *)s->key), w1 = w0, w2 = _mm_loadu_si128((const void *)iv), w3 = w2;
    __m128i numbers = _mm_setr_epi32(16, 17, 18, 19);
    __m128i newest = _mm_shuffle_epi32(w3, _MM_SHUFFLE(3, 3, 2, 2));
    uint32_t *to = s->words;
    for (unsigned number = 16; number < 256 + 2 * HC128_TABLE; number += 16) {
        w0 = hc128_expanded(w0, w1, w2, w3, &newest, numbers);
        numbers = _mm_add_epi32(numbers, four);
        w1 = hc128_expanded(w1, w2, w3, w0, &newest, numbers);
        numbers = _mm_add_epi32(numbers, four);
        w2 = hc128_expanded(w2, w3, w0, w1, &newest, numbers);
        numbers = _mm_add_epi32(numbers, four);
        w3 = hc128_expanded(w3, w0, w1, w2, &newest, numbers);
        numbers = _mm_add_epi32(numbers, four);
        if (number >= 256) {
            _mm_storeu_si128((void *)to, w0);
            _mm_storeu_si128((void *)(to + 4), w1);
            _mm_storeu_si128((void *)(to + 8), w2);
            _mm_storeu_si128((void *)(to + 12), w3);
            to += 16;
        }
    }
}

#endif
