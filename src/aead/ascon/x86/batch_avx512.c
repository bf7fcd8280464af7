/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Eight messages of Ascon-AEAD128 on 512-bit registers, where each S-box row is one instruction (VPTERNLOGQ) and each
 * rotation too: some 27 instructions a round for all eight, fewer than one message takes in words. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define VECTOR __m512i
#define LANES 8
#define WORTH 2
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define REPEAT(word) _mm512_set1_epi64(word)
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define XNOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x69)
#define SELECT(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0xd2)
#define BLEND(mask, a, b) _mm512_ternarylogic_epi32(mask, a, b, 0xca)
#define ROTATE(x, n) _mm512_ror_epi64(x, n)
#define LOW_HALVES(a, b) _mm512_unpacklo_epi64(a, b)
#define HIGH_HALVES(a, b) _mm512_unpackhi_epi64(a, b)
#define GATHER(p) ascon_gather(p)
#define SCATTER(p, v) ascon_scatter(p, v)

TARGET static inline __m512i ascon_gather(const uint8_t *const *p)
{
    __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)p[0]));
    v = _mm512_inserti64x2(v, _mm_loadu_si128((const void *)p[1]), 1);
    v = _mm512_inserti64x2(v, _mm_loadu_si128((const void *)p[2]), 2);
    return _mm512_inserti64x2(v, _mm_loadu_si128((const void *)p[3]), 3);
}

TARGET static inline void ascon_scatter(uint8_t *const *p, __m512i v)
{
    _mm_storeu_si128((void *)p[0], _mm512_castsi512_si128(v));
    _mm_storeu_si128((void *)p[1], _mm512_extracti64x2_epi64(v, 1));
    _mm_storeu_si128((void *)p[2], _mm512_extracti64x2_epi64(v, 2));
    _mm_storeu_si128((void *)p[3], _mm512_extracti64x2_epi64(v, 3));
}

#include "lanes.h"

const runnel_ascon_batch runnel_ascon_batch_avx512 = {
    .name = RUNNEL_TEXT("batch-avx512"),
    .citation = RUNNEL_TEXT("eight messages in the lanes of 512-bit registers"),
    .cpu = RUNNEL_CPU_AVX2 | RUNNEL_CPU_AVX512,
    .lanes = LANES,
    .worth = WORTH,
    .messages = ascon_messages,
};

#endif
