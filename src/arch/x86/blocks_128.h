/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A block of 16 bytes in a 128-bit register, `vector`, and its operations, under the names that blocks_256.h and
 * blocks_512.h have too: code that includes one of the three is written once for all widths. Functions, not the operators
 * of C: their result has another type, and gcc copies registers where such types meet. */
#ifndef X86_BLOCKS_128_H
#define X86_BLOCKS_128_H

#include "part_of_block.h"
#include "target.h"

#define LANES 1 /* blocks in a vector */
enum { VECTOR_BYTES = 16 * LANES };

typedef __m128i vector;

/* With the operators of C. A kernel that keeps its state in these is not to keep it in `vector` too. */
typedef uint32_t vector_words __attribute__((vector_size(16)));
typedef uint8_t vector_bytes __attribute__((vector_size(16)));

/* ---- memory ---- */

RUNNEL_INLINE vector vector_load(const void *p)
{
    return _mm_loadu_si128(p);
}

/* From a place on a multiple of a vector's bytes, which saves SSE a load. */
RUNNEL_INLINE vector vector_load_aligned(const void *p)
{
    return _mm_load_si128(p);
}

RUNNEL_INLINE void vector_store(void *p, vector v)
{
    _mm_storeu_si128(p, v);
}

/* 1 to LANES blocks and not a byte more. */
RUNNEL_INLINE vector vector_load_blocks(const void *p, size_t n)
{
    (void)n;
    return vector_load(p);
}

RUNNEL_INLINE void vector_store_blocks(void *p, vector v, size_t n)
{
    (void)n;
    vector_store(p, v);
}

/* 0 to LANES blocks; where there is none, zeros. */
RUNNEL_INLINE vector vector_load_up_to(const void *p, size_t n)
{
    return n == 0 ? _mm_setzero_si128() : vector_load(p);
}

RUNNEL_INLINE void vector_store_up_to(void *p, vector v, size_t n)
{
    if (n > 0)
        vector_store(p, v);
}

/* 1 to 2 * LANES halves of blocks and not a byte more. */
RUNNEL_INLINE vector vector_load_halves(const void *p, size_t n)
{
    return n == 1 ? _mm_loadl_epi64(p) : _mm_loadu_si128(p);
}

RUNNEL_INLINE void vector_store_halves(void *p, vector v, size_t n)
{
    if (n == 1)
        _mm_storel_epi64(p, v);
    else
        _mm_storeu_si128(p, v);
}

/* 1 to VECTOR_BYTES bytes and not one more, with zeros behind them. */
RUNNEL_INLINE vector vector_load_bytes(const uint8_t *p, size_t n)
{
    return runnel_load_part_of_block(p, n);
}

RUNNEL_INLINE void vector_store_bytes(uint8_t *p, vector v, size_t n)
{
    runnel_store_part_of_block(p, v, n);
}

RUNNEL_INLINE vector vector_keep_bytes(vector v, size_t n)
{
    static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    return _mm_and_si128(v, _mm_loadu_si128((const void *)(kept + 16 - n)));
}

/* A block from each of LANES places, or to them. */
RUNNEL_INLINE vector vector_gather(const uint8_t *const *from, size_t offset)
{
    return vector_load(from[0] + offset);
}

RUNNEL_INLINE void vector_scatter(uint8_t *const *to, size_t offset, vector v)
{
    vector_store(to[0] + offset, v);
}

/* The upper half of each block. */
RUNNEL_INLINE void vector_scatter_upper_halves(uint8_t *const *to, size_t offset, vector v)
{
    _mm_storeh_pd((void *)(to[0] + offset), _mm_castsi128_pd(v));
}

/* ---- lanes ---- */

/* The same block in every lane. */
RUNNEL_INLINE vector vector_repeat(__m128i block)
{
    return block;
}

RUNNEL_INLINE vector vector_repeat_at(const void *p)
{
    return _mm_loadu_si128(p);
}

/* A block in the first lane, zeros in the others. */
RUNNEL_INLINE vector vector_first(__m128i block)
{
    return block;
}

RUNNEL_INLINE __m128i vector_block(vector v, size_t number)
{
    (void)number;
    return v;
}

/* One half of a block, in the lower half of the result. */
RUNNEL_INLINE __m128i vector_half_block(vector v, size_t number)
{
    return number == 0 ? v : _mm_unpackhi_epi64(v, v);
}

