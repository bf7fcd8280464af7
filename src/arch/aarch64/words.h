/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For AArch64 kernels of ciphers whose keystream block is sixteen little-endian 32-bit words (Salsa20, ChaCha20). Two
 * forms of the state, as in arch/x86/words.h:
 *  - words: sixteen vectors, one a state word, each element another block of four;
 *  - rows: four vectors, one a row of the 4 x 4 matrix of words, for one block.
 * Here is what they share: rotations, the conversion of words to rows, and output. */
#ifndef RUNNEL_ARCH_AARCH64_WORDS_H
#define RUNNEL_ARCH_AARCH64_WORDS_H

#include "core/describe.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

/* Unrolls a loop whose number of iterations is a constant. */
#define RUNNEL_EACH(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)

typedef uint32x4_t runnel_words;
typedef uint64x2_t runnel_word_pairs;

enum { RUNNEL_WORDS_BLOCK = 64 };

typedef struct runnel_rows {
    runnel_words a, b, c, d;
} runnel_rows;

/* Two instructions; 0 < n < 32, a constant. */
#define RUNNEL_ROTL_WORDS(x, n) vsriq_n_u32(vshlq_n_u32(x, n), x, 32 - (n))

RUNNEL_INLINE runnel_words runnel_rotl_words_16(runnel_words x)
{
    return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(x)));
}

RUNNEL_INLINE runnel_words runnel_rotl_words_8(runnel_words x)
{
    const uint8x16_t by_8 = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x), by_8));
}

/* Element i of the result is element (i + n) % 4 of x; n is a constant. */
#define RUNNEL_TURN_WORDS(x, n) vextq_u32(x, x, n)

RUNNEL_INLINE runnel_words runnel_words_at(const uint32_t *p)
{
    return vld1q_u32(p);
}

/* Element i of the result is element i of argument number i. */
RUNNEL_INLINE runnel_words runnel_pick_words(runnel_words r0, runnel_words r1, runnel_words r2, runnel_words r3)
{
    const runnel_words even = {~0u, 0, ~0u, 0};
    const uint64x2_t first = vreinterpretq_u64_u32(vbslq_u32(even, r0, r1));
    const uint64x2_t second = vreinterpretq_u64_u32(vbslq_u32(even, r2, r3));
    return vreinterpretq_u32_u64(vcopyq_laneq_u64(first, 1, second, 1));
}

/* A value barrier for a vector: cheap derived values are computed where they are used, not hoisted and spilled. */
#define RUNNEL_WORDS_BARRIER(x) __asm__("" : "+w"(x))

/* The words of a row, each in a vector of its own, for an array's initializer. */
#define RUNNEL_WORDS_OF(row)                                                                                           \
    vdupq_laneq_u32(row, 0), vdupq_laneq_u32(row, 1), vdupq_laneq_u32(row, 2), vdupq_laneq_u32(row, 3)

/* Transposes the 4 x 4 words of a, b, c, d: word i of a becomes word 0 of the i-th of them, and so on. */
RUNNEL_INLINE void runnel_transpose_words(runnel_words *a, runnel_words *b, runnel_words *c, runnel_words *d)
{
    const uint64x2_t ab_even = vreinterpretq_u64_u32(vtrn1q_u32(*a, *b));
    const uint64x2_t ab_odd = vreinterpretq_u64_u32(vtrn2q_u32(*a, *b));
    const uint64x2_t cd_even = vreinterpretq_u64_u32(vtrn1q_u32(*c, *d));
    const uint64x2_t cd_odd = vreinterpretq_u64_u32(vtrn2q_u32(*c, *d));
    *a = vreinterpretq_u32_u64(vtrn1q_u64(ab_even, cd_even));
    *b = vreinterpretq_u32_u64(vtrn1q_u64(ab_odd, cd_odd));
    *c = vreinterpretq_u32_u64(vtrn2q_u64(ab_even, cd_even));
    *d = vreinterpretq_u32_u64(vtrn2q_u64(ab_odd, cd_odd));
}

/* Four blocks: row number i of block number j is then in x[4 i + j]. */
RUNNEL_INLINE void runnel_words_to_rows(runnel_words x[16])
{
    runnel_transpose_words(&x[0], &x[1], &x[2], &x[3]);
    runnel_transpose_words(&x[4], &x[5], &x[6], &x[7]);
    runnel_transpose_words(&x[8], &x[9], &x[10], &x[11]);
    runnel_transpose_words(&x[12], &x[13], &x[14], &x[15]);
}

/* The number of groups of five, four in vectors and one in integer registers, for so many blocks. Five take as long as
 * four or fewer: as many groups as if all had five, and no more of five than that needs. */
RUNNEL_INLINE size_t runnel_groups_of_five(size_t nblocks)
{
    const size_t fours = 4 * ((nblocks + 4) / 5);
    return nblocks > fours ? nblocks - fours : 0;
}

/* One block; in == NULL: the keystream. */
RUNNEL_INLINE void runnel_put_rows(uint8_t *out, const uint8_t *in, runnel_rows r)
{
    if (in != NULL) {
        r.a = veorq_u32(r.a, vreinterpretq_u32_u8(vld1q_u8(in)));
        r.b = veorq_u32(r.b, vreinterpretq_u32_u8(vld1q_u8(in + 16)));
        r.c = veorq_u32(r.c, vreinterpretq_u32_u8(vld1q_u8(in + 32)));
        r.d = veorq_u32(r.d, vreinterpretq_u32_u8(vld1q_u8(in + 48)));
    }
    vst1q_u8(out, vreinterpretq_u8_u32(r.a));
    vst1q_u8(out + 16, vreinterpretq_u8_u32(r.b));
    vst1q_u8(out + 32, vreinterpretq_u8_u32(r.c));
    vst1q_u8(out + 48, vreinterpretq_u8_u32(r.d));
}

#endif
#endif
