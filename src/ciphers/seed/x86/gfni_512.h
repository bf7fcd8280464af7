/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* G by GFNI on 512-bit registers, and what goes through it for the round keys, for rounds.h. */
#ifndef SEED_X86_GFNI_512_H
#define SEED_X86_GFNI_512_H

#include "arch/common/bytes.h"
#include "arch/x86/blocks_512.h"
#include "gfni.h"

/* Byte by byte: the isomorphism P, and the S-boxes from there. */
TARGET RUNNEL_INLINE vector seed_to_aes_field(vector x)
{
    return _mm512_gf2p8affine_epi64_epi8(x, _mm512_set1_epi64(SEED_TO_AES_FIELD), 0);
}

TARGET RUNNEL_INLINE vector seed_s0(vector y)
{
    return _mm512_gf2p8affineinv_epi64_epi8(y, _mm512_set1_epi64((long long)SEED_S0_MATRIX), SEED_S0_CONSTANT);
}

TARGET RUNNEL_INLINE vector seed_s1(vector y)
{
    return _mm512_gf2p8affineinv_epi64_epi8(y, _mm512_set1_epi64((long long)SEED_S1_MATRIX), SEED_S1_CONSTANT);
}

/* (a & a_mask) ^ (b & b_mask) */
TARGET RUNNEL_INLINE vector seed_masked_sum(vector a, uint32_t a_mask, vector b, uint32_t b_mask)
{
    return _mm512_ternarylogic_epi32(vector_and(a, vector_repeat_word(a_mask)), b, vector_repeat_word(b_mask), 0x78);
}

/* Byte j of the result is the XOR over k of byte j + k of the S-boxes, masked; a word is rotated for k = 1 after it is
 * joined with that rotated for k = 3. */
TARGET RUNNEL_INLINE vector seed_g(vector x)
{
    const vector y = seed_to_aes_field(x);
    const vector s = _mm512_mask_mov_epi8(seed_s0(y), 0xaaaaaaaaaaaaaaaa, seed_s1(y));
    const vector half_turned = _mm512_ror_epi32(s, 16);
    const vector turning = seed_masked_sum(s, 0xf33ff33f, half_turned, 0x3ff33ff3);
    const vector staying = seed_masked_sum(s, 0xcffccffc, half_turned, 0xfccffccf);
    return vector_xor(staying, _mm512_ror_epi32(turning, 8));
}

TARGET RUNNEL_INLINE void seed_g_begin(vector x[2])
{
    (void)x;
}

TARGET RUNNEL_INLINE void seed_g_end(vector x[2])
{
    x[0] = seed_g(x[0]);
    x[1] = seed_g(x[1]);
}

/* More operations in a shorter chain: bytes are picked from each S-box's result as it arrives. */
TARGET RUNNEL_INLINE vector seed_g_short(vector x)
{
    const __m128i even = _mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const __m128i odd = _mm_setr_epi8(1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const __m128i even_turned = _mm_setr_epi8(2, 2, 0, 0, 6, 6, 4, 4, 10, 10, 8, 8, 14, 14, 12, 12);
    const __m128i odd_turned = _mm_setr_epi8(3, 3, 1, 1, 7, 7, 5, 5, 11, 11, 9, 9, 15, 15, 13, 13);
    const vector y = seed_to_aes_field(x), s0 = seed_s0(y), s1 = seed_s1(y);
    const vector staying =
        seed_masked_sum(vector_shuffle_bytes(s0, even), 0xf3fcf3fc, vector_shuffle_bytes(s1, odd), 0xcff3cff3);
    const vector turned = seed_masked_sum(vector_shuffle_bytes(s0, even_turned), 0x3fcf3fcf,
                                          vector_shuffle_bytes(s1, odd_turned), 0xfc3ffc3f);
    return vector_xor(staying, turned);
}

/* What goes through G for the round keys, all at once: in each 64 bits the two words of a round, which are a sum and a
 * difference of the key's halves, rotated so far. After eight rounds both halves have been rotated by 32 bits. */
TARGET RUNNEL_INLINE vector seed_round_constants(unsigned first)
{
    uint32_t x[16];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t constant = 0x9e3779b9u << (first + i) | 0x9e3779b9u >> (31 - first - i) >> 1;
        x[2 * i] = 0 - constant;
        x[2 * i + 1] = constant + 1; /* a - b is a + ~b + 1 */
    }
    return vector_load(x);
}

TARGET RUNNEL_INLINE void seed_key_words(uint32_t words[32], const uint8_t *key)
{
    vector left = _mm512_set1_epi64((long long)runnel_load64be(key));
    vector right = _mm512_set1_epi64((long long)runnel_load64be(key + 8));
    left = _mm512_rolv_epi64(left, _mm512_setr_epi64(32, 24, 24, 16, 16, 8, 8, 0));
    right = _mm512_rolv_epi64(right, _mm512_setr_epi64(32, 32, 40, 40, 48, 48, 56, 56));
    RUNNEL_UNROLL
    for (int i = 0; i < 2; i++) {
        const vector second_inverted = vector_xor(right, _mm512_set1_epi64((long long)0xffffffff00000000));
        vector_store(words + 16 * i,
                     vector_add32(vector_add32(left, second_inverted), seed_round_constants(8 * (unsigned)i)));
        left = _mm512_ror_epi64(left, 32);
        right = _mm512_ror_epi64(right, 32);
    }
}
#endif
