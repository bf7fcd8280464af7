/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* G with the AES instructions, for rounds.h. In matrices over GF(2), S0(x) = Q0 S(P x) ^ 0xe7 and
 * S1(x) = Q1 S(P x) ^ 0x2b, where S is the S-box of AES and P the isomorphism of fields, from that of
 * x^8 + x^6 + x^5 + x + 1 to that of x^8 + x^4 + x^3 + x + 1, that maps x to 0x19. An affine map of bytes is two
 * look-ups in a register, one a nibble. AESENCLAST also shifts the rows; the shuffles that pick bytes for the rest of
 * G take them from where they went. The includer
 * defines TARGET and includes the vectors of its width, 128 or 256 bits. */
#ifndef SEED_X86_AES_H
#define SEED_X86_AES_H

#include "arch/common/aligned.h"
#include "arch/common/barrier.h"
#include "arch/x86/target.h"

/* P x, of the nibbles of x. */
TARGET RUNNEL_INLINE vector seed_p_low(void)
{
    return vector_repeat(_mm_set_epi64x((long long)0x2928303173726a6b, (long long)0x42435b5a18190100));
}

TARGET RUNNEL_INLINE vector seed_p_high(void)
{
    return vector_repeat(_mm_set_epi64x((long long)0xbc4870843ecaf206, (long long)0xba4e768238ccf400));
}

/* Q0 x ^ 0xe7 */
TARGET RUNNEL_INLINE vector seed_q0_low(void)
{
    return vector_repeat(_mm_set_epi64x((long long)0x94e8304c8ff32b57, (long long)0x245880fc3f439be7));
}

TARGET RUNNEL_INLINE vector seed_q0_high(void)
{
    return vector_repeat(_mm_set_epi64x((long long)0x431c2a75bce3d58a, (long long)0xc996a0ff36695f00));
}

/* Q1 x ^ 0x2b */
TARGET RUNNEL_INLINE vector seed_q1_low(void)
{
    return vector_repeat(_mm_set_epi64x((long long)0xd5d99e92919ddad6, (long long)0x2824636f6c60272b));
}

TARGET RUNNEL_INLINE vector seed_q1_high(void)
{
    return vector_repeat(_mm_set_epi64x((long long)0x6846426c16383c12, (long long)0x7a54507e042a2e00));
}

TARGET RUNNEL_INLINE vector seed_low_nibbles(vector v)
{
    return vector_and(v, vector_repeat_word(0x0f0f0f0f));
}

TARGET RUNNEL_INLINE vector seed_high_nibbles(vector v)
{
    return seed_low_nibbles(vector_shift_right16(v, 4));
}

/* The XOR of two look-ups. */
TARGET RUNNEL_INLINE vector seed_map_bytes(vector table0, vector index0, vector table1, vector index1)
{
    return vector_xor(vector_look_up(table0, index0), vector_look_up(table1, index1));
}

TARGET RUNNEL_INLINE vector seed_masked_sum(vector a, uint32_t a_mask, vector b, uint32_t b_mask)
{
    return vector_xor(vector_and(a, vector_repeat_word(a_mask)), vector_and(b, vector_repeat_word(b_mask)));
}

