/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A round on 128-bit registers has 9 instructions, and waits 5 cycles for the one before. All eight blocks are in one
 * 512-bit register before and after. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "few_avx512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#define VECTOR_AVX512
#include "arch/x86/blocks_128.h"
#include "pairs.h"

typedef uint16_t hight_pairs __attribute__((vector_size(64))); /* of bytes */

TARGET RUNNEL_INLINE __m512i hight_shuffle_blocks(__m512i blocks, __m128i order)
{
    return _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(order));
}

TARGET RUNNEL_INLINE __mmask8 hight_first_blocks(size_t nblocks)
{
    return (__mmask8)((1u << nblocks) - 1);
}

/* Eight blocks, byte i of each two adjacent ones together, become the bytes of their encryption. */
TARGET RUNNEL_INLINE __m512i hight_encrypt_pairs(const runnel_hight_schedule *schedule, __m512i blocks)
{
    const hight_pairs by_byte = {0, 8,  16, 24, 4, 12, 20, 28, 1, 9,  17, 25, 5, 13, 21, 29,
                                 2, 10, 18, 26, 6, 14, 22, 30, 3, 11, 19, 27, 7, 15, 23, 31};
    const hight_pairs by_block = {0, 8,  16, 24, 4, 12, 20, 28, 1, 9,  17, 25, 5, 13, 21, 29,
                                  2, 10, 18, 26, 6, 14, 22, 30, 3, 11, 19, 27, 7, 15, 23, 31};
    const hight_tables t = hight_get_tables();
    const __m512i bytes = _mm512_permutexvar_epi16((__m512i)by_byte, blocks);
    vector_bytes x[4] = {(vector_bytes)_mm512_castsi512_si128(bytes), (vector_bytes)_mm512_extracti32x4_epi32(bytes, 1),
                         (vector_bytes)_mm512_extracti32x4_epi32(bytes, 2),
                         hight_turn_halves((vector_bytes)_mm512_extracti32x4_epi32(bytes, 3))};
    hight_few_rounds(schedule, &t, x);
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)x[0]), (__m128i)x[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)x[2]), (__m128i)x[3], 1);
    blocks = _mm512_permutexvar_epi16((__m512i)by_block, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    return hight_shuffle_blocks(blocks, _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
}

TARGET void runnel_hight_encrypt_few(const runnel_hight_schedule *schedule, uint8_t *out, const uint8_t *in,
                                     size_t nblocks)
{
    const __mmask8 those = hight_first_blocks(nblocks);
    const __m512i blocks = _mm512_maskz_loadu_epi64(those, (const void *)in);
    const __m128i order = _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_mask_storeu_epi64((void *)out, those, hight_encrypt_pairs(schedule, hight_shuffle_blocks(blocks, order)));
}

TARGET void runnel_hight_xor_few(const runnel_hight_schedule *schedule, const uint8_t *block, uint32_t counter,
                                 uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const __mmask8 those = hight_first_blocks(nblocks);
    const uint64_t first = (uint64_t)runnel_load32be(block) << 32 | counter;
    const __m512i numbers = _mm512_add_epi64(_mm512_set1_epi64((long long)first), (__m512i){0, 1, 2, 3, 4, 5, 6, 7});
    const __m128i order = _mm_setr_epi8(7, 15, 6, 14, 5, 13, 4, 12, 3, 11, 2, 10, 1, 9, 0, 8); /* big-endian */
    const __m512i keystream = hight_encrypt_pairs(schedule, hight_shuffle_blocks(numbers, order));
    const __m512i text = in == NULL ? _mm512_setzero_si512() : _mm512_maskz_loadu_epi64(those, (const void *)in);
    _mm512_mask_storeu_epi64((void *)out, those, _mm512_xor_si512(keystream, text));
    if (leftover != NULL)
        _mm_storel_epi64((void *)leftover, _mm512_castsi512_si128(_mm512_permutexvar_epi64(
                                               _mm512_set1_epi64((long long)nblocks), keystream)));
}

/* A block's bytes, each all over the half of a register that hight_few_rounds wants it in. */
TARGET RUNNEL_INLINE void hight_spread(vector_bytes x[4], const uint8_t *block)
{
    const vector_bytes bytes = (vector_bytes)_mm_loadl_epi64((const void *)block);
    RUNNEL_UNROLL
    for (uint8_t i = 0; i < 4; i++)
        x[i] = hight_look_up(bytes, i < 3 ? hight_halves(i, i + 4) : hight_halves(i + 4, i));
}

TARGET RUNNEL_INLINE __m128i hight_unite(const vector_bytes x[4])
{
    __m128i bytes = _mm_mask_mov_epi8((__m128i)x[0], 0x2222, (__m128i)x[1]);
    bytes = _mm_mask_mov_epi8(bytes, 0x4444, (__m128i)x[2]);
    bytes = _mm_mask_mov_epi8(bytes, 0x8888, (__m128i)hight_turn_halves(x[3]));
    return _mm_shuffle_epi32(bytes, 0x08);
}

/* The block stays in registers, byte by byte, and is put together beside the chain. */
TARGET void runnel_hight_cfb_avx512(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const hight_tables t = hight_get_tables();
    __m128i made;
    vector_bytes x[4];
    hight_spread(x, last);
    do {
        vector_bytes text[4];
        hight_spread(text, in);
        hight_few_rounds(state, &t, x);
        x[3] = hight_turn_halves(x[3]);
        RUNNEL_UNROLL
        for (int i = 0; i < 4; i++)
            x[i] ^= text[i];
        made = hight_unite(x);
        _mm_storel_epi64((void *)out, made);
        in += 8;
        out += 8;
    } while (--nblocks > 0);
    _mm_storel_epi64((void *)last, made);
}

#endif
