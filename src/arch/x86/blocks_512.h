/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Four blocks of 16 bytes in a 512-bit register: as blocks_128.h, where each operation is explained, and more that only
 * these registers have. */
#ifndef X86_BLOCKS_512_H
#define X86_BLOCKS_512_H

#include "target.h"

#define LANES 4
enum { VECTOR_BYTES = 16 * LANES };
#define VECTOR_AVX512
#define RUNNEL_BLOCKS_512 RUNNEL_TARGET("avx2,avx512f,avx512bw,avx512dq,avx512vl")

typedef __m512i vector;

typedef uint32_t vector_words __attribute__((vector_size(64)));
typedef uint8_t vector_bytes __attribute__((vector_size(64)));

/* ---- memory ---- */

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_load(const void *p)
{
    return _mm512_loadu_si512(p);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_load_aligned(const void *p)
{
    return _mm512_load_si512(p);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_store(void *p, vector v)
{
    _mm512_storeu_si512(p, v);
}

/* To an aligned place, past the caches. */
RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_stream(void *p, vector v)
{
    _mm512_stream_si512(p, v);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_load_blocks(const void *p, size_t n)
{
    return _mm512_maskz_loadu_epi64((__mmask8)((1u << 2 * n) - 1), p);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_store_blocks(void *p, vector v, size_t n)
{
    _mm512_mask_storeu_epi64(p, (__mmask8)((1u << 2 * n) - 1), v);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_load_up_to(const void *p, size_t n)
{
    return vector_load_blocks(p, n);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_store_up_to(void *p, vector v, size_t n)
{
    vector_store_blocks(p, v, n);
}

/* 1 to 64 bytes and not one more. */
RUNNEL_INLINE __mmask64 vector_mask(size_t bytes)
{
    return UINT64_MAX >> (64 - bytes);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_load_bytes(const void *p, size_t n)
{
    return _mm512_maskz_loadu_epi8(vector_mask(n), p);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_store_bytes(void *p, vector v, size_t n)
{
    _mm512_mask_storeu_epi8(p, vector_mask(n), v);
}

/* Zeros behind them. */
RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_keep_bytes(vector v, size_t n)
{
    return _mm512_maskz_mov_epi8(vector_mask(n), v);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_load_halves(const void *p, size_t n)
{
    return _mm512_maskz_loadu_epi64((__mmask8)((1u << n) - 1), p);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_store_halves(void *p, vector v, size_t n)
{
    _mm512_mask_storeu_epi64(p, (__mmask8)((1u << n) - 1), v);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_gather(const uint8_t *const *from, size_t offset)
{
    const __m256i low =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)(from[0] + offset))),
                                _mm_loadu_si128((const void *)(from[1] + offset)), 1);
    const __m256i high =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)(from[2] + offset))),
                                _mm_loadu_si128((const void *)(from[3] + offset)), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_scatter(uint8_t *const *to, size_t offset, vector v)
{
    _mm_storeu_si128((void *)(to[0] + offset), _mm512_castsi512_si128(v));
    _mm_storeu_si128((void *)(to[1] + offset), _mm512_extracti32x4_epi32(v, 1));
    _mm_storeu_si128((void *)(to[2] + offset), _mm512_extracti32x4_epi32(v, 2));
    _mm_storeu_si128((void *)(to[3] + offset), _mm512_extracti32x4_epi32(v, 3));
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_scatter_upper_halves(uint8_t *const *to, size_t offset, vector v)
{
    _mm_storeh_pd((void *)(to[0] + offset), _mm_castsi128_pd(_mm512_castsi512_si128(v)));
    _mm_storeh_pd((void *)(to[1] + offset), _mm_castsi128_pd(_mm512_extracti32x4_epi32(v, 1)));
    _mm_storeh_pd((void *)(to[2] + offset), _mm_castsi128_pd(_mm512_extracti32x4_epi32(v, 2)));
    _mm_storeh_pd((void *)(to[3] + offset), _mm_castsi128_pd(_mm512_extracti32x4_epi32(v, 3)));
}

/* ---- lanes ---- */

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_repeat(__m128i block)
{
    return _mm512_broadcast_i32x4(block);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_repeat_at(const void *p)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128(p));
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_first(__m128i block)
{
    return _mm512_zextsi128_si512(block);
}

/* `number` need not be a constant. */
RUNNEL_BLOCKS_512 RUNNEL_INLINE __m128i vector_block(vector v, size_t number)
{
    const long long half = (long long)(2 * number);
    const vector places = _mm512_castsi128_si512(_mm_set_epi64x(half + 1, half));
    return _mm512_castsi512_si128(_mm512_permutexvar_epi64(places, v));
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE __m128i vector_half_block(vector v, size_t number)
{
    return _mm512_castsi512_si128(_mm512_permutexvar_epi64(_mm512_set1_epi64((long long)number), v));
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE __m128i vector_sum_lanes(vector v)
{
    const __m256i two = _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1));
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_lane_numbers(void)
{
    return _mm512_set_epi32(3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_low_lane_numbers(void)
{
    return _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_zero(void)
{
    return _mm512_setzero_si512();
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_repeat_byte(uint8_t byte)
{
    return _mm512_set1_epi8((char)byte);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_repeat_long(uint64_t number)
{
    return _mm512_set1_epi64((long long)number);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_repeat_word(uint32_t word)
{
    return _mm512_set1_epi32((int)word);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_word_numbers(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_transposed_numbers(void)
{
    return _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_transposed_byte_numbers(void)
{
    return _mm512_set_epi64(0x3f3b37332f2b2723, 0x1f1b17130f0b0703, 0x3e3a36322e2a2622, 0x1e1a16120e0a0602,
                            0x3d3935312d292521, 0x1d1915110d090501, 0x3c3834302c282420, 0x1c1814100c080400);
}

/* ---- in each lane ---- */

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_xor(vector a, vector b)
{
    return _mm512_xor_si512(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_and(vector a, vector b)
{
    return _mm512_and_si512(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_xor_and(vector a, vector b, vector c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0x78);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_add8(vector a, vector b)
{
    return _mm512_add_epi8(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_add32(vector a, vector b)
{
    return _mm512_add_epi32(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_add64(vector a, vector b)
{
    return _mm512_add_epi64(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_greater8(vector a, vector b)
{
    return _mm512_movm_epi8(_mm512_cmpgt_epi8_mask(a, b));
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_look_up(vector table, vector places)
{
    return _mm512_shuffle_epi8(table, places);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_shuffle_bytes(vector v, __m128i order)
{
    return _mm512_shuffle_epi8(v, vector_repeat(order));
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_swap_halves(vector v)
{
    return _mm512_shuffle_epi32(v, _MM_PERM_BADC);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_turn_words(vector v, const int first)
{
    return first == 1   ? _mm512_shuffle_epi32(v, _MM_PERM_ADCB)
           : first == 2 ? vector_swap_halves(v)
                        : _mm512_shuffle_epi32(v, _MM_PERM_CBAD);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_low8(vector a, vector b)
{
    return _mm512_unpacklo_epi8(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_high8(vector a, vector b)
{
    return _mm512_unpackhi_epi8(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_low16(vector a, vector b)
{
    return _mm512_unpacklo_epi16(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_high16(vector a, vector b)
{
    return _mm512_unpackhi_epi16(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_low32(vector a, vector b)
{
    return _mm512_unpacklo_epi32(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_high32(vector a, vector b)
{
    return _mm512_unpackhi_epi32(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_low64(vector a, vector b)
{
    return _mm512_unpacklo_epi64(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_unpack_high64(vector a, vector b)
{
    return _mm512_unpackhi_epi64(a, b);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_shift_word(vector v)
{
    return _mm512_bslli_epi128(v, 4);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_shift_two_words(vector v)
{
    return _mm512_bslli_epi128(v, 8);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_word_2_to_3(vector v)
{
    return _mm512_maskz_shuffle_epi32(0x8888, v, _MM_PERM_CCCC);
}

RUNNEL_BLOCKS_512 RUNNEL_INLINE vector vector_repeat_word_3(vector v)
{
    return _mm512_shuffle_epi32(v, _MM_PERM_DDDD);
}

/* ---- AES ---- */

RUNNEL_TARGET("avx512f,aes,vaes") RUNNEL_INLINE vector vector_aes_round(vector x, vector key)
{
    return _mm512_aesenc_epi128(x, key);
}

RUNNEL_TARGET("avx512f,aes,vaes") RUNNEL_INLINE vector vector_aes_last_round(vector x, vector key)
{
    return _mm512_aesenclast_epi128(x, key);
}

RUNNEL_TARGET("avx512f,aes,vaes") RUNNEL_INLINE vector vector_aes_last_inverse_round(vector x, vector key)
{
    return _mm512_aesdeclast_epi128(x, key);
}

/* ---- bytes as vectors of bits ---- */

#define VECTOR_AFFINE(x, matrix, constant) _mm512_gf2p8affine_epi64_epi8(x, matrix, constant)
#define VECTOR_AFFINE_INVERSE(x, matrix, constant) _mm512_gf2p8affineinv_epi64_epi8(x, matrix, constant)

RUNNEL_TARGET("avx512f,avx512bw,gfni") RUNNEL_INLINE vector vector_multiply_bits(vector x, vector matrix)
{
    return _mm512_gf2p8affine_epi64_epi8(x, matrix, 0);
}

/* ---- carry-less products ---- */

RUNNEL_TARGET("avx512f,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_low_low(vector a, vector b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x00);
}

RUNNEL_TARGET("avx512f,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_high_low(vector a, vector b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x01);
}

RUNNEL_TARGET("avx512f,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_low_high(vector a, vector b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x10);
}

RUNNEL_TARGET("avx512f,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_high_high(vector a, vector b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x11);
}

/* As in blocks_256.h. */
RUNNEL_BLOCKS_512 RUNNEL_INLINE void vector_clear_upper(void)
{
    _mm256_zeroupper();
}

#endif
