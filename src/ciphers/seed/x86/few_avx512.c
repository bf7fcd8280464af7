/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The shortest chain for G. A 128-bit part of a register has the words of two blocks, and these again, since
 * GF2P8AFFINEINVQB takes another matrix for each 64 bits: so it makes an S-box's result under two of the four masks at a
 * time, and four of it, side by side, all that G joins. What is left are a shuffle and two XORs. */
#include "arch/x86/target.h"
#include "few_avx512.h"
#include "gfni.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#define VECTOR_AVX512
#include "arch/x86/blocks_256.h"

/* The rows of a matrix for the bits that are set in mask. */
TARGET RUNNEL_INLINE long long seed_rows(uint64_t matrix, unsigned mask)
{
    uint64_t rows = 0;
    RUNNEL_UNROLL
    for (unsigned bit = 0; bit < 8; bit++)
        rows |= (uint64_t)(mask >> bit & 1) * 0xff << 8 * (7 - bit);
    return (long long)(matrix & rows);
}

/* Of an S-box's matrix the rows for the bits of one mask, and for those of another. */
TARGET RUNNEL_INLINE vector seed_masked(uint64_t matrix, unsigned first, unsigned second)
{
    return _mm256_setr_epi64x(seed_rows(matrix, first), seed_rows(matrix, second), seed_rows(matrix, first),
                              seed_rows(matrix, second));
}

/* Where the bytes of two words come from: byte i under the first mask for byte 0, under the second for byte 1, and the
 * byte two further on for bytes 2 and 3, which have the same masks. */
TARGET RUNNEL_INLINE vector seed_two_words(vector s, const char i)
{
    const char j = i ^ 2;
    return vector_shuffle_bytes(s, _mm_setr_epi8(i, i + 8, j, j + 8, i + 4, i + 12, j + 4, j + 12, i, i + 8, j, j + 8,
                                                 i + 4, i + 12, j + 4, j + 12));
}

TARGET RUNNEL_INLINE vector seed_g(vector x)
{
    const vector m0 = seed_masked(SEED_S0_MATRIX, 0xfc, 0xf3), m1 = seed_masked(SEED_S1_MATRIX, 0xf3, 0xcf);
    const vector m2 = seed_masked(SEED_S0_MATRIX, 0xcf, 0x3f), m3 = seed_masked(SEED_S1_MATRIX, 0x3f, 0xfc);
    const vector y = _mm256_gf2p8affine_epi64_epi8(x, _mm256_set1_epi64x(SEED_TO_AES_FIELD), 0);
    const vector s0 = _mm256_gf2p8affineinv_epi64_epi8(y, m0, 0);
    const vector s1 = _mm256_gf2p8affineinv_epi64_epi8(y, m1, 0);
    const vector s2 = _mm256_gf2p8affineinv_epi64_epi8(y, m2, 0);
    const vector s3 = _mm256_gf2p8affineinv_epi64_epi8(y, m3, 0);
    /* what the S-boxes' constants come to, under all masks */
    const vector constant = vector_repeat_word(0xb829b829);
    const vector first = vector_xor3(seed_two_words(s0, 0), seed_two_words(s1, 1), constant);
    return vector_xor3(first, seed_two_words(s2, 2), seed_two_words(s3, 3));
}

/* w[i]: the four words of each of four blocks; leaves the halves swapped. What the next round adds to its input is
 * computed off the chain. */
TARGET RUNNEL_INLINE void seed_encrypt(vector w[][4], const int sets, const uint32_t *key)
{
    vector c[2], d[2], sum[2];
    RUNNEL_UNROLL
    for (int i = 0; i < sets; i++)

    {
        c[i] = vector_xor(w[i][2], vector_repeat_word(key[0]));
        sum[i] = vector_xor3(c[i], w[i][3], vector_repeat_word(key[1]));
    }
    for (int r = 2; r <= 32; r += 2) {
        const uint32_t *next = key + (r & 31); /* after the last round any will do */
        vector c_part[2], sum_part[2];
        RUNNEL_UNROLL
        for (int i = 0; i < sets; i++)

        {
            c_part[i] = vector_xor(w[i][0], vector_repeat_word(next[0]));
            sum_part[i] = vector_xor3(c_part[i], w[i][1], vector_repeat_word(next[1]));
            d[i] = seed_g(sum[i]);
        }
        RUNNEL_UNROLL
        for (int i = 0; i < sets; i++)
            c[i] = seed_g(vector_add32(c[i], d[i]));
        RUNNEL_UNROLL
        for (int i = 0; i < sets; i++)
            d[i] = seed_g(vector_add32(d[i], c[i]));
        RUNNEL_UNROLL
        for (int i = 0; i < sets; i++)

        {
            c[i] = vector_add32(c[i], d[i]);
            sum[i] = vector_xor3(sum_part[i], d[i], c[i]);
            const vector left0 = vector_xor(w[i][0], c[i]), left1 = vector_xor(w[i][1], d[i]);
            c[i] = vector_xor(c_part[i], c[i]);
            w[i][0] = w[i][2];
            w[i][1] = w[i][3];
            w[i][2] = left0;
            w[i][3] = left1;
        }
    }
}

