/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two blocks of 16 bytes in a 256-bit register: as blocks_128.h, where each operation is explained. */
#ifndef X86_BLOCKS_256_H
#define X86_BLOCKS_256_H

#include "part_of_block.h"
#include "target.h"

#define LANES 2
enum { VECTOR_BYTES = 16 * LANES };

/* With masks and operations of three operands, where TARGET has these. */
#ifdef VECTOR_AVX512
#define RUNNEL_BLOCKS_256 RUNNEL_TARGET("avx2,avx512f,avx512vl")
#endif

typedef __m256i vector;

typedef uint32_t vector_words __attribute__((vector_size(32)));
typedef uint8_t vector_bytes __attribute__((vector_size(32)));

/* ---- memory ---- */

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_load(const void *p)
{
    return _mm256_loadu_si256(p);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_load_aligned(const void *p)
{
    return _mm256_load_si256(p);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_store(void *p, vector v)
{
    _mm256_storeu_si256(p, v);
}

#ifdef VECTOR_AVX512
RUNNEL_BLOCKS_256 RUNNEL_INLINE vector vector_load_blocks(const void *p, size_t n)
{
    return _mm256_maskz_loadu_epi64((__mmask8)((1u << 2 * n) - 1), p);
}

RUNNEL_BLOCKS_256 RUNNEL_INLINE void vector_store_blocks(void *p, vector v, size_t n)
{
    _mm256_mask_storeu_epi64(p, (__mmask8)((1u << 2 * n) - 1), v);
}
#else
RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_load_blocks(const void *p, size_t n)
{
    return n == 2 ? vector_load(p) : _mm256_zextsi128_si256(_mm_loadu_si128(p));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_store_blocks(void *p, vector v, size_t n)
{
    if (n == 2)
        vector_store(p, v);
    else
        _mm_storeu_si128(p, _mm256_castsi256_si128(v));
}
#endif

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_load_up_to(const void *p, size_t n)
{
    if (n == 0)
        return _mm256_setzero_si256();
    return n == 1 ? _mm256_zextsi128_si256(_mm_loadu_si128(p)) : vector_load(p);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_store_up_to(void *p, vector v, size_t n)
{
    if (n == 1)
        _mm_storeu_si128(p, _mm256_castsi256_si128(v));
    else if (n > 0)
        vector_store(p, v);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_load_halves(const void *p, size_t n)
{
    if (n == 4)
        return vector_load(p);
    const __m128i low = n == 1 ? _mm_loadl_epi64(p) : _mm_loadu_si128(p);
    const __m128i high = n == 3 ? _mm_loadl_epi64((const void *)((const uint8_t *)p + 16)) : _mm_setzero_si128();
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_store_halves(void *p, vector v, size_t n)
{
    const __m128i low = _mm256_castsi256_si128(v);
    if (n == 4) {
        vector_store(p, v);
    } else if (n == 1) {
        _mm_storel_epi64(p, low);
    } else {
        _mm_storeu_si128(p, low);
        if (n == 3)
            _mm_storel_epi64((void *)((uint8_t *)p + 16), _mm256_extracti128_si256(v, 1));
    }
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_load_bytes(const uint8_t *p, size_t n)
{
    if (n == 32)
        return vector_load(p);
    if (n <= 16)
        return _mm256_zextsi128_si256(runnel_load_part_of_block(p, n));
    const __m128i low = _mm_loadu_si128((const void *)p), high = runnel_load_part_of_block(p + 16, n - 16);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_store_bytes(uint8_t *p, vector v, size_t n)
{
    const __m128i low = _mm256_castsi256_si128(v);
    if (n == 32) {
        vector_store(p, v);
    } else if (n <= 16) {
        runnel_store_part_of_block(p, low, n);
    } else {
        _mm_storeu_si128((void *)p, low);
        runnel_store_part_of_block(p + 16, _mm256_extracti128_si256(v, 1), n - 16);
    }
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_keep_bytes(vector v, size_t n)
{
    static const uint64_t kept[8] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    return _mm256_and_si256(v, vector_load((const uint8_t *)kept + 32 - n));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_gather(const uint8_t *const *from, size_t offset)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)(from[0] + offset))),
                                   _mm_loadu_si128((const void *)(from[1] + offset)), 1);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_scatter(uint8_t *const *to, size_t offset, vector v)
{
    _mm_storeu_si128((void *)(to[0] + offset), _mm256_castsi256_si128(v));
    _mm_storeu_si128((void *)(to[1] + offset), _mm256_extracti128_si256(v, 1));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_scatter_upper_halves(uint8_t *const *to, size_t offset, vector v)
{
    _mm_storeh_pd((void *)(to[0] + offset), _mm_castsi128_pd(_mm256_castsi256_si128(v)));
    _mm_storeh_pd((void *)(to[1] + offset), _mm_castsi128_pd(_mm256_extracti128_si256(v, 1)));
}

/* ---- lanes ---- */

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_repeat(__m128i block)
{
    return _mm256_broadcastsi128_si256(block);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_repeat_at(const void *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(p));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_first(__m128i block)
{
    return _mm256_zextsi128_si256(block);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE __m128i vector_block(vector v, size_t number)
{
    return number == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE __m128i vector_half_block(vector v, size_t number)
{
    const vector places =
        _mm256_add_epi32(_mm256_set1_epi32(2 * (int)number), _mm256_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1));
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(v, places));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE __m128i vector_sum_lanes(vector v)
{
    return _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_lane_numbers(void)
{
    return _mm256_set_epi32(1, 0, 0, 0, 0, 0, 0, 0);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_low_lane_numbers(void)
{
    return _mm256_set_epi64x(0, 1, 0, 0);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_zero(void)
{
    return _mm256_setzero_si256();
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_repeat_byte(uint8_t byte)
{
    return _mm256_set1_epi8((char)byte);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_repeat_long(uint64_t number)
{
    return _mm256_set1_epi64x((long long)number);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_repeat_word(uint32_t word)
{
    return _mm256_set1_epi32((int)word);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_word_numbers(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_transposed_numbers(void)
{
    return _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_transposed_byte_numbers(void)
{
    return _mm256_set_epi64x(0x1f1d1b1917151311, 0x0f0d0b0907050301, 0x1e1c1a1816141210, 0x0e0c0a0806040200);
}

/* ---- in each lane ---- */

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_xor(vector a, vector b)
{
    return _mm256_xor_si256(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_and(vector a, vector b)
{
    return _mm256_and_si256(a, b);
}

#ifdef VECTOR_AVX512
RUNNEL_BLOCKS_256 RUNNEL_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return _mm256_ternarylogic_epi32(a, b, c, 0x96);
}

/* a ^ (b & c) */
RUNNEL_BLOCKS_256 RUNNEL_INLINE vector vector_xor_and(vector a, vector b, vector c)
{
    return _mm256_ternarylogic_epi32(a, b, c, 0x78);
}
#else
RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return vector_xor(vector_xor(a, b), c);
}
#endif

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_add8(vector a, vector b)
{
    return _mm256_add_epi8(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_add32(vector a, vector b)
{
    return _mm256_add_epi32(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_add64(vector a, vector b)
{
    return _mm256_add_epi64(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_greater8(vector a, vector b)
{
    return _mm256_cmpgt_epi8(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_look_up(vector table, vector places)
{
    return _mm256_shuffle_epi8(table, places);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_shuffle_bytes(vector v, __m128i order)
{
    return _mm256_shuffle_epi8(v, vector_repeat(order));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_swap_halves(vector v)
{
    return _mm256_shuffle_epi32(v, 0x4e);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_turn_words(vector v, const int first)
{
    return first == 1   ? _mm256_shuffle_epi32(v, 0x39)
           : first == 2 ? vector_swap_halves(v)
                        : _mm256_shuffle_epi32(v, 0x93);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_low8(vector a, vector b)
{
    return _mm256_unpacklo_epi8(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_high8(vector a, vector b)
{
    return _mm256_unpackhi_epi8(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_low16(vector a, vector b)
{
    return _mm256_unpacklo_epi16(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_high16(vector a, vector b)
{
    return _mm256_unpackhi_epi16(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_low32(vector a, vector b)
{
    return _mm256_unpacklo_epi32(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_high32(vector a, vector b)
{
    return _mm256_unpackhi_epi32(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_low64(vector a, vector b)
{
    return _mm256_unpacklo_epi64(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_unpack_high64(vector a, vector b)
{
    return _mm256_unpackhi_epi64(a, b);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_shift_word(vector v)
{
    return _mm256_bslli_epi128(v, 4);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_shift_two_words(vector v)
{
    return _mm256_bslli_epi128(v, 8);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_word_2_to_3(vector v)
{
    return vector_and(_mm256_bslli_epi128(v, 4), vector_repeat(_mm_set_epi32(-1, 0, 0, 0)));
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_repeat_word_3(vector v)
{
    return _mm256_shuffle_epi32(v, 0xff);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_shift_right16(vector v, const int n)
{
    return _mm256_srli_epi16(v, n);
}

RUNNEL_TARGET("avx2") RUNNEL_INLINE vector vector_blend(vector a, vector b, vector mask)
{
    return _mm256_blendv_epi8(a, b, mask);
}

/* ---- AES ---- */

RUNNEL_TARGET("avx2,aes,vaes") RUNNEL_INLINE vector vector_aes_round(vector x, vector key)
{
    return _mm256_aesenc_epi128(x, key);
}

RUNNEL_TARGET("avx2,aes,vaes") RUNNEL_INLINE vector vector_aes_last_round(vector x, vector key)
{
    return _mm256_aesenclast_epi128(x, key);
}

RUNNEL_TARGET("avx2,aes,vaes") RUNNEL_INLINE vector vector_aes_last_inverse_round(vector x, vector key)
{
    return _mm256_aesdeclast_epi128(x, key);
}

/* ---- bytes as vectors of bits ---- */

#define VECTOR_AFFINE(x, matrix, constant) _mm256_gf2p8affine_epi64_epi8(x, matrix, constant)
#define VECTOR_AFFINE_INVERSE(x, matrix, constant) _mm256_gf2p8affineinv_epi64_epi8(x, matrix, constant)

/* ---- carry-less products ---- */

RUNNEL_TARGET("avx2,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_low_low(vector a, vector b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x00);
}

RUNNEL_TARGET("avx2,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_high_low(vector a, vector b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x01);
}

RUNNEL_TARGET("avx2,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_low_high(vector a, vector b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x10);
}

RUNNEL_TARGET("avx2,pclmul,vpclmulqdq") RUNNEL_INLINE vector vector_multiply_high_high(vector a, vector b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x11);
}

/* Compilers do this themselves, but gcc 12 misses some exits of a function with 512-bit registers. */
RUNNEL_TARGET("avx2") RUNNEL_INLINE void vector_clear_upper(void)
{
    _mm256_zeroupper();
}

#endif
