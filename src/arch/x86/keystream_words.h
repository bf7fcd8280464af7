/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For ciphers whose keystream block is sixteen little-endian 32-bit words (Salsa20, ChaCha20): their state becomes bytes.
 * Two forms of it:
 *  - words: sixteen vectors, one a state word, each element another block;
 *  - rows: four vectors, one a row of the 4 x 4 matrix of words, each lane another block.
 * All functions write block number b to out + 64 b, for b < nblocks only, and add in by XOR unless it is NULL; the
 * keystream of block number nblocks goes to leftover unless that is NULL (kernel.h: Tails). The includer defines TARGET and
 * includes the vectors of its width. */
#ifndef X86_KEYSTREAM_WORDS_H
#define X86_KEYSTREAM_WORDS_H

#include "arch/x86/batches.h"
#include "arch/x86/words.h"

enum { KEYSTREAM_WORDS_VECTORS = RUNNEL_BATCHES_BLOCK / VECTOR_BYTES }; /* of a block */

TARGET RUNNEL_INLINE void keystream_words_store(uint8_t *out, const vector *v)
{
    RUNNEL_UNROLL
    for (int i = 0; i < KEYSTREAM_WORDS_VECTORS; i++)
        vector_store(out + VECTOR_BYTES * i, v[i]);
}

TARGET RUNNEL_INLINE void keystream_words_put_block(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks,
                                                    uint8_t *leftover, vector *v)
{
    if (block >= nblocks) {
        if (block == nblocks && leftover != NULL)
            keystream_words_store(leftover, v);
        return;
    }
    if (in != NULL) {
        RUNNEL_UNROLL
        for (int i = 0; i < KEYSTREAM_WORDS_VECTORS; i++)
            v[i] = vector_xor(v[i], vector_load(in + RUNNEL_BATCHES_BLOCK * block + VECTOR_BYTES * i));
    }
    keystream_words_store(out + RUNNEL_BATCHES_BLOCK * block, v);
}

/* The block of each lane. */
TARGET RUNNEL_INLINE void keystream_words_of_rows(vector block[LANES][KEYSTREAM_WORDS_VECTORS],
                                                  const vector_words row[4])
{
    const vector a = (vector)row[0], b = (vector)row[1], c = (vector)row[2], d = (vector)row[3];
#if LANES == 1
    block[0][0] = a;
    block[0][1] = b;
    block[0][2] = c;
    block[0][3] = d;
#elif LANES == 2
    block[0][0] = _mm256_permute2x128_si256(a, b, 0x20);
    block[0][1] = _mm256_permute2x128_si256(c, d, 0x20);
    block[1][0] = _mm256_permute2x128_si256(a, b, 0x31);
    block[1][1] = _mm256_permute2x128_si256(c, d, 0x31);
#else
    const vector ab_low = _mm512_shuffle_i32x4(a, b, 0x44), ab_high = _mm512_shuffle_i32x4(a, b, 0xee);
    const vector cd_low = _mm512_shuffle_i32x4(c, d, 0x44), cd_high = _mm512_shuffle_i32x4(c, d, 0xee);
    block[0][0] = _mm512_shuffle_i32x4(ab_low, cd_low, 0x88);
    block[1][0] = _mm512_shuffle_i32x4(ab_low, cd_low, 0xdd);
    block[2][0] = _mm512_shuffle_i32x4(ab_high, cd_high, 0x88);
    block[3][0] = _mm512_shuffle_i32x4(ab_high, cd_high, 0xdd);
#endif
}

/* As many blocks as there are lanes, numbers block, block + step … */
TARGET RUNNEL_INLINE void keystream_words_put_rows(uint8_t *out, const uint8_t *in, size_t block, size_t step,
                                                   size_t nblocks, uint8_t *leftover, const vector_words row[4])
{
    vector v[LANES][KEYSTREAM_WORDS_VECTORS];
    keystream_words_of_rows(v, row);
    RUNNEL_UNROLL
    for (size_t i = 0; i < LANES; i++)
        keystream_words_put_block(out, in, block + step * i, nblocks, leftover, v[i]);
}

#if LANES == 2
TARGET RUNNEL_INLINE void keystream_words_put_half_block(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks,
                                                         uint8_t *leftover, size_t half, vector v)
{
    if (block >= nblocks) {
        if (block == nblocks && leftover != NULL)
            vector_store(leftover + half, v);
        return;
    }
    const size_t at = RUNNEL_BATCHES_BLOCK * block + half;
    vector_store(out + at, in == NULL ? v : vector_xor(v, vector_load(in + at)));
}

/* Half of each of 8 blocks, from eight words: bytes 0 to 31 (half: 0) or 32 to 63 (32). */
TARGET RUNNEL_INLINE void keystream_words_put_halves(uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover,
                                                     size_t half, vector_words x[8])
{
    words_transpose(x);
    words_transpose(x + 4);
    RUNNEL_UNROLL
    for (size_t i = 0; i < 4; i++) {
        const vector a = (vector)x[i], b = (vector)x[i + 4];
        keystream_words_put_half_block(out, in, i, nblocks, leftover, half, _mm256_permute2x128_si256(a, b, 0x20));
        keystream_words_put_half_block(out, in, i + 4, nblocks, leftover, half, _mm256_permute2x128_si256(a, b, 0x31));
    }
}
#else
/* As many blocks as a vector has words, from number `block` on. */
TARGET RUNNEL_INLINE void keystream_words_put_all(uint8_t *out, const uint8_t *in, size_t block, size_t nblocks,
                                                  uint8_t *leftover, vector_words x[16])
{
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i += 4)
        words_transpose(x + i);
    RUNNEL_UNROLL
    for (size_t i = 0; i < 4; i++) {
        const vector_words row[4] = {x[i], x[i + 4], x[i + 8], x[i + 12]};
        keystream_words_put_rows(out, in, block + i, 4, nblocks, leftover, row);
    }
}
#endif

#endif
