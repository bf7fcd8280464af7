/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the vector kernels share: SEED on registers that hold one 32-bit word of each of SEED_LANES blocks, and several sets
 * of such registers in flight, because F is a long chain. The includer defines TARGET and includes the vectors of its width.
 * aes.h or, on 512 bits, gfni_512.h has seed_g: G; seed_g_begin and seed_g_end: the two halves of G of two registers, in the
 * fewest operations; and seed_g_short: G in the shortest chain. On 512 bits few_avx512.c takes few blocks.
 *
 * The blocks of a set are in the lanes in an order such that a 4 x 4 transposition inside the 128-bit parts leaves
 * whole blocks, in order, in the registers: vector_transposed_numbers. */
#ifndef SEED_X86_ROUNDS_H
#define SEED_X86_ROUNDS_H

#include "arch/common/bytes.h"
#include "arch/x86/words.h"
#include "few_avx512.h"
#if LANES == 4
#include "gfni_512.h"
#else
#include "aes.h"
#endif

enum {
    SEED_WORDS = 4,
    SEED_LANES = VECTOR_BYTES / 4,
    SEED_WIDE = 8, /* the most sets in flight */
    SEED_WIDE_BLOCKS = SEED_WIDE * SEED_LANES
};

typedef struct seed_set {
    vector word[SEED_WORDS];
} seed_set;

TARGET RUNNEL_INLINE vector seed_swap_bytes(vector v)
{
    return vector_shuffle_bytes(v, _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}

/* One of the three G of a round, for two sets: what goes into it, and its first half. */
TARGET RUNNEL_INLINE void seed_prepare(const int step, const int sets, vector *c, vector *d, const seed_set *s,
                                       const int r, const vector k0, const vector k1)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 2; i++) {
        if (step == 0) {
            c[i] = vector_xor(s[i].word[r], k0);
            d[i] = vector_xor3(c[i], s[i].word[r + 1], k1);
        } else if (step == 1)
            c[i] = vector_add32(c[i], d[i]);
        else
            d[i] = vector_add32(d[i], c[i]);
    }
    if (sets > 2)
        seed_g_begin(step == 1 ? c : d);
}

TARGET RUNNEL_INLINE void seed_finish(const int sets, vector x[2])
{
    if (sets > 2)
        seed_g_end(x);
    else
        RUNNEL_UNROLL
    for (int i = 0; i < 2; i++)
        x[i] = seed_g(x[i]);
}

/* For every set: words l and l + 1 ^= F(words r and r + 1). Each G for all sets before the next, two by two, and half
 * of the next two between the halves of each two, so that independent chains are interleaved. */
TARGET RUNNEL_INLINE void seed_half_round(seed_set *s, const int sets, const int l, const int r, const uint32_t *key)
{
    const vector k0 = vector_repeat_word(key[0]), k1 = vector_repeat_word(key[1]);
    vector c[SEED_WIDE], d[SEED_WIDE];
    seed_prepare(0, sets, c, d, s, r, k0, k1);
    RUNNEL_UNROLL
    for (int step = 0; step < 3; step++) {
        RUNNEL_UNROLL
        for (int at = 0; at < sets; at += 2) {
            const int next = at + 2 < sets ? at + 2 : 0, next_step = step + (next == 0);
            if (next != at && next_step < 3)
                seed_prepare(next_step, sets, c + next, d + next, s + next, r, k0, k1);
            seed_finish(sets, (step == 1 ? c : d) + at);
            if (next == at && next_step < 3)
                seed_prepare(next_step, sets, c, d, s, r, k0, k1);
            if (step == 2)
                RUNNEL_UNROLL
            for (int i = 0; i < 2; i++) {
                c[at + i] = vector_add32(c[at + i], d[at + i]);
                s[at + i].word[l] = vector_xor(s[at + i].word[l], c[at + i]);
                s[at + i].word[l + 1] = vector_xor(s[at + i].word[l + 1], d[at + i]);
            }
        }
    }
}

/* One set alone, from the round whose keys are first and first + 1: only the length of the chain counts. What the next
 * round adds to its input is computed off that chain. */
