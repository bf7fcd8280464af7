/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A round on 128-bit registers has 9 instructions, and waits 5 cycles for the one before. All eight blocks are in one
 * 512-bit register before and after. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "few_avx512.h"
#include "gfni.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#define INLINE TARGET RUNNEL_INLINE

typedef uint8_t hight_vec __attribute__((vector_size(16)));

typedef struct hight_tables {
    __m128i f0, f1;
} hight_tables;

#define vec_f0(t, x) ((hight_vec)_mm_gf2p8affine_epi64_epi8((__m128i)(x), (t)->f0, 0))
#define vec_f1(t, x) ((hight_vec)_mm_gf2p8affine_epi64_epi8((__m128i)(x), (t)->f1, 0))
#define vec_lookup(table, index) ((hight_vec)_mm_shuffle_epi8((__m128i)(table), (__m128i)(index)))
#define vec_broadcast32(word) ((hight_vec)_mm_set1_epi32((int)(word)))
#define vec_halves(low, high) ((hight_vec)_mm_unpacklo_epi64(_mm_set1_epi8((char)(low)), _mm_set1_epi8((char)(high))))
#define vec_turn(v) ((hight_vec)_mm_shuffle_epi32((__m128i)(v), 0x4e))

#include "pairs.h"

typedef uint16_t hight_pairs __attribute__((vector_size(64))); /* of bytes */

#define REPEAT(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))
#define FIRST_BLOCKS(blocks) ((__mmask8)((1u << (blocks)) - 1))

/* Eight blocks, byte i of each two adjacent ones together, become the bytes of their encryption. */
INLINE __m512i hight_encrypt_pairs(const runnel_hight_schedule *schedule, __m512i blocks)
{
#define BYTES(i) i, i + 8, i + 16, i + 24
    const hight_pairs by_byte = {BYTES(0), BYTES(4), BYTES(1), BYTES(5), BYTES(2), BYTES(6), BYTES(3), BYTES(7)};
#define BLOCKS(i) i, i + 8, i + 16, i + 24, i + 4, i + 12, i + 20, i + 28
    const hight_pairs by_block = {BLOCKS(0), BLOCKS(1), BLOCKS(2), BLOCKS(3)};
    const hight_tables t = {_mm_set1_epi64x((long long)F0_ROWS), _mm_set1_epi64x((long long)F1_ROWS)};
    const __m512i bytes = _mm512_permutexvar_epi16((__m512i)by_byte, blocks);
    hight_vec x[4] = {(hight_vec)_mm512_castsi512_si128(bytes), (hight_vec)_mm512_extracti32x4_epi32(bytes, 1),
                      (hight_vec)_mm512_extracti32x4_epi32(bytes, 2), vec_turn(_mm512_extracti32x4_epi32(bytes, 3))};
    hight_few_rounds(schedule, &t, x);
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)x[0]), (__m128i)x[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)x[2]), (__m128i)x[3], 1);
    blocks = _mm512_permutexvar_epi16((__m512i)by_block, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    return _mm512_shuffle_epi8(blocks, REPEAT(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
}

TARGET void runnel_hight_encrypt_few(const runnel_hight_schedule *schedule, uint8_t *out, const uint8_t *in,
                                     size_t nblocks)
{
    const __mmask8 those = FIRST_BLOCKS(nblocks);
    const __m512i blocks = _mm512_maskz_loadu_epi64(those, (const void *)in);
    const __m512i order = REPEAT(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_mask_storeu_epi64((void *)out, those, hight_encrypt_pairs(schedule, _mm512_shuffle_epi8(blocks, order)));
}

TARGET void runnel_hight_xor_few(const runnel_hight_schedule *schedule, const uint8_t *block, uint32_t counter,
                                 uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const __mmask8 those = FIRST_BLOCKS(nblocks);
    const uint64_t first = (uint64_t)runnel_load32be(block) << 32 | counter;
    const __m512i numbers = _mm512_add_epi64(_mm512_set1_epi64((long long)first), (__m512i){0, 1, 2, 3, 4, 5, 6, 7});
    const __m512i order = REPEAT(7, 15, 6, 14, 5, 13, 4, 12, 3, 11, 2, 10, 1, 9, 0, 8); /* big-endian */
    const __m512i keystream = hight_encrypt_pairs(schedule, _mm512_shuffle_epi8(numbers, order));
    const __m512i text = in == NULL ? _mm512_setzero_si512() : _mm512_maskz_loadu_epi64(those, (const void *)in);
    _mm512_mask_storeu_epi64((void *)out, those, _mm512_xor_si512(keystream, text));
    if (leftover != NULL)
        _mm_storel_epi64((void *)leftover, _mm512_castsi512_si128(_mm512_permutexvar_epi64(
                                               _mm512_set1_epi64((long long)nblocks), keystream)));
}

/* A block's bytes, each all over the half of a register that hight_few_rounds wants it in. */
INLINE void hight_spread(hight_vec x[4], const uint8_t *block)
{
    const __m128i bytes = _mm_loadl_epi64((const void *)block);
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++)
        x[i] = vec_lookup(bytes, i < 3 ? vec_halves(i, i + 4) : vec_halves(i + 4, i));
}

INLINE __m128i hight_unite(const hight_vec x[4])
{
    __m128i bytes = _mm_mask_mov_epi8((__m128i)x[0], 0x2222, (__m128i)x[1]);
    bytes = _mm_mask_mov_epi8(bytes, 0x4444, (__m128i)x[2]);
    bytes = _mm_mask_mov_epi8(bytes, 0x8888, (__m128i)vec_turn(x[3]));
    return _mm_shuffle_epi32(bytes, 0x08);
}

/* The block stays in registers, byte by byte, and is put together beside the chain. */
TARGET void runnel_hight_cfb_avx512(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const hight_tables t = {_mm_set1_epi64x((long long)F0_ROWS), _mm_set1_epi64x((long long)F1_ROWS)};
    __m128i made;
    hight_vec x[4];
    hight_spread(x, last);
    do {
        hight_vec text[4];
        hight_spread(text, in);
        hight_few_rounds(state, &t, x);
        x[3] = vec_turn(x[3]);
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
