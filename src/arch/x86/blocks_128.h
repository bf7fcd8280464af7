/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A block of 16 bytes in a 128-bit register, for code that is written once for all widths. */
#define VECTOR __m128i
#define LANES 1
#define LOAD(p) _mm_loadu_si128((const void *)(p))
#define STORE(p, v) _mm_storeu_si128((void *)(p), v)
#define REPEAT(p) LOAD(p)
#define REPEAT_REGISTER(x) (x)
#define ONE(x) (x)
#define XOR(a, b) _mm_xor_si128(a, b)
#define XOR3(a, b, c) _mm_xor_si128(_mm_xor_si128(a, b), c)
#define ADD32(a, b) _mm_add_epi32(a, b)
#define CLMUL(a, b, halves) _mm_clmulepi64_si128(a, b, halves)
#define SHUFFLE_BYTES(v, order) _mm_shuffle_epi8(v, order)
#define SWAP_HALVES(v) _mm_shuffle_epi32(v, 0x4e)
#define ADD_LANES(v) (v)
#define ENC(x, k) _mm_aesenc_si128(x, k)
#define LAST(x, k) _mm_aesenclast_si128(x, k)
#define CLEAR_UPPER() ((void)0)
#define LANE_NUMBERS _mm_setzero_si128()