TARGET RUNNEL_INLINE vector seed_g(vector x)
{
    const vector half_turn = vector_repeat(_mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    /* bytes 0 0 2 2 of each word of S0's result, 1 1 3 3 of S1's */
    const vector even_bytes = vector_repeat(_mm_setr_epi8(0, 0, 10, 10, 4, 4, 14, 14, 8, 8, 2, 2, 12, 12, 6, 6));
    const vector odd_bytes = vector_repeat(_mm_setr_epi8(13, 13, 7, 7, 1, 1, 11, 11, 5, 5, 15, 15, 9, 9, 3, 3));
    const vector in_field = seed_map_bytes(seed_p_low(), seed_low_nibbles(x), seed_p_high(), seed_high_nibbles(x));
    const vector y = vector_aes_last_round(in_field, vector_zero());
    const vector low = seed_low_nibbles(y), high = seed_high_nibbles(y);
    const vector even = vector_look_up(seed_map_bytes(seed_q0_low(), low, seed_q0_high(), high), even_bytes);
    const vector odd = vector_look_up(seed_map_bytes(seed_q1_low(), low, seed_q1_high(), high), odd_bytes);
    const vector turning = seed_masked_sum(even, 0x3fcf3fcf, odd, 0xfc3ffc3f);
    const vector staying = seed_masked_sum(even, 0xf3fcf3fc, odd, 0xcff3cff3);
    return vector_xor(staying, vector_look_up(turning, half_turn));
}

/* Two registers' G in 49 operations, not 52: the bytes for S0 of both share a register, and so do those for S1, so
 * that no look-up's result is wasted. Its halves are two functions, so that another pair's work can be interleaved.
 *
 * The constants of these functions are operands in memory. Compilers would load them into registers, of which there
 * are too few, and spill the data instead; they cannot if the address always looks new. */
typedef struct seed_constants {
    RUNNEL_LINE_ALIGNED uint64_t swap[4];
    uint64_t even[4], odd[4], half_turn[4], even_turning[4], odd_turning[4], even_staying[4], odd_staying[4], zero[4];
} seed_constants;

static const seed_constants seed_operands = {
    .swap = {0x0607040502030001, 0x0e0f0c0d0a0b0809, 0x0607040502030001, 0x0e0f0c0d0a0b0809},
    .even = {0x0e0e04040a0a0000, 0x06060c0c02020808, 0x0e0e04040a0a0000, 0x06060c0c02020808},
    .odd = {0x0b0b010107070d0d, 0x030309090f0f0505, 0x0b0b010107070d0d, 0x030309090f0f0505},
    .half_turn = {0x0504070601000302, 0x0d0c0f0e09080b0a, 0x0504070601000302, 0x0d0c0f0e09080b0a},
    .even_turning = {0x3fcf3fcf3fcf3fcf, 0x3fcf3fcf3fcf3fcf, 0x3fcf3fcf3fcf3fcf, 0x3fcf3fcf3fcf3fcf},
    .odd_turning = {0xfc3ffc3ffc3ffc3f, 0xfc3ffc3ffc3ffc3f, 0xfc3ffc3ffc3ffc3f, 0xfc3ffc3ffc3ffc3f},
    .even_staying = {0xf3fcf3fcf3fcf3fc, 0xf3fcf3fcf3fcf3fc, 0xf3fcf3fcf3fcf3fc, 0xf3fcf3fcf3fcf3fc},
    .odd_staying = {0xcff3cff3cff3cff3, 0xcff3cff3cff3cff3, 0xcff3cff3cff3cff3, 0xcff3cff3cff3cff3},
};

TARGET RUNNEL_INLINE const seed_constants *seed_anew(const seed_constants **c)
{
    RUNNEL_VALUE_BARRIER(*c);
    return *c;
}

TARGET RUNNEL_INLINE void seed_g_begin(vector x[2])
{
    const seed_constants *c = &seed_operands;
    const vector second = vector_look_up(x[1], vector_load_aligned(seed_anew(&c)->swap)),
                 odd = vector_repeat_word(0xff00ff00);
    const vector for_s0 = vector_blend(x[0], second, odd), for_s1 = vector_blend(second, x[0], odd);
    vector low0 = seed_low_nibbles(for_s0), low1 = seed_low_nibbles(for_s1);
    vector high0 = vector_shift_right16(for_s0, 4), high1 = vector_shift_right16(for_s1, 4);
    high0 = seed_low_nibbles(high0);
    high1 = seed_low_nibbles(high1);
    low0 = vector_look_up(seed_p_low(), low0);
    low1 = vector_look_up(seed_p_low(), low1);
    high0 = vector_look_up(seed_p_high(), high0);
    high1 = vector_look_up(seed_p_high(), high1);
    x[0] = vector_aes_last_round(vector_xor(high0, low0), vector_load_aligned(seed_anew(&c)->zero));
    x[1] = vector_aes_last_round(vector_xor(high1, low1), vector_load_aligned(seed_anew(&c)->zero));
}

TARGET RUNNEL_INLINE void seed_g_end(vector x[2])
{
    const seed_constants *c = &seed_operands;
    vector s0 = seed_low_nibbles(x[0]), s1 = seed_low_nibbles(x[1]);
    vector high0 = vector_shift_right16(x[0], 4), high1 = vector_shift_right16(x[1], 4);
    high0 = seed_low_nibbles(high0);
    high1 = seed_low_nibbles(high1);
    s0 = vector_look_up(seed_q0_low(), s0);
    s1 = vector_look_up(seed_q1_low(), s1);
    high0 = vector_look_up(seed_q0_high(), high0);
    high1 = vector_look_up(seed_q1_high(), high1);
    s0 = vector_xor(s0, high0);
    s1 = vector_xor(s1, high1);
    /* the second's bytes are swapped with their neighbours: its even ones are where the first's odd ones are */
    vector even[2] = {vector_look_up(s0, vector_load_aligned(seed_anew(&c)->even)),
                      vector_look_up(s0, vector_load_aligned(seed_anew(&c)->odd))};
    vector odd[2] = {vector_look_up(s1, vector_load_aligned(seed_anew(&c)->odd)),
                     vector_look_up(s1, vector_load_aligned(seed_anew(&c)->even))};
    vector turning[2];
    RUNNEL_UNROLL
    for (int i = 0; i < 2; i++)
        turning[i] = vector_xor(vector_and(even[i], vector_load_aligned(seed_anew(&c)->even_turning)),
                                vector_and(odd[i], vector_load_aligned(seed_anew(&c)->odd_turning)));
    RUNNEL_UNROLL
    for (int i = 0; i < 2; i++)
        x[i] = vector_xor(vector_and(even[i], vector_load_aligned(seed_anew(&c)->even_staying)),
                          vector_and(odd[i], vector_load_aligned(seed_anew(&c)->odd_staying)));
    RUNNEL_UNROLL
    for (int i = 0; i < 2; i++)
        turning[i] = vector_look_up(turning[i], vector_load_aligned(seed_anew(&c)->half_turn));
    RUNNEL_UNROLL
    for (int i = 0; i < 2; i++)
        x[i] = vector_xor(x[i], turning[i]);
}

/* A shorter chain, with the shift between nibbles or the half turn replaced by more look-ups, was no faster: its
 * operations compete for ports. */
TARGET RUNNEL_INLINE vector seed_g_short(vector x)
{
    return seed_g(x);
}

#endif