TARGET RUNNEL_INLINE vector seed_swap_bytes(vector v)
{
    return vector_shuffle_bytes(v, _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}

TARGET RUNNEL_INLINE size_t seed_at_most_2(size_t blocks)
{
    return blocks < 2 ? blocks : 2;
}

/* n blocks, at most those of the sets: in XOR the sets; in == NULL: the sets. The one after them goes to leftover, as it
 * is, unless leftover is NULL. */
TARGET RUNNEL_INLINE void seed_put(uint8_t *out, const uint8_t *in, vector w[][4], const int sets, size_t n,
                                   uint8_t *leftover)
{
    RUNNEL_UNROLL
    for (int i = 0; i < sets; i++)

    {
        const vector right = vector_unpack_low32(w[i][2], w[i][3]), left = vector_unpack_low32(w[i][0], w[i][1]);
        const vector two[2] = {seed_swap_bytes(vector_unpack_low64(right, left)),
                               seed_swap_bytes(vector_unpack_high64(right, left))};
        RUNNEL_UNROLL
        for (int j = 0; j < 2; j++) {
            const size_t m = seed_at_most_2(n);
            const vector text = in == NULL ? vector_zero() : vector_load_blocks(in + 64 * i + 32 * j, m);
            vector_store_blocks(out + 64 * i + 32 * j, vector_xor(two[j], text), m);
            if (m < 2) {
                if (leftover != NULL)
                    _mm_storeu_si128((void *)leftover, vector_block(two[j], m));
                return;
            }
            n -= m;
        }
    }
}

/* The word at byte `at` of a block, big-endian, as all words. */
TARGET RUNNEL_INLINE vector seed_spread_word(vector blocks, const char at)
{
    const char a = at + 3, b = at + 2, c = at + 1;
    return vector_shuffle_bytes(blocks, _mm_setr_epi8(a, b, c, at, a, b, c, at, a, b, c, at, a, b, c, at));
}

/* A block's words, each as all words of a register. */
TARGET RUNNEL_INLINE void seed_spread(vector w[4], const uint8_t *block)
{
    const vector both = vector_repeat_at(block);
    w[0] = seed_spread_word(both, 0);
    w[1] = seed_spread_word(both, 4);
    w[2] = seed_spread_word(both, 8);
    w[3] = seed_spread_word(both, 12);
}

TARGET RUNNEL_INLINE void seed_xor_sets(const uint32_t *key, const uint8_t *block, const int sets, uint8_t *out,
                                        const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    vector w[2][4];
    RUNNEL_UNROLL
    for (int i = 0; i < sets; i++)

    {
        const vector numbers = _mm256_setr_epi32(0, 2, 0, 2, 1, 3, 1, 3);
        seed_spread(w[i], block);
        w[i][3] = vector_add32(w[i][3], vector_add32(numbers, vector_repeat_word(4 * (uint32_t)i)));
    }
    seed_encrypt(w, sets, key);
    seed_put(out, in, w, sets, nblocks, leftover);
}

TARGET void runnel_seed_xor_few(const uint32_t *key, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                size_t nblocks, uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) <= 4)
        seed_xor_sets(key, block, 1, out, in, nblocks, leftover);
    else
        seed_xor_sets(key, block, 2, out, in, nblocks, leftover);
}

TARGET RUNNEL_INLINE void seed_encrypt_sets(const uint32_t *key, const int sets, uint8_t *out, const uint8_t *in,
                                            const size_t nblocks)
{
    vector w[2][4];
    size_t n = nblocks;
    RUNNEL_UNROLL
    for (int i = 0; i < sets; i++)

    {
        vector two[2];
        RUNNEL_UNROLL
        for (int j = 0; j < 2; j++) {
            const size_t m = seed_at_most_2(n);
            two[j] = seed_swap_bytes(vector_load_blocks(in + 64 * i + 32 * j, m));
            n -= m;
        }
        const vector left = vector_unpack_low32(two[0], two[1]), right = vector_unpack_high32(two[0], two[1]);
        w[i][0] = _mm256_shuffle_epi32(left, 0x44);
        w[i][1] = _mm256_shuffle_epi32(left, 0xee);
        w[i][2] = _mm256_shuffle_epi32(right, 0x44);
        w[i][3] = _mm256_shuffle_epi32(right, 0xee);
    }
    seed_encrypt(w, sets, key);
    seed_put(out, NULL, w, sets, nblocks, NULL);
}

TARGET void runnel_seed_encrypt_few(const uint32_t *key, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (nblocks <= 4)
        seed_encrypt_sets(key, 1, out, in, nblocks);
    else
        seed_encrypt_sets(key, 2, out, in, nblocks);
}

/* The block stays in registers as words; its bytes are put together beside the chain. */
TARGET void runnel_seed_cfb_avx512(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_seed_schedule *s = state;
    vector w[1][4];
    __m128i made;
    seed_spread(w[0], last);
    do {
        vector text[4];
        seed_spread(text, in);
        seed_encrypt(w, 1, s->words);
        RUNNEL_UNROLL
        for (int i = 0; i < 4; i++)
            text[i] = vector_xor(text[i], w[0][i ^ 2]);
        memcpy(w[0], text, sizeof text);
        const vector left = vector_unpack_low32(text[0], text[1]), right = vector_unpack_low32(text[2], text[3]);
        made = _mm256_castsi256_si128(seed_swap_bytes(vector_unpack_low64(left, right)));
        _mm_storeu_si128((void *)out, made);
        in += 16;
        out += 16;
    } while (--nblocks > 0);
    _mm_storeu_si128((void *)last, made);
}

#endif