RUNNEL_INLINE __m128i vector_sum_lanes(vector v)
{
    return v;
}

/* Each lane's number, in its last word. */
RUNNEL_INLINE vector vector_lane_numbers(void)
{
    return _mm_setzero_si128();
}

/* In its lower half. */
RUNNEL_INLINE vector vector_low_lane_numbers(void)
{
    return _mm_setzero_si128();
}

RUNNEL_INLINE vector vector_zero(void)
{
    return _mm_setzero_si128();
}

RUNNEL_INLINE vector vector_repeat_byte(uint8_t byte)
{
    return _mm_set1_epi8((char)byte);
}

RUNNEL_INLINE vector vector_repeat_long(uint64_t number)
{
    return _mm_set1_epi64x((long long)number);
}

RUNNEL_INLINE vector vector_repeat_word(uint32_t word)
{
    return _mm_set1_epi32((int)word);
}

/* Each word's number, and what it is where words_transpose_vectors has made words of four vectors of blocks. */
RUNNEL_INLINE vector vector_word_numbers(void)
{
    return _mm_setr_epi32(0, 1, 2, 3);
}

RUNNEL_INLINE vector vector_transposed_numbers(void)
{
    return _mm_setr_epi32(0, 1, 2, 3);
}

/* The number of the block whose byte is at each place where sixteen vectors of blocks are transposed, byte by byte in
 * each lane. */
RUNNEL_INLINE vector vector_transposed_byte_numbers(void)
{
    return _mm_set_epi64x(0x0f0e0d0c0b0a0908, 0x0706050403020100);
}

/* ---- in each lane ---- */

RUNNEL_INLINE vector vector_xor(vector a, vector b)
{
    return _mm_xor_si128(a, b);
}

RUNNEL_INLINE vector vector_and(vector a, vector b)
{
    return _mm_and_si128(a, b);
}

/* With masks and operations of three operands, where TARGET has these. */
#ifdef VECTOR_AVX512
#define RUNNEL_BLOCKS_128 RUNNEL_TARGET("avx2,avx512f,avx512vl")

RUNNEL_BLOCKS_128 RUNNEL_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return _mm_ternarylogic_epi32(a, b, c, 0x96);
}
#else
RUNNEL_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return _mm_xor_si128(_mm_xor_si128(a, b), c);
}
#endif

RUNNEL_INLINE vector vector_add8(vector a, vector b)
{
    return _mm_add_epi8(a, b);
}

RUNNEL_INLINE vector vector_add32(vector a, vector b)
{
    return _mm_add_epi32(a, b);
}

RUNNEL_INLINE vector vector_add64(vector a, vector b)
{
    return _mm_add_epi64(a, b);
}

/* All bits of the bytes of a that are greater than those of b; both are -128 to 127. */
RUNNEL_INLINE vector vector_greater8(vector a, vector b)
{
    return _mm_cmpgt_epi8(a, b);
}

/* The bytes of each block of table at these places; zero where the place's top bit is set. */
RUNNEL_TARGET("ssse3") RUNNEL_INLINE vector vector_look_up(vector table, vector places)
{
    return _mm_shuffle_epi8(table, places);
}

RUNNEL_TARGET("ssse3") RUNNEL_INLINE vector vector_shuffle_bytes(vector v, __m128i order)
{
    return _mm_shuffle_epi8(v, order);
}

RUNNEL_INLINE vector vector_swap_halves(vector v)
{
    return _mm_shuffle_epi32(v, 0x4e);
}

/* Words turn, such that number `first`, a constant, comes first. */
RUNNEL_INLINE vector vector_turn_words(vector v, const int first)
{
    return first == 1 ? _mm_shuffle_epi32(v, 0x39) : first == 2 ? vector_swap_halves(v) : _mm_shuffle_epi32(v, 0x93);
}

/* Elements of the lower halves of a and b by turns, and of the upper ones. */
RUNNEL_INLINE vector vector_unpack_low8(vector a, vector b)
{
    return _mm_unpacklo_epi8(a, b);
}

RUNNEL_INLINE vector vector_unpack_high8(vector a, vector b)
{
    return _mm_unpackhi_epi8(a, b);
}

