/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The key schedule on vector registers. To be defined before: TARGET, a function's attribute, and
 * TARGET static inline uint8x16_t aes_sub_words(uint8x16_t x): SubWord of four equal words. */
#ifndef AES_AARCH64_KEY_H
#define AES_AARCH64_KEY_H

/* SubWord of word 3, rotated by a byte if asked for, XOR constant, in every word. */
TARGET static inline uint8x16_t aes_sub_word_3(uint8x16_t x, int rotate, uint32_t constant)
{
    uint32x4_t word = vdupq_laneq_u32(vreinterpretq_u32_u8(x), 3);
    if (rotate)
        word = vsriq_n_u32(vshlq_n_u32(word, 24), word, 8);
    return veorq_u8(aes_sub_words(vreinterpretq_u8_u32(word)), vreinterpretq_u8_u32(vdupq_n_u32(constant)));
}

/* Words w0, w0 ^ w1, w0 ^ w1 ^ w2, w0 ^ w1 ^ w2 ^ w3, all XOR t. */
static inline uint8x16_t aes_sum_words(uint8x16_t w, uint8x16_t t)
{
    const uint8x16_t zero = vdupq_n_u8(0);
    w = veorq_u8(w, vextq_u8(zero, w, 12));
    return veorq_u8(veorq_u8(w, vextq_u8(zero, w, 8)), t);
}

TARGET static void aes_expand_128(uint8_t (*keys)[16], uint8x16_t k)
{
    uint32_t constant = 1;
    for (int r = 0; r < 10; r++) {
        vst1q_u8(keys[r], k);
        k = aes_sum_words(k, aes_sub_word_3(k, 1, constant));
        constant = constant << 1 ^ (constant >> 7) * 0x11b;
    }
    vst1q_u8(keys[10], k);
}

TARGET static void aes_expand_192(uint8_t *p, uint8x16_t k, uint8x8_t words_4_5)
{
    for (uint32_t constant = 1;; constant <<= 1) {
        vst1q_u8(p, k);
        if (constant == 0x100)
            return;
        vst1_u8(p + 16, words_4_5);
        k = aes_sum_words(k, aes_sub_word_3(vcombine_u8(words_4_5, words_4_5), 1, constant));
        const uint32x2_t both = vreinterpret_u32_u8(veor_u8(words_4_5, vext_u8(vdup_n_u8(0), words_4_5, 4)));
        words_4_5 = vreinterpret_u8_u32(veor_u32(both, vdup_laneq_u32(vreinterpretq_u32_u8(k), 3)));
        p += 24;
    }
}

TARGET static void aes_expand_256(uint8_t (*keys)[16], uint8x16_t even, uint8x16_t odd)
{
    for (uint32_t constant = 1;; constant <<= 1) {
        vst1q_u8(keys[0], even);
        if (constant == 0x80)
            return;
        vst1q_u8(keys[1], odd);
        even = aes_sum_words(even, aes_sub_word_3(odd, 1, constant));
        odd = aes_sum_words(odd, aes_sub_word_3(even, 0, 0));
        keys += 2;
    }
}

/* Round keys in the order of FIPS 197. */
static inline void aes_expand_round_keys(uint8_t (*keys)[16], const uint8_t *key, size_t key_bytes)
{
    const uint8x16_t k = vld1q_u8(key);
    if (key_bytes == 16)
        aes_expand_128(keys, k);
    else if (key_bytes == 24)
        aes_expand_192(keys[0], k, vld1_u8(key + 16));
    else
        aes_expand_256(keys, k, vld1q_u8(key + 16));
}

#endif
