/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For x86-64 kernels of ciphers whose keystream block is sixteen little-endian 32-bit words (Salsa20, ChaCha20). Two
 * forms of the state, for vectors of one, two or four 128-bit lanes:
 *  - words: sixteen vectors, one a state word, each 32-bit element another block;
 *  - rows: four vectors, one a row of the 4 x 4 matrix of words, each lane another block.
 * Here they become bytes. All functions write block number b to out + 64 b, for b < nblocks only, and add in by XOR
 * unless it is NULL; the keystream of block number nblocks goes to leftover unless that is NULL (kernel.h: Tails). */
#ifndef RUNNEL_ARCH_X86_WORDS_H
#define RUNNEL_ARCH_X86_WORDS_H

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "target.h"

#if RUNNEL_X86_64

enum { RUNNEL_WORDS_BLOCK = 64 };

/* Vectors of words, with the operators of C. In a kernel that keeps its state in these, rather than in __m512i and so
 * on, gcc does not copy each of them at the end of each loop. */
typedef uint32_t runnel_words128 __attribute__((vector_size(16)));
typedef uint32_t runnel_words256 __attribute__((vector_size(32)));
typedef uint32_t runnel_words512 __attribute__((vector_size(64)));

#define RUNNEL_ROTL_WORDS(x, n) ((x) << (n) | (x) >> (32 - (n)))

/* For kernels with sixteen registers: stores two words that are not needed for half a round (to parked, two volatile
 * vectors) and loads the two that were there. Fourteen words stay in registers and leave two for the rotations; a
 * compiler's own choice costs more. */
#define RUNNEL_EXCHANGE_WORDS(parked, out0, out1, in0, in1)                                                            \
    do {                                                                                                               \
        in0 = (parked)[0], (parked)[0] = out0;                                                                         \
        in1 = (parked)[1], (parked)[1] = out1;                                                                         \
    } while (0)

/* Half a round in general registers, beside one in vectors. Two of its words are barriers, or a compiler would make vectors
 * of quarter-rounds, which wait for the same units. */
#define RUNNEL_INTERLEAVE_SCALAR(half_round, a, b)                                                                     \
    half_round;                                                                                                        \
    RUNNEL_VALUE_BARRIER(a);                                                                                           \
    RUNNEL_VALUE_BARRIER(b)

/* Transposes the 4 x 4 words in each lane of a, b, c, d: word i of a becomes word 0 of the i-th of them, and so on. */
#define RUNNEL_TRANSPOSE_WORDS(words, type, prefix, a, b, c, d)                                                        \
    do {                                                                                                               \
        const type ab_low = prefix##_unpacklo_epi32((type)a, (type)b);                                                 \
        const type ab_high = prefix##_unpackhi_epi32((type)a, (type)b);                                                \
        const type cd_low = prefix##_unpacklo_epi32((type)c, (type)d);                                                 \
        const type cd_high = prefix##_unpackhi_epi32((type)c, (type)d);                                                \
        a = (words)prefix##_unpacklo_epi64(ab_low, cd_low);                                                            \
        b = (words)prefix##_unpackhi_epi64(ab_low, cd_low);                                                            \
        c = (words)prefix##_unpacklo_epi64(ab_high, cd_high);                                                          \
        d = (words)prefix##_unpackhi_epi64(ab_high, cd_high);                                                          \
    } while (0)

#define RUNNEL_TRANSPOSE_ALL_WORDS(words, type, prefix, x)                                                             \
    do {                                                                                                               \
        RUNNEL_TRANSPOSE_WORDS(words, type, prefix, x[0], x[1], x[2], x[3]);                                           \
        RUNNEL_TRANSPOSE_WORDS(words, type, prefix, x[4], x[5], x[6], x[7]);                                           \
        RUNNEL_TRANSPOSE_WORDS(words, type, prefix, x[8], x[9], x[10], x[11]);                                         \
        RUNNEL_TRANSPOSE_WORDS(words, type, prefix, x[12], x[13], x[14], x[15]);                                       \
    } while (0)

