/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's S-boxes by the AES instructions. With S the S-box of AES, S1 = S and S3 is its inverse; S2(x) = Q S(x) ^
 * 0x88 and S4, its inverse, is S3(Q^-1 (x ^ 0x88)) = S3(Q^-1 x ^ 0x04), Q being a matrix over GF(2). A matrix is
 * GF2P8AFFINEQB or, without it, two look-ups in a register, one a nibble. AESENCLAST and AESDECLAST also shift rows, in
 * opposite directions, and add a key.
 *
 * The includer defines TARGET, and VECTOR_GFNI if that has GFNI, and includes the vectors of its width. */
#ifndef ARIA_X86_MAPS_H
#define ARIA_X86_MAPS_H

#include "arch/x86/target.h"
#include "tables.h"

#ifdef VECTOR_GFNI
/* Q x ^ 0x88 */
TARGET RUNNEL_INLINE vector aria_s2_of_s1(vector x)
{
    return VECTOR_AFFINE(x, vector_repeat_long(0x8312f396321aa0e7), 0x88);
}

/* Q^-1 x ^ 0x04 */
TARGET RUNNEL_INLINE vector aria_s4_to_s3(vector x)
{
    return VECTOR_AFFINE(x, vector_repeat_long(0x8dde5822dc12cb52), 0x04);
}

/* Q^-1 x */
TARGET RUNNEL_INLINE vector aria_inverse_q(vector x)
{
    return VECTOR_AFFINE(x, vector_repeat_long(0x8dde5822dc12cb52), 0);
}
#else
static const RUNNEL_LINE_ALIGNED uint8_t aria_q_low[16] = {0x00, 0x85, 0xbf, 0x3a, 0x88, 0x0d, 0x37, 0xb2,
                                                           0x20, 0xa5, 0x9f, 0x1a, 0xa8, 0x2d, 0x17, 0x92};
/* and ^ 0x88 */
static const RUNNEL_LINE_ALIGNED uint8_t aria_q_high_88[16] = {0x88, 0xb6, 0x5c, 0x62, 0x0c, 0x32, 0xd8, 0xe6,
                                                               0x45, 0x7b, 0x91, 0xaf, 0xc1, 0xff, 0x15, 0x2b};
static const RUNNEL_LINE_ALIGNED uint8_t aria_inverse_q_low[16] = {0x00, 0x41, 0xea, 0xab, 0x13, 0x52, 0xf9, 0xb8,
                                                                   0x57, 0x16, 0xbd, 0xfc, 0x44, 0x05, 0xae, 0xef};
static const RUNNEL_LINE_ALIGNED uint8_t aria_inverse_q_high[16] = {0x00, 0xb6, 0x08, 0xbe, 0xd6, 0x60, 0xde, 0x68,
                                                                    0x53, 0xe5, 0x5b, 0xed, 0x85, 0x33, 0x8d, 0x3b};
/* and ^ 0x04 */
static const RUNNEL_LINE_ALIGNED uint8_t aria_inverse_q_high_04[16] = {0x04, 0xb2, 0x0c, 0xba, 0xd2, 0x64, 0xda, 0x6c,
                                                                       0x57, 0xe1, 0x5f, 0xe9, 0x81, 0x37, 0x89, 0x3f};

/* The XOR of what two tables have for each byte's nibbles. */
TARGET RUNNEL_INLINE vector aria_map_bytes(vector x, const uint8_t *low, const uint8_t *high)
{
    const vector nibbles = vector_repeat_byte(0x0f);
    const vector of_low = vector_look_up(aria_table(low), vector_and(x, nibbles));
    return vector_xor(of_low, vector_look_up(aria_table(high), vector_and(vector_shift_right16(x, 4), nibbles)));
}

/* Q x ^ 0x88 */
TARGET RUNNEL_INLINE vector aria_s2_of_s1(vector x)
{
    return aria_map_bytes(x, aria_q_low, aria_q_high_88);
}

/* Q^-1 x ^ 0x04 */
TARGET RUNNEL_INLINE vector aria_s4_to_s3(vector x)
{
    return aria_map_bytes(x, aria_inverse_q_low, aria_inverse_q_high_04);
}

/* Q^-1 x */
TARGET RUNNEL_INLINE vector aria_inverse_q(vector x)
{
    return aria_map_bytes(x, aria_inverse_q_low, aria_inverse_q_high);
}
#endif

/* The top bits of the bytes of a word that go through S4 in odd rounds, where those for S2 are in even ones; and the
 * other way round. */
TARGET RUNNEL_INLINE vector aria_s4_bytes(const int odd)
{
    return vector_repeat_word(odd ? 0xff000000 : 0x0000ff00);
}

TARGET RUNNEL_INLINE vector aria_s2_bytes(const int odd)
{
    return aria_s4_bytes(!odd);
}

#endif
