/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-1 of sixteen messages, a word of each in the elements of a register: ten instructions a round, of which VPROLD
 * rotates and VPTERNLOGD is each of SHA-1's functions. What SHA-NI waits for in one message is hidden by fifteen others. */
#include "arch/x86/target.h"
#include "macs/hmac_sha_1/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw")

enum { HMAC_SHA_1_LANES = RUNNEL_HMAC_SHA_1_LANES };

/* The words of four lanes in quarters of a register each: word i + 4 k of lane 4 j + l is element l of quarter k of
 * w[4 i + j], before the last step. */
TARGET RUNNEL_INLINE void hmac_sha_1_transpose(__m512i w[16])
{
    __m512i t[16];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 16; i += 4) { /* 4 by 4 words in every quarter */
        const __m512i a = _mm512_unpacklo_epi32(w[i], w[i + 1]), b = _mm512_unpackhi_epi32(w[i], w[i + 1]);
        const __m512i c = _mm512_unpacklo_epi32(w[i + 2], w[i + 3]), d = _mm512_unpackhi_epi32(w[i + 2], w[i + 3]);
        t[i] = _mm512_unpacklo_epi64(a, c);
        t[i + 1] = _mm512_unpackhi_epi64(a, c);
        t[i + 2] = _mm512_unpacklo_epi64(b, d);
        t[i + 3] = _mm512_unpackhi_epi64(b, d);
    }
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) { /* 4 by 4 quarters */
        const __m512i a = _mm512_shuffle_i32x4(t[i], t[i + 4], 0x44), b = _mm512_shuffle_i32x4(t[i], t[i + 4], 0xee);
        const __m512i c = _mm512_shuffle_i32x4(t[i + 8], t[i + 12], 0x44);
        const __m512i d = _mm512_shuffle_i32x4(t[i + 8], t[i + 12], 0xee);
        w[i] = _mm512_shuffle_i32x4(a, c, 0x88);
        w[i + 4] = _mm512_shuffle_i32x4(a, c, 0xdd);
        w[i + 8] = _mm512_shuffle_i32x4(b, d, 0x88);
        w[i + 12] = _mm512_shuffle_i32x4(b, d, 0xdd);
    }
}

/* The tables of VPTERNLOGD. */
enum { HMAC_SHA_1_CHOOSE = 0xca, HMAC_SHA_1_PARITY = 0x96, HMAC_SHA_1_MAJORITY = 0xe8 };

#define ROUND(a, b, c, d, e, function, constant, i)                                                                    \
    do {                                                                                                               \
        if (i >= 16) {                                                                                                 \
            const __m512i x =                                                                                          \
                _mm512_ternarylogic_epi32(w[(i + 13) % 16], w[(i + 8) % 16], w[(i + 2) % 16], HMAC_SHA_1_PARITY);      \
            w[i % 16] = _mm512_rol_epi32(_mm512_xor_si512(w[i % 16], x), 1);                                           \
        }                                                                                                              \
        e = _mm512_add_epi32(e, _mm512_add_epi32(w[i % 16], _mm512_set1_epi32((int)constant)));                        \
        e = _mm512_add_epi32(e, _mm512_ternarylogic_epi32(b, c, d, function));                                         \
        e = _mm512_add_epi32(e, _mm512_rol_epi32(a, 5));                                                               \
        b = _mm512_rol_epi32(b, 30);                                                                                   \
    } while (0)
#define FIVE(function, constant, i)                                                                                    \
    ROUND(a, b, c, d, e, function, constant, i);                                                                       \
    ROUND(e, a, b, c, d, function, constant, (i + 1));                                                                 \
    ROUND(d, e, a, b, c, function, constant, (i + 2));                                                                 \
    ROUND(c, d, e, a, b, function, constant, (i + 3));                                                                 \
    ROUND(b, c, d, e, a, function, constant, (i + 4))
#define TWENTY(function, constant, i)                                                                                  \
    FIVE(function, constant, i);                                                                                       \
    FIVE(function, constant, (i + 5));                                                                                 \
    FIVE(function, constant, (i + 10));                                                                                \
    FIVE(function, constant, (i + 15))

TARGET static void hmac_sha_1_compress(uint32_t states[5][HMAC_SHA_1_LANES],
                                       const uint8_t *const data[HMAC_SHA_1_LANES], size_t nblocks)
{
    const __m512i swap = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    __m512i s[5];
    for (unsigned i = 0; i < 5; i++)
        s[i] = _mm512_loadu_si512(states[i]);
    for (size_t at = 0; nblocks > 0; nblocks--, at += RUNNEL_SHA_1_BLOCK) {
        __m512i a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], w[16];
        RUNNEL_UNROLL
        for (unsigned i = 0; i < 16; i++)
            w[i] = _mm512_shuffle_epi8(_mm512_loadu_si512(data[i] + at), swap);
        hmac_sha_1_transpose(w);
        TWENTY(HMAC_SHA_1_CHOOSE, 0x5a827999, 0);
        TWENTY(HMAC_SHA_1_PARITY, 0x6ed9eba1, 20);
        TWENTY(HMAC_SHA_1_MAJORITY, 0x8f1bbcdc, 40);
        TWENTY(HMAC_SHA_1_PARITY, 0xca62c1d6, 60);
        s[0] = _mm512_add_epi32(s[0], a);
        s[1] = _mm512_add_epi32(s[1], b);
        s[2] = _mm512_add_epi32(s[2], c);
        s[3] = _mm512_add_epi32(s[3], d);
        s[4] = _mm512_add_epi32(s[4], e);
    }
    for (unsigned i = 0; i < 5; i++)
        _mm512_storeu_si512(states[i], s[i]);
}

const runnel_hmac_sha_1_lanes runnel_hmac_sha_1_lanes_avx512 = {
    .cpu = RUNNEL_CPU_AVX512,
    .worth = 6,
    .compress = hmac_sha_1_compress,
};

#endif
