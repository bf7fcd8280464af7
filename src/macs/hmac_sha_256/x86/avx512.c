/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sixteen messages on 512-bit registers. Two ports do all the work, 26 operations a round. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define VECTOR __m512i
#define LANES 16
#define LOAD(p) _mm512_load_si512((const void *)(p))
#define STORE(p, v) _mm512_store_si512((void *)(p), v)
#define ADD(a, b) _mm512_add_epi32(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define CHOOSING(e, f, g) _mm512_ternarylogic_epi32(e, f, g, 0xca)
#define MAJORITY_OF(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0xe8)
#define ROTATING(v, n) _mm512_ror_epi32(v, n)
#define SHIFT(v, n) _mm512_srli_epi32(v, n)
#define REPEAT(word) _mm512_set1_epi32((int)(word))
#define SWAP(v) _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203)))
#define UNPACK_LOW(a, b) _mm512_unpacklo_epi32(a, b)
#define UNPACK_HIGH(a, b) _mm512_unpackhi_epi32(a, b)
#define UNPACK_LOW_64(a, b) _mm512_unpacklo_epi64(a, b)
#define UNPACK_HIGH_64(a, b) _mm512_unpackhi_epi64(a, b)
#define SIXTEEN_BYTES(p) _mm_loadu_si128((const void *)(p))
#define FOUR(p, at)                                                                                                    \
    _mm512_inserti32x4(_mm512_inserti32x4(_mm512_inserti32x4(_mm512_castsi128_si512(SIXTEEN_BYTES((p)[0] + (at))),     \
                                                             SIXTEEN_BYTES((p)[4] + (at)), 1),                         \
                                          SIXTEEN_BYTES((p)[8] + (at)), 2),                                            \
                       SIXTEEN_BYTES((p)[12] + (at)), 3)

#include "lanes.h"

const runnel_sha_256_kernel runnel_hmac_sha_256_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("Gueron, Krasnov: Simultaneous Hashing of Multiple Messages, 2012"),
    .cpu = RUNNEL_CPU_AVX512,
    .lanes = LANES,
    .worth = 11,
    .compress = hmac_sha_256_compress,
};

#endif
