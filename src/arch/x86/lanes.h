/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For x86-64 kernels that make several streams at once: 32-bit words of eight streams, or 64-bit words of four, a
 * stream in each element of a vector, to and from the streams' own memory. `at` counts bytes from each stream's
 * pointer; in or any in[i] may be NULL, and then the words are stored as they are. */
#ifndef RUNNEL_ARCH_X86_LANES_H
#define RUNNEL_ARCH_X86_LANES_H

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "target.h"

#if RUNNEL_X86_64

typedef uint32_t runnel_words256 __attribute__((vector_size(32)));
typedef uint64_t runnel_longs256 __attribute__((vector_size(32)));

#define RUNNEL_ROTL_WORDS(x, n) ((x) << (n) | (x) >> (32 - (n)))

/* Transposes the 4 x 4 words in each lane of a, b, c, d: word i of a becomes word 0 of the i-th of them, and so on. */
#define RUNNEL_TRANSPOSE_WORDS(words, type, prefix, a, b, c, d)                                                        \
    do {                                                                                                               \
        const type ab_low = prefix##_unpacklo_epi32((type)a, (type)b);                                                 \
        const type ab_high = prefix##_unpackhi_epi32((type)a, (type)b);                                                \
        const type cd_low = prefix##_unpacklo_epi32((type)c, (type)d);                                                 \
        const type cd_high = prefix##_unpackhi_epi32((type)c, (type)d);                                                \
        a = (words)prefix##_unpacklo_epi64(ab_low, cd_low);                                                            \
        b = (words)prefix##_unpackhi_epi64(ab_low, cd_low);                                                            \
        c = (words)prefix##_unpacklo_epi64(ab_high, cd_high);                                                          \
        d = (words)prefix##_unpackhi_epi64(ab_high, cd_high);                                                          \
    } while (0)

RUNNEL_TARGET("avx2") RUNNEL_INLINE __m128i runnel_in_lane(const uint8_t *const *in, size_t i, size_t at, __m128i words)
{
    if (in == NULL || in[i] == NULL)
        return words;
    return _mm_xor_si128(words, _mm_loadu_si128((const void *)(in[i] + at)));
}

/* ---- words of 32 bits, eight streams ---- */

/* Four words that follow each other. */
RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_get_lanes(const uint8_t *const p[8], size_t at, runnel_words256 *a, runnel_words256 *b,
                                    runnel_words256 *c, runnel_words256 *d)
{
    runnel_words256 row[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        row[i] =
            (runnel_words256)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)(p[i] + at))),
                                                     _mm_loadu_si128((const void *)(p[i + 4] + at)), 1);
    RUNNEL_TRANSPOSE_WORDS(runnel_words256, __m256i, _mm256, row[0], row[1], row[2], row[3]);
    *a = row[0];
    *b = row[1];
    *c = row[2];
    *d = row[3];
}

RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_lanes(uint8_t *const out[8], const uint8_t *const *in, size_t at, runnel_words256 a,
                                    runnel_words256 b, runnel_words256 c, runnel_words256 d)
{
    RUNNEL_TRANSPOSE_WORDS(runnel_words256, __m256i, _mm256, a, b, c, d);
    const runnel_words256 row[4] = {a, b, c, d};
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const __m128i low = runnel_in_lane(in, i, at, _mm256_castsi256_si128((__m256i)row[i]));
        const __m128i high = runnel_in_lane(in, i + 4, at, _mm256_extracti128_si256((__m256i)row[i], 1));
        _mm_storeu_si128((void *)(out[i] + at), low);
        _mm_storeu_si128((void *)(out[i + 4] + at), high);
    }
}

/* One word. */
RUNNEL_TARGET("avx2") RUNNEL_INLINE runnel_words256 runnel_get_lane_words(const uint8_t *const p[8], size_t at)
{
    uint32_t words[8];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++)
        memcpy(&words[i], p[i] + at, sizeof words[i]);
    return (runnel_words256)_mm256_loadu_si256((const void *)words);
}

RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_lane_words(uint8_t *const out[8], const uint8_t *const *in, size_t at, runnel_words256 w)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        uint32_t word = w[i], other = 0;
        if (in != NULL && in[i] != NULL)
            memcpy(&other, in[i] + at, sizeof other);
        word ^= other;
        memcpy(out[i] + at, &word, sizeof word);
    }
}

/* ---- words of 64 bits, four streams ---- */

/* Two words that follow each other. */
RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_get_long_lanes(const uint8_t *const p[4], size_t at, runnel_longs256 *a, runnel_longs256 *b)
{
    __m256i row[2];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 2; i++)
        row[i] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)(p[i] + at))),
                                         _mm_loadu_si128((const void *)(p[i + 2] + at)), 1);
    *a = (runnel_longs256)_mm256_unpacklo_epi64(row[0], row[1]);
    *b = (runnel_longs256)_mm256_unpackhi_epi64(row[0], row[1]);
}

RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_long_lanes(uint8_t *const out[4], const uint8_t *const *in, size_t at, runnel_longs256 a,
                                         runnel_longs256 b)
{
    const __m256i row[2] = {_mm256_unpacklo_epi64((__m256i)a, (__m256i)b),
                            _mm256_unpackhi_epi64((__m256i)a, (__m256i)b)};
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 2; i++) {
        const __m128i low = runnel_in_lane(in, i, at, _mm256_castsi256_si128(row[i]));
        const __m128i high = runnel_in_lane(in, i + 2, at, _mm256_extracti128_si256(row[i], 1));
        _mm_storeu_si128((void *)(out[i] + at), low);
        _mm_storeu_si128((void *)(out[i + 2] + at), high);
    }
}

/* One word. */
RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_long_lane_words(uint8_t *const out[4], const uint8_t *const *in, size_t at,
                                              runnel_longs256 w)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        uint64_t word = w[i], other = 0;
        if (in != NULL && in[i] != NULL)
            memcpy(&other, in[i] + at, sizeof other);
        word ^= other;
        memcpy(out[i] + at, &word, sizeof word);
    }
}

#endif

#endif
