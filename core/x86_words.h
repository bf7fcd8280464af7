/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For x86-64 kernels of ciphers whose block is sixteen 32-bit words, little-endian, and is added to nothing but itself
 * (Salsa20, ChaCha20). Two forms of the state, for vectors of one, two or four 128-bit lanes:
 *  - words: sixteen vectors, one a state word, each 32-bit element another block;
 *  - rows: four vectors, one a row of the 4 x 4 matrix of words, each lane another block.
 * Here they become bytes. All functions write block number b to out + 64 b, for b < nblocks only, and add in by XOR
 * unless it is NULL. */
#ifndef RUNNEL_CORE_X86_WORDS_H
#define RUNNEL_CORE_X86_WORDS_H

#include "x86.h"

#if RUNNEL_X86_64

enum { RUNNEL_WORDS_BLOCK = 64 };

/* Makes the compiler forget what it knows of an integer or a pointer, so that it computes or loads again after the
 * rounds what it would otherwise keep through the rounds, where there are no registers for it. */
#define RUNNEL_FORGET(x) __asm__("" : "+r"(x))

/* Transposes the 4 x 4 words in each lane of a, b, c, d: word i of a becomes word 0 of the i-th of them, and so on. */
#define RUNNEL_TRANSPOSE_WORDS(type, prefix, a, b, c, d)                                                               \
    do {                                                                                                               \
        type ab_low = prefix##_unpacklo_epi32(a, b), ab_high = prefix##_unpackhi_epi32(a, b);                          \
        type cd_low = prefix##_unpacklo_epi32(c, d), cd_high = prefix##_unpackhi_epi32(c, d);                          \
        a = prefix##_unpacklo_epi64(ab_low, cd_low);                                                                   \
        b = prefix##_unpackhi_epi64(ab_low, cd_low);                                                                   \
        c = prefix##_unpacklo_epi64(ab_high, cd_high);                                                                 \
        d = prefix##_unpackhi_epi64(ab_high, cd_high);                                                                 \
    } while (0)

#define RUNNEL_TRANSPOSE_ALL_WORDS(type, prefix, x)                                                                    \
    do {                                                                                                               \
        RUNNEL_TRANSPOSE_WORDS(type, prefix, x[0], x[1], x[2], x[3]);                                                  \
        RUNNEL_TRANSPOSE_WORDS(type, prefix, x[4], x[5], x[6], x[7]);                                                  \
        RUNNEL_TRANSPOSE_WORDS(type, prefix, x[8], x[9], x[10], x[11]);                                                \
        RUNNEL_TRANSPOSE_WORDS(type, prefix, x[12], x[13], x[14], x[15]);                                              \
    } while (0)

/* ---- 128 bits: one lane ---- */

RUNNEL_TARGET("ssse3") RUNNEL_INLINE void runnel_put_rows128(uint8_t *out, const uint8_t *in, size_t block,
                                                             size_t nblocks, __m128i a, __m128i b, __m128i c,
                                                             __m128i d)
{
    if (block >= nblocks)
        return;
    out += RUNNEL_WORDS_BLOCK * block;
    if (in != NULL) {
        in += RUNNEL_WORDS_BLOCK * block;
        a = _mm_xor_si128(a, _mm_loadu_si128((const void *)in));
        b = _mm_xor_si128(b, _mm_loadu_si128((const void *)(in + 16)));
        c = _mm_xor_si128(c, _mm_loadu_si128((const void *)(in + 32)));
        d = _mm_xor_si128(d, _mm_loadu_si128((const void *)(in + 48)));
    }
    _mm_storeu_si128((void *)out, a);
    _mm_storeu_si128((void *)(out + 16), b);
    _mm_storeu_si128((void *)(out + 32), c);
    _mm_storeu_si128((void *)(out + 48), d);
}

/* 4 blocks. */
RUNNEL_TARGET("ssse3") RUNNEL_INLINE void runnel_put_words128(uint8_t *out, const uint8_t *in, size_t nblocks,
                                                              __m128i x[16])
{
    RUNNEL_TRANSPOSE_ALL_WORDS(__m128i, _mm, x);
    runnel_put_rows128(out, in, 0, nblocks, x[0], x[4], x[8], x[12]);
    runnel_put_rows128(out, in, 1, nblocks, x[1], x[5], x[9], x[13]);
    runnel_put_rows128(out, in, 2, nblocks, x[2], x[6], x[10], x[14]);
    runnel_put_rows128(out, in, 3, nblocks, x[3], x[7], x[11], x[15]);
}

/* ---- 256 bits: two lanes ---- */