TARGET RUNNEL_INLINE void seed_encrypt_one_set(seed_set *s, const int first, const uint32_t *key)
{
    const int l = first & 2;
    vector l0 = s->word[l], l1 = s->word[l + 1], r0 = s->word[2 - l], r1 = s->word[3 - l];
    vector c = vector_xor(r0, vector_repeat_word(key[first])),
           sum = vector_xor3(c, r1, vector_repeat_word(key[first + 1]));
    for (int i = first + 2; i <= 32; i += 2) {
        const int next = i & 31; /* after the last round any will do */
        const vector c_part = vector_xor(l0, vector_repeat_word(key[next]));
        const vector sum_part = vector_xor3(c_part, l1, vector_repeat_word(key[next + 1]));
        vector d = seed_g_short(sum);
        c = seed_g_short(vector_add32(c, d));
        d = seed_g_short(vector_add32(d, c));
        c = vector_add32(c, d);
        sum = vector_xor3(sum_part, d, c);
        const vector new_r0 = vector_xor(l0, c), new_r1 = vector_xor(l1, d);
        c = vector_xor(c_part, c);
        l0 = r0;
        l1 = r1;
        r0 = new_r0;
        r1 = new_r1;
    }
    *s = (seed_set){{l0, l1, r0, r1}};
}

/* Leaves the halves swapped, since there is no swap after the last round. The halves are selected by the loop's counter,
 * and the next are functions of their own: otherwise the compilers split the array into sets and move them around in
 * memory. */
TARGET RUNNEL_INLINE void seed_encrypt_rounds(seed_set *s, const int sets, int first, const uint32_t *key)
{
    for (int i = first; i < 32; i += 2)
        seed_half_round(s, sets, i & 2, 2 - (i & 2), key + i);
}

TARGET static RUNNEL_NOINLINE void seed_encrypt_wide(seed_set *s, int first, const uint32_t *key)
{
    seed_encrypt_rounds(s, SEED_WIDE, first, key);
}

TARGET static RUNNEL_NOINLINE void seed_encrypt_six_sets(seed_set *s, int first, const uint32_t *key)
{
    seed_encrypt_rounds(s, 6, first, key);
}

TARGET static RUNNEL_NOINLINE void seed_encrypt_four_sets(seed_set *s, int first, const uint32_t *key)
{
    seed_encrypt_rounds(s, 4, first, key);
}

TARGET static RUNNEL_NOINLINE void seed_encrypt_two_sets(seed_set *s, int first, const uint32_t *key)
{
    seed_encrypt_rounds(s, 2, first, key);
}

TARGET RUNNEL_INLINE void seed_encrypt_sets(seed_set *s, const int sets, const int first, const uint32_t *key)
{
    if (sets == 1)
        seed_encrypt_one_set(s, first, key);
    else if (sets == 2)
        seed_encrypt_two_sets(s, first, key);
    else if (sets == 4)
        seed_encrypt_four_sets(s, first, key);
    else if (sets == 6)
        seed_encrypt_six_sets(s, first, key);
    else
        seed_encrypt_wide(s, first, key);
}

/* Writes n blocks, at most those of the sets: in XOR the sets; in == NULL: the sets. The one after them goes to
 * leftover, as it is, unless leftover is NULL. */
TARGET RUNNEL_INLINE void seed_write_sets(uint8_t *out, const uint8_t *in, const seed_set *s, const int sets, size_t n,
                                          uint8_t *leftover)
{
    const int all = n == (size_t)sets * SEED_LANES;
    RUNNEL_UNROLL
    for (int i = 0; i < sets; i++) {
        seed_set t = {{s[i].word[2], s[i].word[3], s[i].word[0], s[i].word[1]}};
        words_transpose_vectors(t.word);
        RUNNEL_UNROLL
        for (int w = 0; w < SEED_WORDS; w++) {
            const vector v = seed_swap_bytes(t.word[w]);
            if (all) {
                const int at = 4 * SEED_LANES * (SEED_WORDS * i + w);
                vector_store(out + at, in == NULL ? v : vector_xor(v, vector_load(in + at)));
            } else {
                const size_t m = n < LANES ? n : LANES;
                vector_store_up_to(out, in == NULL ? v : vector_xor(v, vector_load_up_to(in, m)), m);
                out += 16 * m;
                in = in == NULL ? NULL : in + 16 * m;
                n -= m;
                if (m < LANES && leftover != NULL) {
                    _mm_storeu_si128((void *)leftover, vector_block(v, m));
                    leftover = NULL;
                }
            }
        }
    }
}

