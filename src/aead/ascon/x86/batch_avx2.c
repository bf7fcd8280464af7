/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Four messages of Ascon-AEAD128 on 256-bit registers: twice as many instructions a round as AVX-512 has, because AVX2
 * has no rotation and no operation on three registers. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#define VECTOR __m256i
#define LANES 4
#define WORTH 3
#define LOAD(p) _mm256_loadu_si256((const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)
#define REPEAT(word) _mm256_set1_epi64x(word)
#define XOR(a, b) _mm256_xor_si256(a, b)
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define XNOR3(a, b, c) XOR(XOR3(a, b, c), REPEAT(-1))
#define SELECT(a, b, c) XOR(a, _mm256_andnot_si256(b, c))
#define BLEND(mask, a, b) _mm256_blendv_epi8(b, a, mask)
#define ROTATE(x, n) _mm256_or_si256(_mm256_srli_epi64(x, n), _mm256_slli_epi64(x, 64 - (n)))
#define LOW_HALVES(a, b) _mm256_unpacklo_epi64(a, b)
#define HIGH_HALVES(a, b) _mm256_unpackhi_epi64(a, b)
#define GATHER(p) ascon_gather(p)
#define SCATTER(p, v) ascon_scatter(p, v)

TARGET static inline __m256i ascon_gather(const uint8_t *const *p)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)p[0])),
                                   _mm_loadu_si128((const void *)p[1]), 1);
}

TARGET static inline void ascon_scatter(uint8_t *const *p, __m256i v)
{
    _mm_storeu_si128((void *)p[0], _mm256_castsi256_si128(v));
    _mm_storeu_si128((void *)p[1], _mm256_extracti128_si256(v, 1));
}

#include "lanes.h"

const runnel_ascon_batch runnel_ascon_batch_avx2 = {
    .name = RUNNEL_TEXT("batch-avx2"),
    .citation = RUNNEL_TEXT("four messages in the lanes of 256-bit registers"),
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = LANES,
    .worth = WORTH,
    .messages = ascon_messages,
};

#endif
