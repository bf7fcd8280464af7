/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Four blocks of 16 bytes in a 512-bit register, for code that is written once for all widths. */
#define VECTOR __m512i
#define LANES 4
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define REPEAT(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(p)))
#define REPEAT_REGISTER(x) _mm512_broadcast_i32x4(x)
#define ONE(x) _mm512_zextsi128_si512(x)
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define ADD32(a, b) _mm512_add_epi32(a, b)
#define CLMUL(a, b, halves) _mm512_clmulepi64_epi128(a, b, halves)
#define SHUFFLE_BYTES(v, order) _mm512_shuffle_epi8(v, order)
#define SWAP_HALVES(v) _mm512_shuffle_epi32(v, _MM_PERM_BADC)
#define ADD_LANES(v) runnel_add_lanes(v)
#define ENC(x, k) _mm512_aesenc_epi128(x, k)
#define LAST(x, k) _mm512_aesenclast_epi128(x, k)
#define CLEAR_UPPER() _mm256_zeroupper()
#define LANE_NUMBERS _mm512_set_epi32(3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)

TARGET RUNNEL_INLINE __m128i runnel_add_lanes(__m512i v)
{
    const __m256i two = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));
}