/* words: of the first block, and where the left half counts, after round 1; there words[1] is what it adds to them. */
TARGET RUNNEL_INLINE void seed_ctr_sets(seed_set *s, const int sets, const uint32_t *key, const int left,
                                        const uint32_t *words, uint32_t counter, uint8_t *out, const uint8_t *in,
                                        size_t n, uint8_t *leftover)
{
    RUNNEL_UNROLL
    for (int i = 0; i < sets; i++) {
        RUNNEL_UNROLL
        for (int w = 0; w < SEED_WORDS; w++)
            s[i].word[w] = vector_repeat_word(words[w]);
        const vector counters =
            vector_add32(vector_repeat_word(counter + (uint32_t)i * SEED_LANES), vector_transposed_numbers());
        if (left)
            s[i].word[1] = vector_xor(s[i].word[1], counters);
        else
            s[i].word[3] = counters;
    }
    seed_encrypt_sets(s, sets, left ? 2 : 0, key);
    seed_write_sets(out, in, s, sets, n, leftover);
}

TARGET RUNNEL_INLINE void seed_block_sets(seed_set *s, const int sets, const uint32_t *key, uint8_t *out,
                                          const uint8_t *in, const size_t n)
{
    const int all = n == (size_t)sets * SEED_LANES;
    size_t left = n;
    RUNNEL_UNROLL
    for (int i = 0; i < sets; i++) {
        RUNNEL_UNROLL
        for (int w = 0; w < SEED_WORDS; w++) {
            if (all) {
                s[i].word[w] = seed_swap_bytes(vector_load(in + VECTOR_BYTES * (SEED_WORDS * i + w)));
            } else {
                const size_t m = left < LANES ? left : LANES;
                s[i].word[w] = seed_swap_bytes(vector_load_up_to(in, m));
                in += 16 * m;
                left -= m;
            }
        }
        words_transpose_vectors(s[i].word);
    }
    seed_encrypt_sets(s, sets, 0, key);
    seed_write_sets(out, NULL, s, sets, n, NULL);
}

/* The fewest sets that hold n blocks, at most SEED_WIDE_BLOCKS; s is several sets, one is one. */
TARGET RUNNEL_INLINE void seed_block_fewest_sets(seed_set *s, seed_set *one, const uint32_t *key, uint8_t *out,
                                                 const uint8_t *in, const size_t n)
{
    if (n > 6 * SEED_LANES)
        seed_block_sets(s, SEED_WIDE, key, out, in, n);
    else if (n > 4 * SEED_LANES)
        seed_block_sets(s, 6, key, out, in, n);
    else if (n > 2 * SEED_LANES)
        seed_block_sets(s, 4, key, out, in, n);
    else if (n > SEED_LANES)
        seed_block_sets(s, 2, key, out, in, n);
    else
        seed_block_sets(one, 1, key, out, in, n);
}

/* As many for counter mode. */
TARGET RUNNEL_INLINE void seed_ctr_fewest_sets(seed_set *s, seed_set *one, const size_t n, const uint32_t *key,
                                               const int left, const uint32_t *words, uint32_t counter, uint8_t *out,
                                               const uint8_t *in, size_t whole, uint8_t *leftover)
{
    if (n > 6 * SEED_LANES)
        seed_ctr_sets(s, SEED_WIDE, key, left, words, counter, out, in, whole, leftover);
    else if (n > 4 * SEED_LANES)
        seed_ctr_sets(s, 6, key, left, words, counter, out, in, whole, leftover);
    else if (n > 2 * SEED_LANES)
        seed_ctr_sets(s, 4, key, left, words, counter, out, in, whole, leftover);
    else if (n > SEED_LANES)
        seed_ctr_sets(s, 2, key, left, words, counter, out, in, whole, leftover);
    else
        seed_ctr_sets(one, 1, key, left, words, counter, out, in, whole, leftover);
}

