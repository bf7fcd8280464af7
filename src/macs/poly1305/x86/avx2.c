/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on 256-bit registers, twice four blocks at once. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#define VECTOR __m256i
#define LANES 4
#define LOAD(p) _mm256_loadu_si256((const void *)(p))
#define ADD(a, b) _mm256_add_epi64(a, b)
#define MULTIPLY(a, b) _mm256_mul_epu32(a, b)
#define AND(a, b) _mm256_and_si256(a, b)
#define OR(a, b) _mm256_or_si256(a, b)
#define SHIFT_LEFT(v, n) _mm256_slli_epi64(v, n)
#define SHIFT_RIGHT(v, n) _mm256_srli_epi64(v, n)
#define REPEAT(word) _mm256_set1_epi64x(word)
#define FIRST(word) _mm256_zextsi128_si256(_mm_cvtsi64_si128((long long)(word)))
#define ADD_UP(v) poly1305_add_up(v)
#define LAST_POWERS(i)                                                                                                 \
    _mm256_set_epi64x((long long)powers[1].l[i], (long long)powers[3].l[i], (long long)powers[2].l[i],                 \
                      (long long)powers[4].l[i])
#define LOW_HALVES(a, b) _mm256_unpacklo_epi64(a, b)
#define HIGH_HALVES(a, b) _mm256_unpackhi_epi64(a, b)

TARGET static inline uint64_t poly1305_add_up(__m256i v)
{
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}

#include "lanes.h"

const runnel_poly1305_kernel runnel_poly1305_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("Goll, Gueron: Vectorization of Poly1305 Message Authentication Code, 2015"),
    .cpu = RUNNEL_CPU_AVX2,
    .least = 72,
    .blocks = 2 * LANES,
    .make_powers = poly1305_make_powers,
    .absorb = poly1305_absorb,
};

#endif