typedef void runnel_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                              uint8_t *leftover);

/* For a kernel that makes up to `few` blocks at a time, up to `most` or most + 1. How long so many take in batches of
 * at_once, and whether it is shorter to begin with most + 1; in sixteenths of the time of `most`. */
RUNNEL_INLINE unsigned runnel_batches_cost(size_t blocks, size_t few, size_t at_once, unsigned each)
{
    const size_t rest = blocks % at_once;
    const unsigned of_few = rest > few / 2 ? 12 : 9;
    return (unsigned)(blocks / at_once) * each + (rest > few ? 16 : rest > 0 ? of_few : 0);
}

RUNNEL_INLINE int runnel_one_more_pays(size_t blocks, size_t few, size_t most)
{
    return blocks > most && (blocks > 16 * most || runnel_batches_cost(blocks, few, most + 1, 17) <
                                                       runnel_batches_cost(blocks, few, most, 16));
}

/* The loop of a kernel that makes up to `most` blocks at a time, or one more if `few` is not 0, including the one for
 * leftover: nblocks blocks and a tail, or no tail, and then leftover is NULL. */
RUNNEL_INLINE void runnel_xor_by_batches(runnel_xor_batch *xor_batch, size_t few, size_t most, void *state,
                                         uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                                         uint8_t *leftover)
{
    for (;;) {
        const size_t blocks = nblocks + (leftover != NULL);
        const size_t at_once = most + (few > 0 && runnel_one_more_pays(blocks, few, most));
        const int last = blocks <= at_once;
        const size_t n = nblocks < at_once ? nblocks : at_once;
        xor_batch(state, index, out, in, n, last ? leftover : NULL);
        index += n;
        out += RUNNEL_WORDS_BLOCK * n;
        if (in != NULL)
            in += RUNNEL_WORDS_BLOCK * n;
        nblocks -= n;
        if (last)
            break;
    }
    if (leftover != NULL)
        runnel_xor_bytes(out, in, leftover, tail);
}

/* Defines xor_batch, as runnel_xor_batch, of a kernel in which xor_few makes up to `few` blocks at a time, xor_more up
 * to `more`, and xor_most any number above that, up to what RUNNEL_DEFINE_XOR_LOOP is told. */
#define RUNNEL_DEFINE_XOR_BATCH(xor_batch, few, xor_few, more, xor_more, xor_most)                                     \
    static void xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,                \
                          uint8_t *leftover)                                                                           \
    {                                                                                                                  \
        const size_t n = nblocks + (leftover != NULL);                                                                 \
        if (n > (more))                                                                                                \
            xor_most(state, index, out, in, nblocks, leftover);                                                        \
        else if (n > (few))                                                                                            \
            xor_more(state, index, out, in, nblocks, leftover);                                                        \
        else                                                                                                           \
            xor_few(state, index, out, in, nblocks, leftover);                                                         \
    }

/* Defines a kernel's xor_blocks and xor_tail, which call xor_batch for up to `most` blocks at a time; or, unless `few`
 * is 0, for exactly one more, if that takes about as long, and `few` are what it makes in half the time. */
#define RUNNEL_DEFINE_XOR_LOOP(xor_blocks, xor_tail, xor_batch, few, most)                                             \
    static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)               \
    {                                                                                                                  \
        runnel_xor_by_batches(xor_batch, few, most, state, index, out, in, nblocks, 0, NULL);                          \
    }                                                                                                                  \
    static void xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,    \
                         uint8_t *leftover)                                                                            \
    {                                                                                                                  \
        runnel_xor_by_batches(xor_batch, few, most, state, index, out, in, nblocks, tail, leftover);                   \
    }

/* ---- 128 bits: one lane ---- */

RUNNEL_TARGET("ssse3")
RUNNEL_INLINE void runnel_store_rows128(uint8_t *out, runnel_words128 a, runnel_words128 b, runnel_words128 c,
                                        runnel_words128 d)
{
    _mm_storeu_si128((void *)out, (__m128i)a);
    _mm_storeu_si128((void *)(out + 16), (__m128i)b);
    _mm_storeu_si128((void *)(out + 32), (__m128i)c);
    _mm_storeu_si128((void *)(out + 48), (__m128i)d);
}

