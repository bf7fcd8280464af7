/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The shortest chain for G. A 128-bit part of a register has the words of two blocks, and these again, since
 * GF2P8AFFINEINVQB takes another matrix for each 64 bits: so it makes an S-box's result under two of the four masks at a
 * time, and four of it, side by side, all that G joins. What is left are a shuffle and two XORs. */
#include "arch/x86/target.h"
#include "few_avx512.h"
#include "gfni.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#define INLINE TARGET RUNNEL_INLINE

typedef __m256i seed_vec;

#define REPEAT(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))
#define XOR3(a, b, c) _mm256_ternarylogic_epi32(a, b, c, 0x96)

/* Of an S-box's matrix the rows for the bits of one mask, and for those of another. */
#define ROW(mask, bit) ((uint64_t)((mask) >> (bit) & 1) * 0xff << 8 * (7 - (bit)))
#define ROWS(mask)                                                                                                     \
    (ROW(mask, 0) | ROW(mask, 1) | ROW(mask, 2) | ROW(mask, 3) | ROW(mask, 4) | ROW(mask, 5) | ROW(mask, 6) |          \
     ROW(mask, 7))
#define MASKED(matrix, first, second)                                                                                  \
    _mm256_setr_epi64x((long long)((matrix) & ROWS(first)), (long long)((matrix) & ROWS(second)),                      \
                       (long long)((matrix) & ROWS(first)), (long long)((matrix) & ROWS(second)))

/* Where the bytes of two words come from: byte i under the first mask for byte 0, under the second for byte 1, and the
 * byte two further on for bytes 2 and 3, which have the same masks. */
#define TWO_WORDS(i) i, i + 8, i ^ 2, (i ^ 2) + 8, i + 4, i + 12, (i ^ 2) + 4, (i ^ 2) + 12
#define PLACES(i) REPEAT(TWO_WORDS(i), TWO_WORDS(i))

INLINE seed_vec seed_g(seed_vec x)
{
    const seed_vec m0 = MASKED(SEED_S0_MATRIX, 0xfc, 0xf3), m1 = MASKED(SEED_S1_MATRIX, 0xf3, 0xcf);
    const seed_vec m2 = MASKED(SEED_S0_MATRIX, 0xcf, 0x3f), m3 = MASKED(SEED_S1_MATRIX, 0x3f, 0xfc);
    const seed_vec y = _mm256_gf2p8affine_epi64_epi8(x, _mm256_set1_epi64x(SEED_TO_AES_FIELD), 0);
    const seed_vec s0 = _mm256_gf2p8affineinv_epi64_epi8(y, m0, 0);
    const seed_vec s1 = _mm256_gf2p8affineinv_epi64_epi8(y, m1, 0);
    const seed_vec s2 = _mm256_gf2p8affineinv_epi64_epi8(y, m2, 0);
    const seed_vec s3 = _mm256_gf2p8affineinv_epi64_epi8(y, m3, 0);
    /* what the S-boxes' constants come to, under all masks */
    const seed_vec constant = _mm256_set1_epi32((int)0xb829b829);
    const seed_vec first = XOR3(_mm256_shuffle_epi8(s0, PLACES(0)), _mm256_shuffle_epi8(s1, PLACES(1)), constant);
    return XOR3(first, _mm256_shuffle_epi8(s2, PLACES(2)), _mm256_shuffle_epi8(s3, PLACES(3)));
}

#define EACH_SET RUNNEL_UNROLL for (int i = 0; i < sets; i++)
#define WORD(pointer) _mm256_set1_epi32((int)*(pointer))

/* w[i]: the four words of each of four blocks; leaves the halves swapped. What the next round adds to its input is
 * computed off the chain. */
INLINE void seed_encrypt(seed_vec w[][4], const int sets, const uint32_t *key)
{
    seed_vec c[2], d[2], sum[2];
    EACH_SET
    {
        c[i] = _mm256_xor_si256(w[i][2], WORD(key));
        sum[i] = XOR3(c[i], w[i][3], WORD(key + 1));
    }
    for (int r = 2; r <= 32; r += 2) {
        const uint32_t *next = key + (r & 31); /* after the last round any will do */
        seed_vec c_part[2], sum_part[2];
        EACH_SET
        {
            c_part[i] = _mm256_xor_si256(w[i][0], WORD(next));
            sum_part[i] = XOR3(c_part[i], w[i][1], WORD(next + 1));
            d[i] = seed_g(sum[i]);
        }
        EACH_SET c[i] = seed_g(_mm256_add_epi32(c[i], d[i]));
        EACH_SET d[i] = seed_g(_mm256_add_epi32(d[i], c[i]));
        EACH_SET
        {
            c[i] = _mm256_add_epi32(c[i], d[i]);
            sum[i] = XOR3(sum_part[i], d[i], c[i]);
            const seed_vec left0 = _mm256_xor_si256(w[i][0], c[i]), left1 = _mm256_xor_si256(w[i][1], d[i]);
            c[i] = _mm256_xor_si256(c_part[i], c[i]);
            w[i][0] = w[i][2];
            w[i][1] = w[i][3];
            w[i][2] = left0;
            w[i][3] = left1;
        }
    }
}

