/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on 512-bit registers, twice eight blocks at once. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2,avx512f,avx512bw,avx512dq,avx512vl")
#define VECTOR __m512i
#define LANES 8
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define ADD(a, b) _mm512_add_epi64(a, b)
#define MULTIPLY(a, b) _mm512_mul_epu32(a, b)
#define AND(a, b) _mm512_and_si512(a, b)
#define OR(a, b) _mm512_or_si512(a, b)
#define SHIFT_LEFT(v, n) _mm512_slli_epi64(v, n)
#define SHIFT_RIGHT(v, n) _mm512_srli_epi64(v, n)
#define REPEAT(word) _mm512_set1_epi64(word)
#define FIRST(word) _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)(word)))
#define ADD_UP(v) (uint64_t)_mm512_reduce_add_epi64(v)
#define LAST_POWERS(i)                                                                                                 \
    _mm512_set_epi64((long long)powers[1].l[i], (long long)powers[5].l[i], (long long)powers[2].l[i],                  \
                     (long long)powers[6].l[i], (long long)powers[3].l[i], (long long)powers[7].l[i],                  \
                     (long long)powers[4].l[i], (long long)powers[8].l[i])
#define LOW_HALVES(a, b) _mm512_unpacklo_epi64(a, b)
#define HIGH_HALVES(a, b) _mm512_unpackhi_epi64(a, b)
#include "lanes.h"

const runnel_poly1305_kernel runnel_poly1305_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("Goll, Gueron: Vectorization of Poly1305 Message Authentication Code, 2015"),
    .cpu = RUNNEL_CPU_AVX2 | RUNNEL_CPU_AVX512,
    .least = 32,
    .blocks = 2 * LANES,
    .make_powers = poly1305_make_powers,
    .absorb = poly1305_absorb,
};

#endif
