/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Py in constant time, with look-ups by permutations of registers. P and the internal permutation are bytes: they are
 * looked up as the words that have them, two permutations for 64 words, and the byte is shifted out. P and Y are
 * written by whole registers, as they are read, since a load of what was just stored in parts would wait. */
#include "historic/py/kernels.h"

#include "arch/x86/lookup_512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_LOOKUP_512

static const RUNNEL_LINE_ALIGNED uint8_t py_first_numbers[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

TARGET RUNNEL_INLINE __m512i py_one_index(uint32_t index)
{
    return _mm512_castsi128_si512(_mm_cvtsi32_si128((int)index));
}

TARGET RUNNEL_INLINE uint32_t py_first_of(__m512i found)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(found));
}

/* Entry i of 256 bytes, 64 in each of four registers. */
TARGET RUNNEL_INLINE uint8_t py_byte_of(const __m512i bytes[4], uint8_t i)
{
    const __m512i index = py_one_index(i >> 2);
    const __m512i found =
        _mm512_mask_blend_epi32(runnel_index_bit(index, 5), _mm512_permutex2var_epi32(bytes[0], index, bytes[1]),
                                _mm512_permutex2var_epi32(bytes[2], index, bytes[3]));
    return (uint8_t)(py_first_of(found) >> 8 * (i & 3));
}

TARGET RUNNEL_INLINE void py_load_bytes(__m512i bytes[4], const uint8_t *p)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = _mm512_loadu_si512(p + 64 * i);
}

TARGET RUNNEL_INLINE uint8_t py_byte(const uint8_t *p, uint8_t i)
{
    __m512i bytes[4];
    py_load_bytes(bytes, p);
    return py_byte_of(bytes, i);
}

TARGET RUNNEL_INLINE uint8_t py_permuted(uint8_t i)
{
    return py_byte(runnel_py_permutation, i);
}

TARGET RUNNEL_INLINE void py_exchange(uint8_t *p, uint8_t i, uint8_t j)
{
    __m512i bytes[4];
    py_load_bytes(bytes, p);
    const __m512i at_i = _mm512_set1_epi8((char)p[i]), at_j = _mm512_set1_epi8((char)py_byte_of(bytes, j));
    const __m512i is_i = _mm512_set1_epi8((char)i), is_j = _mm512_set1_epi8((char)j);
    __m512i numbers = _mm512_load_si512(py_first_numbers);
    RUNNEL_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        const __m512i without_j = _mm512_mask_mov_epi8(bytes[k], _mm512_cmpeq_epi8_mask(numbers, is_j), at_i);
        _mm512_storeu_si512(p + 64 * k, _mm512_mask_mov_epi8(without_j, _mm512_cmpeq_epi8_mask(numbers, is_i), at_j));
        numbers = _mm512_add_epi8(numbers, _mm512_set1_epi8(64));
    }
}

/* Y has four words more than 256. */
TARGET RUNNEL_INLINE uint32_t py_word(const uint32_t *y, uint16_t i)
{
    const __m512i index = py_one_index(i);
    const __m512i last =
        _mm512_permutexvar_epi32(index, _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(y + 256))));
    return py_first_of(_mm512_mask_blend_epi32(runnel_index_bit(index, 8), runnel_look_up_256(y, index), last));
}

TARGET RUNNEL_INLINE void py_put_word(uint32_t *y, uint16_t i, uint32_t word)
{
    uint32_t *const group = y + (i & ~15u);
    const __mmask16 here = (__mmask16)(1u << (i & 15));
    if (i < 256)
        _mm512_storeu_si512(group, _mm512_mask_set1_epi32(_mm512_loadu_si512(group), here, (int)word));
    else
        _mm_storeu_si128((void *)group,
                         _mm_mask_set1_epi32(_mm_loadu_si128((const void *)group), (__mmask8)here, (int)word));
}

#define PY_TARGET TARGET
#include "historic/py/steps.h"

const runnel_kernel runnel_py_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("own: rolling arrays as rings, read in full by permutations of register pairs"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = py_set_key,
    .stream = {.iv = py_set_iv, .xor_blocks = py_xor_blocks},
};

#endif
