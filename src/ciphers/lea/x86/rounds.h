/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on vectors of 32-bit words, for x86-64: a register has one word of LEA_SET blocks. Two such sets of four registers
 * are in flight if there are enough blocks. In a round no word moves from one register to another: each result takes
 * the register of the word that is used for the last time, so that after four rounds all have their first places.
 *
 * A vector of bytes has LANES whole blocks; a transposition makes four of them four of words, and back. modes.h makes a
 * kernel of this. The includer defines TARGET and includes the vectors of its width. */
#ifndef LEA_X86_ROUNDS_H
#define LEA_X86_ROUNDS_H

#include "arch/x86/words.h"
#include "ciphers/lea/kernels.h"
#include "ciphers/lea/rounds.h"

enum { LEA_SET = VECTOR_BYTES / 4 }; /* blocks of which four vectors have the words */

typedef struct lea_vector_key {
    vector_words k[6];
} lea_vector_key;

TARGET RUNNEL_INLINE lea_vector_key lea_get_key(const uint32_t *words, unsigned each)
{
    const runnel_lea_round_key key = runnel_lea_get_round_key(words, each);
    lea_vector_key v;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 6; i++)
        v.k[i] = words_repeat(key.k[i]);
    return v;
}

/* The round whose first word is in x[at]. */
TARGET RUNNEL_INLINE void lea_encrypt_round(vector_words x[4], const lea_vector_key *key, unsigned at)
{
    const unsigned a = at & 3, b = (at + 1) & 3, c = (at + 2) & 3, d = (at + 3) & 3;
    x[d] = words_rotate((x[c] ^ key->k[4]) + (x[d] ^ key->k[5]), 29);
    x[c] = words_rotate((x[b] ^ key->k[2]) + (x[c] ^ key->k[3]), 27);
    x[b] = words_rotate((x[a] ^ key->k[0]) + (x[b] ^ key->k[1]), 9);
}

/* Four rounds at a time, from round number `from` on. */
TARGET RUNNEL_INLINE void lea_encrypt_rounds(const runnel_lea_schedule *schedule, unsigned each, unsigned from,
                                             vector_words x[][4], unsigned sets)
{
    const uint32_t *words = schedule->words + from * each, *end = schedule->words + schedule->rounds * each;
    for (; words != end; words += 4 * each) {
        RUNNEL_UNROLL
        for (unsigned at = 0; at < 4; at++) {
            const lea_vector_key key = lea_get_key(words + at * each, each);
            RUNNEL_UNROLL
            for (unsigned s = 0; s < sets; s++)
                lea_encrypt_round(x[s], &key, at);
        }
    }
}

/* ---- blocks ---- */

TARGET RUNNEL_INLINE size_t lea_minimum(size_t a, size_t b)
{
    return a < b ? a : b;
}

TARGET RUNNEL_INLINE vector_words lea_load(const uint8_t *p, size_t blocks)
{
    return (vector_words)vector_load_blocks(p, blocks);
}

/* The words of up to LEA_SET blocks. */
TARGET RUNNEL_INLINE void lea_get_set(vector_words x[4], const uint8_t *in, size_t nblocks)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        x[i] = nblocks >= LEA_SET    ? lea_load(in + 16 * LANES * i, LANES)
               : nblocks > LANES * i ? lea_load(in + 16 * LANES * i, lea_minimum(nblocks - LANES * i, LANES))
                                     : words_repeat(0);
    words_transpose(x);
}

/* nblocks blocks, at most LEA_SET, as bytes to out, with in added unless it is NULL. The one after them goes to leftover,
 * as it is, unless leftover is NULL. */
TARGET RUNNEL_INLINE void lea_put_set(uint8_t *out, const uint8_t *in, vector_words x[4], size_t nblocks,
                                      uint8_t *leftover)
{
    words_transpose(x);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t first = LANES * i, n = lea_minimum(nblocks - first, LANES);
        if (n > 0)
            vector_store_blocks(out + 16 * first, (vector)(in != NULL ? x[i] ^ lea_load(in + 16 * first, n) : x[i]), n);
        if (n < LANES) {
            if (leftover != NULL)
                _mm_storeu_si128((void *)leftover, vector_block((vector)x[i], n));
            return;
        }
    }
}

TARGET RUNNEL_INLINE void lea_put_sets(uint8_t *out, const uint8_t *in, vector_words x[][4], unsigned sets,
                                       size_t nblocks, uint8_t *leftover)
{
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++) {
        const size_t n = lea_minimum(nblocks, LEA_SET);
        lea_put_set(out + 16 * LEA_SET * s, in == NULL ? NULL : in + 16 * LEA_SET * s, x[s], n, leftover);
        if (n < LEA_SET)
            return;
        nblocks -= n;
    }
}

/* A single block goes through the integer registers, where a round takes three cycles, not four. */
TARGET RUNNEL_INLINE void lea_encrypt_one(const runnel_lea_schedule *schedule, unsigned each, uint8_t *out,
                                          const uint8_t *in, const uint8_t *xored)
{
    uint32_t x[4];
    memcpy(x, in, sizeof x);
    runnel_lea_encrypt_rounds(schedule, x, each);
    for (unsigned i = 0; i < 4; i++)
        runnel_xor32le(out, xored, i, x[i]);
}