RUNNEL_TARGET("avx2") RUNNEL_INLINE void runnel_put_block256(uint8_t *out, const uint8_t *in, size_t block,
                                                             size_t nblocks, __m256i first, __m256i second)
{
    if (block >= nblocks)
        return;
    out += RUNNEL_WORDS_BLOCK * block;
    if (in != NULL) {
        in += RUNNEL_WORDS_BLOCK * block;
        first = _mm256_xor_si256(first, _mm256_loadu_si256((const void *)in));
        second = _mm256_xor_si256(second, _mm256_loadu_si256((const void *)(in + 32)));
    }
    _mm256_storeu_si256((void *)out, first);
    _mm256_storeu_si256((void *)(out + 32), second);
}

/* 2 blocks, numbers block and block + step. */
RUNNEL_TARGET("avx2") RUNNEL_INLINE void runnel_put_rows256(uint8_t *out, const uint8_t *in, size_t block, size_t step,
                                                            size_t nblocks, __m256i a, __m256i b, __m256i c, __m256i d)
{
    runnel_put_block256(out, in, block, nblocks, _mm256_permute2x128_si256(a, b, 0x20),
                        _mm256_permute2x128_si256(c, d, 0x20));
    runnel_put_block256(out, in, block + step, nblocks, _mm256_permute2x128_si256(a, b, 0x31),
                        _mm256_permute2x128_si256(c, d, 0x31));
}

/* 8 blocks. */
RUNNEL_TARGET("avx2") RUNNEL_INLINE void runnel_put_words256(uint8_t *out, const uint8_t *in, size_t nblocks,
                                                             __m256i x[16])
{
    RUNNEL_TRANSPOSE_ALL_WORDS(__m256i, _mm256, x);
    runnel_put_rows256(out, in, 0, 4, nblocks, x[0], x[4], x[8], x[12]);
    runnel_put_rows256(out, in, 1, 4, nblocks, x[1], x[5], x[9], x[13]);
    runnel_put_rows256(out, in, 2, 4, nblocks, x[2], x[6], x[10], x[14]);
    runnel_put_rows256(out, in, 3, 4, nblocks, x[3], x[7], x[11], x[15]);
}

/* ---- 512 bits: four lanes ---- */

RUNNEL_TARGET("avx512f") RUNNEL_INLINE void runnel_put_block512(uint8_t *out, const uint8_t *in, size_t block,
                                                                size_t nblocks, __m512i x)
{
    if (block >= nblocks)
        return;
    if (in != NULL)
        x = _mm512_xor_si512(x, _mm512_loadu_si512((const void *)(in + RUNNEL_WORDS_BLOCK * block)));
    _mm512_storeu_si512((void *)(out + RUNNEL_WORDS_BLOCK * block), x);
}

/* 4 blocks, numbers block, block + step … */
RUNNEL_TARGET("avx512f") RUNNEL_INLINE void runnel_put_rows512(uint8_t *out, const uint8_t *in, size_t block,
                                                               size_t step, size_t nblocks, __m512i a, __m512i b,
                                                               __m512i c, __m512i d)
{
    const __m512i ab_low = _mm512_shuffle_i32x4(a, b, 0x44), ab_high = _mm512_shuffle_i32x4(a, b, 0xee);
    const __m512i cd_low = _mm512_shuffle_i32x4(c, d, 0x44), cd_high = _mm512_shuffle_i32x4(c, d, 0xee);
    runnel_put_block512(out, in, block, nblocks, _mm512_shuffle_i32x4(ab_low, cd_low, 0x88));
    runnel_put_block512(out, in, block + step, nblocks, _mm512_shuffle_i32x4(ab_low, cd_low, 0xdd));
    runnel_put_block512(out, in, block + 2 * step, nblocks, _mm512_shuffle_i32x4(ab_high, cd_high, 0x88));
    runnel_put_block512(out, in, block + 3 * step, nblocks, _mm512_shuffle_i32x4(ab_high, cd_high, 0xdd));
}

/* 16 blocks. */
RUNNEL_TARGET("avx512f") RUNNEL_INLINE void runnel_put_words512(uint8_t *out, const uint8_t *in, size_t block,
                                                                size_t nblocks, __m512i x[16])
{
    RUNNEL_TRANSPOSE_ALL_WORDS(__m512i, _mm512, x);
    runnel_put_rows512(out, in, block, 4, nblocks, x[0], x[4], x[8], x[12]);
    runnel_put_rows512(out, in, block + 1, 4, nblocks, x[1], x[5], x[9], x[13]);
    runnel_put_rows512(out, in, block + 2, 4, nblocks, x[2], x[6], x[10], x[14]);
    runnel_put_rows512(out, in, block + 3, 4, nblocks, x[3], x[7], x[11], x[15]);
}

#endif
#endif