/* Two blocks of a register, of which `blocks`, at most 2, count. */
#define FIRST_BLOCKS(blocks) ((__mmask8)((1u << 2 * (blocks)) - 1))

INLINE seed_vec seed_swap_bytes(seed_vec v)
{
    return _mm256_shuffle_epi8(v, REPEAT(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}

INLINE size_t seed_at_most_2(size_t blocks)
{
    return blocks < 2 ? blocks : 2;
}

/* n blocks, at most those of the sets: in XOR the sets; in == NULL: the sets. The one after them goes to leftover, as it
 * is, unless leftover is NULL. */
INLINE void seed_put(uint8_t *out, const uint8_t *in, seed_vec w[][4], const int sets, size_t n, uint8_t *leftover)
{
    EACH_SET
    {
        const seed_vec right = _mm256_unpacklo_epi32(w[i][2], w[i][3]), left = _mm256_unpacklo_epi32(w[i][0], w[i][1]);
        const seed_vec two[2] = {seed_swap_bytes(_mm256_unpacklo_epi64(right, left)),
                                 seed_swap_bytes(_mm256_unpackhi_epi64(right, left))};
        RUNNEL_UNROLL
        for (int j = 0; j < 2; j++) {
            const size_t m = seed_at_most_2(n);
            const __mmask8 those = FIRST_BLOCKS(m);
            const seed_vec text = in == NULL ? _mm256_setzero_si256()
                                             : _mm256_maskz_loadu_epi64(those, (const void *)(in + 64 * i + 32 * j));
            _mm256_mask_storeu_epi64((void *)(out + 64 * i + 32 * j), those, _mm256_xor_si256(two[j], text));
            if (m < 2) {
                if (leftover != NULL)
                    _mm_storeu_si128((void *)leftover,
                                     m == 0 ? _mm256_castsi256_si128(two[j]) : _mm256_extracti128_si256(two[j], 1));
                return;
            }
            n -= m;
        }
    }
}

/* A word of a block, big-endian, as all words. */
#define FOUR_BYTES(at) at + 3, at + 2, at + 1, at
#define BROADCAST(at) REPEAT(FOUR_BYTES(at), FOUR_BYTES(at), FOUR_BYTES(at), FOUR_BYTES(at))

/* A block's words, each as all words of a register. */
INLINE void seed_spread(seed_vec w[4], const uint8_t *block)
{
    const seed_vec both = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)block));
    w[0] = _mm256_shuffle_epi8(both, BROADCAST(0));
    w[1] = _mm256_shuffle_epi8(both, BROADCAST(4));
    w[2] = _mm256_shuffle_epi8(both, BROADCAST(8));
    w[3] = _mm256_shuffle_epi8(both, BROADCAST(12));
}

INLINE void seed_xor_sets(const uint32_t *key, const uint8_t *block, const int sets, uint8_t *out, const uint8_t *in,
                          size_t nblocks, uint8_t *leftover)
{
    seed_vec w[2][4];
    EACH_SET
    {
        const seed_vec numbers = _mm256_setr_epi32(0, 2, 0, 2, 1, 3, 1, 3);
        seed_spread(w[i], block);
        w[i][3] = _mm256_add_epi32(w[i][3], _mm256_add_epi32(numbers, _mm256_set1_epi32(4 * i)));
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

INLINE void seed_encrypt_sets(const uint32_t *key, const int sets, uint8_t *out, const uint8_t *in,
                              const size_t nblocks)
{
    seed_vec w[2][4];
    size_t n = nblocks;
    EACH_SET
    {
        seed_vec two[2];
        RUNNEL_UNROLL
        for (int j = 0; j < 2; j++) {
            const size_t m = seed_at_most_2(n);
            two[j] = seed_swap_bytes(_mm256_maskz_loadu_epi64(FIRST_BLOCKS(m), (const void *)(in + 64 * i + 32 * j)));
            n -= m;
        }
        const seed_vec left = _mm256_unpacklo_epi32(two[0], two[1]), right = _mm256_unpackhi_epi32(two[0], two[1]);
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
    seed_vec w[1][4];
    __m128i made;
    seed_spread(w[0], last);
    do {
        seed_vec text[4];
        seed_spread(text, in);
        seed_encrypt(w, 1, s->words);
        RUNNEL_UNROLL
        for (int i = 0; i < 4; i++)
            text[i] = _mm256_xor_si256(text[i], w[0][i ^ 2]);
        memcpy(w[0], text, sizeof text);
        const seed_vec left = _mm256_unpacklo_epi32(text[0], text[1]), right = _mm256_unpacklo_epi32(text[2], text[3]);
        made = _mm256_castsi256_si128(seed_swap_bytes(_mm256_unpacklo_epi64(left, right)));
        _mm_storeu_si128((void *)out, made);
        in += 16;
        out += 16;
    } while (--nblocks > 0);
    _mm_storeu_si128((void *)last, made);
}

#endif