TARGET RUNNEL_INLINE void lea_encrypt_sets(const runnel_lea_schedule *schedule, unsigned each, unsigned sets,
                                           uint8_t *out, const uint8_t *in, size_t nblocks)
{
    vector_words x[2][4];
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++)
        lea_get_set(x[s], in + 16 * LEA_SET * s, nblocks - LEA_SET * s);
    lea_encrypt_rounds(schedule, each, 0, x, sets);
    lea_put_sets(out, NULL, x, sets, nblocks, NULL);
}

/* ---- counter mode ---- */

/* The last words of the counter blocks from `counter` on. */
TARGET RUNNEL_INLINE vector_words lea_counters(uint32_t counter)
{
    const vector_words words = words_repeat(counter) + (vector_words)vector_transposed_numbers();
#if LANES == 1 /* SSE2 has no byte shuffle */
    const vector_words odd = words_repeat(0xff00ff00), turned = words_rotate(words, 16);
    return (turned & odd) >> 8 | (turned << 8 & odd);
#else
    const __m128i order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    return (vector_words)vector_shuffle_bytes((vector)words, order);
#endif
}

/* What the blocks of a call, in which only the last word counts, share: operands of the first four rounds with their
 * keys added, each named by its word and round. */
typedef struct lea_shared {
    vector_words x2_0, key5_0; /* round 0, whose other two results are the same in all blocks */
    vector_words x1_1, x3_1;   /* round 1, whose first result is */
    vector_words x0_2, x3_2, x3_3;
} lea_shared;

TARGET RUNNEL_INLINE lea_shared lea_share(const uint32_t *words, unsigned each, const uint8_t *block)
{
    uint32_t word[4];
    memcpy(word, block, sizeof word);
    const vector_words x0 = words_repeat(word[0]), x1 = words_repeat(word[1]), x2 = words_repeat(word[2]);
    const lea_vector_key key0 = lea_get_key(words, each), key1 = lea_get_key(words + each, each);
    const lea_vector_key key2 = lea_get_key(words + 2 * each, each), key3 = lea_get_key(words + 3 * each, each);
    const vector_words y0 = words_rotate((x0 ^ key0.k[0]) + (x1 ^ key0.k[1]), 9);
    const vector_words y1 = words_rotate((x1 ^ key0.k[2]) + (x2 ^ key0.k[3]), 27);
    const vector_words z0 = words_rotate((y0 ^ key1.k[0]) + (y1 ^ key1.k[1]), 9);
    return (lea_shared){.x2_0 = x2 ^ key0.k[4],
                        .key5_0 = key0.k[5],
                        .x1_1 = y1 ^ key1.k[2],
                        .x3_1 = x0 ^ key1.k[5],
                        .x0_2 = z0 ^ key2.k[0],
                        .x3_2 = y0 ^ key2.k[5],
                        .x3_3 = z0 ^ key3.k[5]};
}

/* Rounds 0 to 3; `last` is the last word of each block. */
TARGET RUNNEL_INLINE void lea_first_rounds(const uint32_t *words, unsigned each, const lea_shared *same,
                                           vector_words last, vector_words x[4])
{
    const lea_vector_key key1 = lea_get_key(words + each, each), key2 = lea_get_key(words + 2 * each, each);
    const lea_vector_key key3 = lea_get_key(words + 3 * each, each);
    const vector_words y2 = words_rotate(same->x2_0 + (last ^ same->key5_0), 29);
    const vector_words z1 = words_rotate(same->x1_1 + (y2 ^ key1.k[3]), 27);
    const vector_words z2 = words_rotate((y2 ^ key1.k[4]) + same->x3_1, 29);
    const vector_words u0 = words_rotate(same->x0_2 + (z1 ^ key2.k[1]), 9);
    const vector_words u1 = words_rotate((z1 ^ key2.k[2]) + (z2 ^ key2.k[3]), 27);
    const vector_words u2 = words_rotate((z2 ^ key2.k[4]) + same->x3_2, 29);
    x[0] = words_rotate((u0 ^ key3.k[0]) + (u1 ^ key3.k[1]), 9);
    x[1] = words_rotate((u1 ^ key3.k[2]) + (u2 ^ key3.k[3]), 27);
    x[2] = words_rotate((u2 ^ key3.k[4]) + same->x3_3, 29);
    x[3] = u0;
}

TARGET RUNNEL_INLINE void lea_xor_sets(const runnel_lea_schedule *schedule, unsigned each, const lea_shared *same,
                                       unsigned sets, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks,
                                       uint8_t *leftover)
{
    const uint32_t *words = schedule->words;
    vector_words x[2][4];
    RUNNEL_VALUE_BARRIER(
        words); /* or gcc would load the keys before the loop, and broadcast them from other registers */
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++)
        lea_first_rounds(words, each, same, lea_counters(counter + LEA_SET * s), x[s]);
    lea_encrypt_rounds(schedule, each, 4, x, sets);
    lea_put_sets(out, in, x, sets, nblocks, leftover);
}

/* Up to LEA_SET blocks, leftover's included, in full rounds: they are bound by latency, to which precomputing would add. */
TARGET RUNNEL_INLINE void lea_xor_set(const runnel_lea_schedule *schedule, unsigned each, const uint8_t *block,
                                      uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    uint32_t word[3];
    memcpy(word, block, sizeof word);
    vector_words x[1][4] = {{words_repeat(word[0]), words_repeat(word[1]), words_repeat(word[2]),
                             lea_counters(runnel_load32be(block + 12))}};
    lea_encrypt_rounds(schedule, each, 0, x, 1);
    lea_put_set(out, in, x[0], nblocks, leftover);
}

#endif
