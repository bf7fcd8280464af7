/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* lanes.h on 256-bit registers, eight messages: with what is alike for AVX2 and AVX-512. To be defined before: TARGET, XOR3,
 * CHOOSING, MAJORITY_OF and ROTATING. */
#define VECTOR __m256i
#define LANES 8
#define LOAD(p) _mm256_load_si256((const void *)(p))
#define STORE(p, v) _mm256_store_si256((void *)(p), v)
#define ADD(a, b) _mm256_add_epi32(a, b)
#define SHIFT(v, n) _mm256_srli_epi32(v, n)
#define REPEAT(word) _mm256_set1_epi32((int)(word))
#define SWAP(v)                                                                                                        \
    _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203)))
#define UNPACK_LOW(a, b) _mm256_unpacklo_epi32(a, b)
#define UNPACK_HIGH(a, b) _mm256_unpackhi_epi32(a, b)
#define UNPACK_LOW_64(a, b) _mm256_unpacklo_epi64(a, b)
#define UNPACK_HIGH_64(a, b) _mm256_unpackhi_epi64(a, b)
#define SIXTEEN_BYTES(p) _mm_loadu_si128((const void *)(p))
#define FOUR(p, at)                                                                                                    \
    _mm256_inserti128_si256(_mm256_castsi128_si256(SIXTEEN_BYTES((p)[0] + (at))), SIXTEEN_BYTES((p)[4] + (at)), 1)

#include "lanes.h"