RUNNEL_TARGET("ssse3")
RUNNEL_INLINE void runnel_put_rows128(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks, uint8_t *leftover,
                                      runnel_words128 a, runnel_words128 b, runnel_words128 c, runnel_words128 d)
{
    if (block >= nblocks) {
        if (block == nblocks && leftover != NULL)
            runnel_store_rows128(leftover, a, b, c, d);
        return;
    }
    out += RUNNEL_WORDS_BLOCK * block;
    if (in != NULL) {
        in += RUNNEL_WORDS_BLOCK * block;
        a ^= (runnel_words128)_mm_loadu_si128((const void *)in);
        b ^= (runnel_words128)_mm_loadu_si128((const void *)(in + 16));
        c ^= (runnel_words128)_mm_loadu_si128((const void *)(in + 32));
        d ^= (runnel_words128)_mm_loadu_si128((const void *)(in + 48));
    }
    runnel_store_rows128(out, a, b, c, d);
}

/* 4 blocks. */
RUNNEL_TARGET("ssse3")
RUNNEL_INLINE void runnel_put_words128(uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover,
                                       runnel_words128 x[16])
{
    RUNNEL_TRANSPOSE_ALL_WORDS(runnel_words128, __m128i, _mm, x);
    runnel_put_rows128(out, in, 0, nblocks, leftover, x[0], x[4], x[8], x[12]);
    runnel_put_rows128(out, in, 1, nblocks, leftover, x[1], x[5], x[9], x[13]);
    runnel_put_rows128(out, in, 2, nblocks, leftover, x[2], x[6], x[10], x[14]);
    runnel_put_rows128(out, in, 3, nblocks, leftover, x[3], x[7], x[11], x[15]);
}

/* ---- 256 bits: two lanes ---- */

RUNNEL_TARGET("avx2") RUNNEL_INLINE void runnel_store_block256(uint8_t *out, __m256i first, __m256i second)
{
    _mm256_storeu_si256((void *)out, first);
    _mm256_storeu_si256((void *)(out + 32), second);
}

RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_block256(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks, uint8_t *leftover,
                                       __m256i first, __m256i second)
{
    if (block >= nblocks) {
        if (block == nblocks && leftover != NULL)
            runnel_store_block256(leftover, first, second);
        return;
    }
    out += RUNNEL_WORDS_BLOCK * block;
    if (in != NULL) {
        in += RUNNEL_WORDS_BLOCK * block;
        first = _mm256_xor_si256(first, _mm256_loadu_si256((const void *)in));
        second = _mm256_xor_si256(second, _mm256_loadu_si256((const void *)(in + 32)));
    }
    runnel_store_block256(out, first, second);
}

/* 2 blocks, numbers block and block + step. */
RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_rows256(uint8_t *out, const uint8_t *in, size_t block, size_t step, size_t nblocks,
                                      uint8_t *leftover, runnel_words256 a, runnel_words256 b, runnel_words256 c,
                                      runnel_words256 d)
{
    runnel_put_block256(out, in, block, nblocks, leftover, _mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x20),
                        _mm256_permute2x128_si256((__m256i)c, (__m256i)d, 0x20));
    runnel_put_block256(out, in, block + step, nblocks, leftover,
                        _mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x31),
                        _mm256_permute2x128_si256((__m256i)c, (__m256i)d, 0x31));
}

RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_half256(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks, uint8_t *leftover,
                                      size_t half, __m256i x)
{
    if (block >= nblocks) {
        if (block == nblocks && leftover != NULL)
            _mm256_storeu_si256((void *)(leftover + half), x);
        return;
    }
    const size_t at = RUNNEL_WORDS_BLOCK * block + half;
    if (in != NULL)
        x = _mm256_xor_si256(x, _mm256_loadu_si256((const void *)(in + at)));
    _mm256_storeu_si256((void *)(out + at), x);
}

