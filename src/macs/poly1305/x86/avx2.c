/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on 256-bit registers, four blocks at once. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#define VECTOR __m256i
#define LANES 4
#define LOAD(p) _mm256_loadu_si256((const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)
#define ADD(a, b) _mm256_add_epi64(a, b)
#define MULTIPLY(a, b) _mm256_mul_epu32(a, b)
#define AND(a, b) _mm256_and_si256(a, b)
#define OR(a, b) _mm256_or_si256(a, b)
#define SHIFT_LEFT(v, n) _mm256_slli_epi64(v, n)
#define SHIFT_RIGHT(v, n) _mm256_srli_epi64(v, n)
#define REPEAT(word) _mm256_set1_epi64x(word)
#define LOW_HALVES(a, b) _mm256_unpacklo_epi64(a, b)
#define HIGH_HALVES(a, b) _mm256_unpackhi_epi64(a, b)
#include "lanes.h"

const runnel_poly1305_kernel runnel_poly1305_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("Goll, Gueron: Vectorization of Poly1305 Message Authentication Code, 2015"),
    .cpu = RUNNEL_CPU_AVX2,
    .least = 12,
    .blocks = LANES,
    .absorb = absorb,
};

#endif
