/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of eight keys side by side on x86 vector registers, after ctr.h. One expansion waits for itself, seven cycles a
 * round key; eight take little longer, and then their stores are the limit. */

#define KEY_VECTORS (RUNNEL_KEY_LANES / LANES)
#define EACH_KEY_VECTOR                                                                                                \
    RUNNEL_UNROLL                                                                                                      \
    for (int v = 0; v < KEY_VECTORS; v++)

#if LANES == 4
#define SHIFT_BYTES(x, n) _mm512_bslli_epi128(x, n)
#define WORD_2_TO_3(x) _mm512_maskz_shuffle_epi32(0x8888, x, _MM_PERM_CCCC)
#define REPEAT_WORD_3(x) _mm512_shuffle_epi32(x, _MM_PERM_DDDD)
#define EACH_LANE(f, x)                                                                                                \
    f(0, _mm512_castsi512_si128(x)) f(1, _mm512_extracti32x4_epi32(x, 1)) f(2, _mm512_extracti32x4_epi32(x, 2))        \
        f(3, _mm512_extracti32x4_epi32(x, 3))
#elif LANES == 2
#define SHIFT_BYTES(x, n) _mm256_bslli_epi128(x, n)
#define WORD_2_TO_3(x) _mm256_and_si256(_mm256_bslli_epi128(x, 4), REPEAT_REGISTER(_mm_set_epi32(-1, 0, 0, 0)))
#define REPEAT_WORD_3(x) _mm256_shuffle_epi32(x, 0xff)
#define EACH_LANE(f, x) f(0, _mm256_castsi256_si128(x)) f(1, _mm256_extracti128_si256(x, 1))
#else
#define SHIFT_BYTES(x, n) _mm_slli_si128(x, n)
#define WORD_2_TO_3(x) _mm_and_si128(_mm_slli_si128(x, 4), _mm_set_epi32(-1, 0, 0, 0))
#define REPEAT_WORD_3(x) _mm_shuffle_epi32(x, 0xff)
#define EACH_LANE(f, x) f(0, x)
#endif

/* LANES blocks, from as many places. */
TARGET RUNNEL_INLINE VECTOR gather_blocks(const uint8_t *const *from, size_t offset)
{
#define BLOCK_OF(i) _mm_loadu_si128((const void *)(from[i] + offset))
#if LANES == 1
    return BLOCK_OF(0);
#else
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(BLOCK_OF(0)), BLOCK_OF(1), 1);
#if LANES == 2
    return low;
#else
    __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(BLOCK_OF(2)), BLOCK_OF(3), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#endif
#endif
}

#define PLACE(i) ((uint8_t *)((runnel_aes_schedule *)states[i])->keys.bytes + offset)
#define STORE_BLOCK(i, x) _mm_storeu_si128((void *)PLACE(i), x);
#define STORE_UPPER_HALF(i, x) _mm_storeh_pd((void *)PLACE(i), _mm_castsi128_pd(x));

TARGET RUNNEL_INLINE void scatter_blocks(void *const *states, size_t offset, VECTOR x){EACH_LANE(STORE_BLOCK, x)}

TARGET RUNNEL_INLINE void scatter_ends(void *const *states, size_t offset, VECTOR x){EACH_LANE(STORE_UPPER_HALF, x)}

/* As sub_word and sum_words in key.c. */
TARGET RUNNEL_INLINE VECTOR sub_words_3(VECTOR x, int rotate, int constant)
{
    const __m128i order = _mm_set1_epi32(rotate ? 0x0c0f0e0d : 0x0f0e0d0c);
    return LAST(SHUFFLE_BYTES(x, REPEAT_REGISTER(order)), REPEAT_REGISTER(_mm_set1_epi32(constant)));
}

TARGET RUNNEL_INLINE VECTOR sum_all_words(VECTOR w, VECTOR t)
{
    w = XOR(w, SHIFT_BYTES(w, 4));
    return XOR(XOR(w, SHIFT_BYTES(w, 8)), t);
}

TARGET RUNNEL_INLINE void keys_128(void *const *states, const uint8_t *const *keys)
{
    VECTOR k[KEY_VECTORS];
    int constant = 1;
    EACH_KEY_VECTOR
    k[v] = gather_blocks(keys + LANES * v, 0);
    for (size_t offset = 0;; offset += 16, constant = constant << 1 ^ (constant >> 7) * 0x11b) {
        EACH_KEY_VECTOR
        scatter_blocks(states + LANES * v, offset, k[v]);
        if (offset == 160)
            return;
        EACH_KEY_VECTOR
        k[v] = sum_all_words(k[v], sub_words_3(k[v], 1, constant));
    }
}

TARGET RUNNEL_INLINE void keys_192(void *const *states, const uint8_t *const *keys)
{
    VECTOR k[KEY_VECTORS], end[KEY_VECTORS]; /* words 4 and 5 in the upper half of end, whose lower half is of no use */
    EACH_KEY_VECTOR
    {
        k[v] = gather_blocks(keys + LANES * v, 0);
        end[v] = gather_blocks(keys + LANES * v, 8);
    }
    for (size_t offset = 0, constant = 1;; offset += 24, constant <<= 1) {
        EACH_KEY_VECTOR
        scatter_blocks(states + LANES * v, offset, k[v]);
        if (offset == 192)
            return;
        EACH_KEY_VECTOR
        {
            scatter_ends(states + LANES * v, offset + 16, end[v]);
            k[v] = sum_all_words(k[v], sub_words_3(end[v], 1, (int)constant));
            end[v] = XOR(XOR(end[v], WORD_2_TO_3(end[v])), REPEAT_WORD_3(k[v]));
        }
    }
}

TARGET RUNNEL_INLINE void keys_256(void *const *states, const uint8_t *const *keys)
{
    VECTOR even[KEY_VECTORS], odd[KEY_VECTORS];
    EACH_KEY_VECTOR
    {
        even[v] = gather_blocks(keys + LANES * v, 0);
        odd[v] = gather_blocks(keys + LANES * v, 16);
    }
    for (size_t offset = 0, constant = 1;; offset += 32, constant <<= 1) {
        EACH_KEY_VECTOR
        scatter_blocks(states + LANES * v, offset, even[v]);
        if (offset == 224)
            return;
        EACH_KEY_VECTOR
        {
            scatter_blocks(states + LANES * v, offset + 16, odd[v]);
            even[v] = sum_all_words(even[v], sub_words_3(odd[v], 1, (int)constant));
            odd[v] = sum_all_words(odd[v], sub_words_3(even[v], 0, 0));
        }
    }
}

TARGET static void set_keys(void *const *states, const uint8_t *const *keys, size_t key_bytes)
{
    for (int i = 0; i < RUNNEL_KEY_LANES; i++)
        ((runnel_aes_schedule *)states[i])->rounds = (uint8_t)(key_bytes / 4 + 6);
    if (key_bytes == 16)
        keys_128(states, keys);
    else if (key_bytes == 24)
        keys_192(states, keys);
    else
        keys_256(states, keys);
    CLEAR_UPPER();
}