RUNNEL_INLINE vector vector_unpack_low16(vector a, vector b)
{
    return _mm_unpacklo_epi16(a, b);
}

RUNNEL_INLINE vector vector_unpack_high16(vector a, vector b)
{
    return _mm_unpackhi_epi16(a, b);
}

RUNNEL_INLINE vector vector_unpack_low32(vector a, vector b)
{
    return _mm_unpacklo_epi32(a, b);
}

RUNNEL_INLINE vector vector_unpack_high32(vector a, vector b)
{
    return _mm_unpackhi_epi32(a, b);
}

RUNNEL_INLINE vector vector_unpack_low64(vector a, vector b)
{
    return _mm_unpacklo_epi64(a, b);
}

RUNNEL_INLINE vector vector_unpack_high64(vector a, vector b)
{
    return _mm_unpackhi_epi64(a, b);
}

/* Words move up, and zeros in below. */
RUNNEL_INLINE vector vector_shift_word(vector v)
{
    return _mm_slli_si128(v, 4);
}

RUNNEL_INLINE vector vector_shift_two_words(vector v)
{
    return _mm_slli_si128(v, 8);
}

/* Word 2 in the place of word 3, and zeros elsewhere. */
RUNNEL_INLINE vector vector_word_2_to_3(vector v)
{
    return _mm_and_si128(_mm_slli_si128(v, 4), _mm_set_epi32(-1, 0, 0, 0));
}

RUNNEL_INLINE vector vector_repeat_word_3(vector v)
{
    return _mm_shuffle_epi32(v, 0xff);
}

/* 16-bit elements. */
RUNNEL_INLINE vector vector_shift_right16(vector v, const int n)
{
    return _mm_srli_epi16(v, n);
}

/* Of b the bytes whose top bit is set in mask, of a the others. */
RUNNEL_TARGET("sse4.1") RUNNEL_INLINE vector vector_blend(vector a, vector b, vector mask)
{
    return _mm_blendv_epi8(a, b, mask);
}

/* ---- AES ---- */

RUNNEL_TARGET("aes") RUNNEL_INLINE vector vector_aes_round(vector x, vector key)
{
    return _mm_aesenc_si128(x, key);
}

RUNNEL_TARGET("aes") RUNNEL_INLINE vector vector_aes_last_round(vector x, vector key)
{
    return _mm_aesenclast_si128(x, key);
}

RUNNEL_TARGET("aes") RUNNEL_INLINE vector vector_aes_last_inverse_round(vector x, vector key)
{
    return _mm_aesdeclast_si128(x, key);
}

/* ---- bytes as vectors of bits, by GFNI: a matrix of 8 x 8 bits, its rows from the last on, times each byte ---- */

/* And a constant, or of the byte's inverse in the field of AES. Macros because the instruction has the constant in it. */
#define VECTOR_AFFINE(x, matrix, constant) _mm_gf2p8affine_epi64_epi8(x, matrix, constant)
#define VECTOR_AFFINE_INVERSE(x, matrix, constant) _mm_gf2p8affineinv_epi64_epi8(x, matrix, constant)

RUNNEL_TARGET("avx512f,avx512vl,gfni") RUNNEL_INLINE vector vector_multiply_bits(vector x, vector matrix)
{
    return _mm_gf2p8affine_epi64_epi8(x, matrix, 0);
}

/* ---- carry-less products of a half of a and a half of b ---- */

RUNNEL_TARGET("pclmul") RUNNEL_INLINE vector vector_multiply_low_low(vector a, vector b)
{
    return _mm_clmulepi64_si128(a, b, 0x00);
}

RUNNEL_TARGET("pclmul") RUNNEL_INLINE vector vector_multiply_high_low(vector a, vector b)
{
    return _mm_clmulepi64_si128(a, b, 0x01);
}

RUNNEL_TARGET("pclmul") RUNNEL_INLINE vector vector_multiply_low_high(vector a, vector b)
{
    return _mm_clmulepi64_si128(a, b, 0x10);
}

RUNNEL_TARGET("pclmul") RUNNEL_INLINE vector vector_multiply_high_high(vector a, vector b)
{
    return _mm_clmulepi64_si128(a, b, 0x11);
}

/* Where the registers' upper halves are used, before a return. */
RUNNEL_INLINE void vector_clear_upper(void)
{
}

#endif
