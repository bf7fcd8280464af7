/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two blocks of 16 bytes in a 256-bit register, for code that is written once for all widths. */
#define VECTOR __m256i
#define LANES 2
#define LOAD(p) _mm256_loadu_si256((const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)
#define REPEAT(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(p)))
#define REPEAT_REGISTER(x) _mm256_broadcastsi128_si256(x)
#define ONE(x) _mm256_zextsi128_si256(x)
#define XOR(a, b) _mm256_xor_si256(a, b)
#define XOR3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define ADD32(a, b) _mm256_add_epi32(a, b)
#define CLMUL(a, b, halves) _mm256_clmulepi64_epi128(a, b, halves)
#define SHUFFLE_BYTES(v, order) _mm256_shuffle_epi8(v, order)
#define SWAP_HALVES(v) _mm256_shuffle_epi32(v, 0x4e)
#define ADD_LANES(v) _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1))
#define ENC(x, k) _mm256_aesenc_epi128(x, k)
#define LAST(x, k) _mm256_aesenclast_epi128(x, k)
#define CLEAR_UPPER() _mm256_zeroupper()
#define LANE_NUMBERS _mm256_set_epi32(1, 0, 0, 0, 0, 0, 0, 0)