/* Half of each of 8 blocks, from eight words: bytes 0 to 31 (half: 0) or 32 to 63 (32). */
RUNNEL_TARGET("avx2")
RUNNEL_INLINE void runnel_put_half_words256(uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover,
                                            size_t half, runnel_words256 x[8])
{
    RUNNEL_TRANSPOSE_WORDS(runnel_words256, __m256i, _mm256, x[0], x[1], x[2], x[3]);
    RUNNEL_TRANSPOSE_WORDS(runnel_words256, __m256i, _mm256, x[4], x[5], x[6], x[7]);
    RUNNEL_UNROLL
    for (size_t i = 0; i < 4; i++) {
        const __m256i a = (__m256i)x[i], b = (__m256i)x[i + 4];
        runnel_put_half256(out, in, i, nblocks, leftover, half, _mm256_permute2x128_si256(a, b, 0x20));
        runnel_put_half256(out, in, i + 4, nblocks, leftover, half, _mm256_permute2x128_si256(a, b, 0x31));
    }
}

/* ---- 512 bits: four lanes ---- */

RUNNEL_TARGET("avx512f")
RUNNEL_INLINE void runnel_put_block512(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks, uint8_t *leftover,
                                       __m512i x)
{
    if (block >= nblocks) {
        if (block == nblocks && leftover != NULL)
            _mm512_storeu_si512((void *)leftover, x);
        return;
    }
    if (in != NULL)
        x = _mm512_xor_si512(x, _mm512_loadu_si512((const void *)(in + RUNNEL_WORDS_BLOCK * block)));
    _mm512_storeu_si512((void *)(out + RUNNEL_WORDS_BLOCK * block), x);
}

/* 4 blocks, numbers block, block + step … */
RUNNEL_TARGET("avx512f")
RUNNEL_INLINE void runnel_put_rows512(uint8_t *out, const uint8_t *in, size_t block, size_t step, size_t nblocks,
                                      uint8_t *leftover, runnel_words512 a, runnel_words512 b, runnel_words512 c,
                                      runnel_words512 d)
{
    const __m512i ab_low = _mm512_shuffle_i32x4((__m512i)a, (__m512i)b, 0x44);
    const __m512i ab_high = _mm512_shuffle_i32x4((__m512i)a, (__m512i)b, 0xee);
    const __m512i cd_low = _mm512_shuffle_i32x4((__m512i)c, (__m512i)d, 0x44);
    const __m512i cd_high = _mm512_shuffle_i32x4((__m512i)c, (__m512i)d, 0xee);
    runnel_put_block512(out, in, block, nblocks, leftover, _mm512_shuffle_i32x4(ab_low, cd_low, 0x88));
    runnel_put_block512(out, in, block + step, nblocks, leftover, _mm512_shuffle_i32x4(ab_low, cd_low, 0xdd));
    runnel_put_block512(out, in, block + 2 * step, nblocks, leftover, _mm512_shuffle_i32x4(ab_high, cd_high, 0x88));
    runnel_put_block512(out, in, block + 3 * step, nblocks, leftover, _mm512_shuffle_i32x4(ab_high, cd_high, 0xdd));
}

/* 16 blocks. */
RUNNEL_TARGET("avx512f")
RUNNEL_INLINE void runnel_put_words512(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks, uint8_t *leftover,
                                       runnel_words512 x[16])
{
    RUNNEL_TRANSPOSE_ALL_WORDS(runnel_words512, __m512i, _mm512, x);
    runnel_put_rows512(out, in, block, 4, nblocks, leftover, x[0], x[4], x[8], x[12]);
    runnel_put_rows512(out, in, block + 1, 4, nblocks, leftover, x[1], x[5], x[9], x[13]);
    runnel_put_rows512(out, in, block + 2, 4, nblocks, leftover, x[2], x[6], x[10], x[14]);
    runnel_put_rows512(out, in, block + 3, 4, nblocks, leftover, x[3], x[7], x[11], x[15]);
}

#endif
#endif
