/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of eight keys side by side on x86 vector registers. One expansion waits for itself, seven cycles a round key;
 * eight take little longer, and then their stores are the limit. The includer defines TARGET and includes the vectors of
 * its width. */
#ifndef AES_X86_KEYS_H
#define AES_X86_KEYS_H

#include "arch/x86/target.h"
#include "ciphers/aes/kernels.h"

enum { AES_KEY_VECTORS = RUNNEL_KEY_LANES / LANES };

/* As sub_word and sum_words in key.c. */
TARGET RUNNEL_INLINE vector aes_sub_words_3(vector x, int rotate, int constant)
{
    const __m128i order = _mm_set1_epi32(rotate ? 0x0c0f0e0d : 0x0f0e0d0c);
    return vector_aes_last_round(vector_shuffle_bytes(x, order), vector_repeat(_mm_set1_epi32(constant)));
}

TARGET RUNNEL_INLINE vector aes_sum_all_words(vector w, vector t)
{
    w = vector_xor(w, vector_shift_word(w));
    return vector_xor(vector_xor(w, vector_shift_two_words(w)), t);
}

TARGET RUNNEL_INLINE void aes_gather_keys(vector k[AES_KEY_VECTORS], const uint8_t *const *keys, size_t offset)
{
    RUNNEL_UNROLL
    for (int v = 0; v < AES_KEY_VECTORS; v++)
        k[v] = vector_gather(keys + LANES * v, offset);
}

TARGET RUNNEL_INLINE void aes_scatter_keys(uint8_t *const *to, size_t offset, const vector k[AES_KEY_VECTORS])
{
    RUNNEL_UNROLL
    for (int v = 0; v < AES_KEY_VECTORS; v++)
        vector_scatter(to + LANES * v, offset, k[v]);
}

TARGET RUNNEL_INLINE void aes_keys_128(uint8_t *const *to, const uint8_t *const *keys)
{
    vector k[AES_KEY_VECTORS];
    int constant = 1;
    aes_gather_keys(k, keys, 0);
    for (size_t offset = 0;; offset += 16, constant = constant << 1 ^ (constant >> 7) * 0x11b) {
        aes_scatter_keys(to, offset, k);
        if (offset == 160)
            return;
        RUNNEL_UNROLL
        for (int v = 0; v < AES_KEY_VECTORS; v++)
            k[v] = aes_sum_all_words(k[v], aes_sub_words_3(k[v], 1, constant));
    }
}

TARGET RUNNEL_INLINE void aes_keys_192(uint8_t *const *to, const uint8_t *const *keys)
{
    vector k[AES_KEY_VECTORS],
        end[AES_KEY_VECTORS]; /* words 4 and 5 in the upper half of end, whose lower half is of no use */
    aes_gather_keys(k, keys, 0);
    aes_gather_keys(end, keys, 8);
    for (size_t offset = 0, constant = 1;; offset += 24, constant <<= 1) {
        aes_scatter_keys(to, offset, k);
        if (offset == 192)
            return;
        RUNNEL_UNROLL
        for (int v = 0; v < AES_KEY_VECTORS; v++) {
            vector_scatter_upper_halves(to + LANES * v, offset + 16, end[v]);
            k[v] = aes_sum_all_words(k[v], aes_sub_words_3(end[v], 1, (int)constant));
            end[v] = vector_xor(vector_xor(end[v], vector_word_2_to_3(end[v])), vector_repeat_word_3(k[v]));
        }
    }
}

TARGET RUNNEL_INLINE void aes_keys_256(uint8_t *const *to, const uint8_t *const *keys)
{
    vector even[AES_KEY_VECTORS], odd[AES_KEY_VECTORS];
    aes_gather_keys(even, keys, 0);
    aes_gather_keys(odd, keys, 16);
    for (size_t offset = 0, constant = 1;; offset += 32, constant <<= 1) {
        aes_scatter_keys(to, offset, even);
        if (offset == 224)
            return;
        RUNNEL_UNROLL
        for (int v = 0; v < AES_KEY_VECTORS; v++) {
            vector_scatter(to + LANES * v, offset + 16, odd[v]);
            even[v] = aes_sum_all_words(even[v], aes_sub_words_3(odd[v], 1, (int)constant));
            odd[v] = aes_sum_all_words(odd[v], aes_sub_words_3(even[v], 0, 0));
        }
    }
}

TARGET static void aes_set_keys(void *const *states, const uint8_t *const *keys, size_t key_bytes)
{
    uint8_t *to[RUNNEL_KEY_LANES];
    for (int i = 0; i < RUNNEL_KEY_LANES; i++) {
        runnel_aes_schedule *s = states[i];
        s->rounds = (uint8_t)(key_bytes / 4 + 6);
        to[i] = s->keys.bytes[0];
    }
    if (key_bytes == 16)
        aes_keys_128(to, keys);
    else if (key_bytes == 24)
        aes_keys_192(to, keys);
    else
        aes_keys_256(to, keys);
    vector_clear_upper();
}

#endif