TARGET static void seed_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
#if LANES == 4
    seed_key_words(words, key);
#else
    runnel_seed_key_words(words, key);
#endif
    for (int i = 0; i < 32; i += SEED_LANES)
        vector_store(words + i, seed_g(vector_load(words + i)));
}

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, seed_set_key, runnel_seed_reverse)

TARGET static void seed_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
#if LANES == 4
    if (nblocks <= RUNNEL_SEED_FEW) {
        runnel_seed_encrypt_few(key, out, in, nblocks);
        return;
    }
#endif
    const int several = nblocks > SEED_LANES;
    seed_set s[SEED_WIDE], one;
    while (nblocks > 0) {
        const size_t n = nblocks < SEED_WIDE_BLOCKS ? nblocks : SEED_WIDE_BLOCKS;
        seed_block_fewest_sets(s, &one, key, out, in, n);
        nblocks -= n;
        in += 16 * n;
        out += 16 * n;
    }
    if (several)
        runnel_wipe(s, sizeof s);
}

/* nblocks blocks and a tail, or none, and then leftover is NULL. */
TARGET RUNNEL_INLINE void seed_xor_counted(const uint32_t *key, const int left, const uint32_t *words, uint32_t counter,
                                           uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                                           uint8_t *leftover)
{
    size_t to_make = nblocks + (leftover != NULL);
    const int several = to_make > SEED_LANES;
    seed_set s[SEED_WIDE], one;
    while (to_make > 0) {
        const size_t n = to_make < SEED_WIDE_BLOCKS ? to_make : SEED_WIDE_BLOCKS, whole = n < nblocks ? n : nblocks;
        seed_ctr_fewest_sets(s, &one, n, key, left, words, counter, out, in, whole, n > whole ? leftover : NULL);
        to_make -= n;
        nblocks -= whole;
        counter += (uint32_t)n;
        out += 16 * whole;
        in = in == NULL ? NULL : in + 16 * whole;
    }
    if (leftover != NULL)
        runnel_xor_bytes(out, in, leftover, tail);
    if (several)
        runnel_wipe(s, sizeof s);
}

TARGET RUNNEL_INLINE void seed_xor_right(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                         size_t nblocks, size_t tail, uint8_t *leftover)
{
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
#if LANES == 4
    if (nblocks + (leftover != NULL) <= RUNNEL_SEED_FEW) {
        runnel_seed_xor_few(key, block, out, in, nblocks, leftover);
        if (leftover != NULL)
            runnel_xor_bytes(out + 16 * nblocks, in == NULL ? NULL : in + 16 * nblocks, leftover, tail);
        return;
    }
#endif
    uint32_t words[SEED_WORDS];
    RUNNEL_UNROLL
    for (int w = 0; w < SEED_WORDS; w++)
        words[w] = runnel_load32be(block + 4 * w);
    seed_xor_counted(key, 0, words, words[3], out, in, nblocks, tail, leftover);
}

TARGET static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    seed_xor_right(state, block, out, in, nblocks, 0, NULL);
}

TARGET static void seed_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    seed_xor_right(state, block, out, in, nblocks, tail, leftover);
}

/* The right half stays, so that round 1 adds the same to all: it is done here, once. */
TARGET static void seed_ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks)
{
    (void)prefix;
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
    RUNNEL_LINE_ALIGNED uint32_t words[SEED_WORDS], sum[2][SEED_LANES];
    RUNNEL_UNROLL
    for (int w = 0; w < SEED_WORDS; w++)
        words[w] = runnel_load32be(block + 4 * w);
    vector c = vector_repeat_word(words[2] ^ key[0]),
           d = seed_g_short(vector_xor(c, vector_repeat_word(words[3] ^ key[1])));
    c = seed_g_short(vector_add32(c, d));
    d = seed_g_short(vector_add32(d, c));
    vector_store(sum[0], vector_add32(c, d));
    vector_store(sum[1], d);
    words[0] ^= sum[0][0];
    const uint32_t counter = words[1];
    words[1] = sum[1][0];
    seed_xor_counted(key, 1, words, counter, out, in, nblocks, 0, NULL);
    runnel_wipe(words, sizeof words);
    runnel_wipe(sum, sizeof sum);
}

#endif
