/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on vectors of 32-bit words, for x86-64: a register has one word of LANES blocks. Two such sets of four registers
 * are in flight if there are enough blocks. In a round no word moves from one register to another: each result takes
 * the register of the word that is used for the last time, so that after four rounds all have their first places.
 *
 * The includer defines TARGET, INLINE, vec (a vector of words with the operators of C), LANES, vec_broadcast,
 * vec_transpose, lea_vec_get and lea_vec_put (see below), lea_vec_block (one block of a register, by number),
 * vec_lane_numbers and lea_vec_swap_bytes. A register of bytes has LANES / 4 whole blocks; vec_transpose makes four
 * registers of them four of words, and back. modes.h makes a kernel of this. */
#include "arch/x86/words_old.h"
#include "ciphers/lea/kernels.h"
#include "ciphers/lea/rounds.h"

#define REGISTER_BLOCKS (LANES / 4)
#define ROTATE(v, n) ((v) << (n) | (v) >> (32 - (n)))

typedef struct lea_vec_key {
    lea_vec k[6];
} lea_vec_key;

INLINE lea_vec_key lea_get_key(const uint32_t *words, unsigned each)
{
    const runnel_lea_round_key key = runnel_lea_get_round_key(words, each);
    lea_vec_key v;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 6; i++)
        v.k[i] = vec_broadcast(key.k[i]);
    return v;
}

/* The round whose first word is in x[at]. */
INLINE void lea_encrypt_round(lea_vec x[4], const lea_vec_key *key, unsigned at)
{
#define X(i) x[((i) + at) & 3]
    X(3) = ROTATE((X(2) ^ key->k[4]) + (X(3) ^ key->k[5]), 29);
    X(2) = ROTATE((X(1) ^ key->k[2]) + (X(2) ^ key->k[3]), 27);
    X(1) = ROTATE((X(0) ^ key->k[0]) + (X(1) ^ key->k[1]), 9);
}

/* Four rounds at a time, from round number `from` on. */
INLINE void lea_encrypt_rounds(const runnel_lea_schedule *schedule, unsigned each, unsigned from, lea_vec x[][4],
                               unsigned sets)
{
    const uint32_t *words = schedule->words + from * each, *end = schedule->words + schedule->rounds * each;
    for (; words != end; words += 4 * each) {
        RUNNEL_UNROLL
        for (unsigned at = 0; at < 4; at++) {
            const lea_vec_key key = lea_get_key(words + at * each, each);
            RUNNEL_UNROLL
            for (unsigned s = 0; s < sets; s++)
                lea_encrypt_round(x[s], &key, at);
        }
    }
}

/* ---- blocks ---- */

INLINE size_t lea_minimum(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The words of up to LANES blocks. */
INLINE void lea_get_set(lea_vec x[4], const uint8_t *in, size_t nblocks)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        x[i] = nblocks >= LANES ? lea_vec_get(in + 16 * REGISTER_BLOCKS * i, REGISTER_BLOCKS)
               : nblocks > REGISTER_BLOCKS * i
                   ? lea_vec_get(in + 16 * REGISTER_BLOCKS * i,
                                 lea_minimum(nblocks - REGISTER_BLOCKS * i, REGISTER_BLOCKS))
                   : vec_broadcast(0);
    vec_transpose(x);
}

/* nblocks blocks, at most LANES, as bytes to out, with in added unless it is NULL. The one after them goes to leftover,
 * as it is, unless leftover is NULL. */
INLINE void lea_put_set(uint8_t *out, const uint8_t *in, lea_vec x[4], size_t nblocks, uint8_t *leftover)
{
    vec_transpose(x);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t first = REGISTER_BLOCKS * i, n = lea_minimum(nblocks - first, REGISTER_BLOCKS);
        if (n > 0)
            lea_vec_put(out + 16 * first, in != NULL ? x[i] ^ lea_vec_get(in + 16 * first, n) : x[i], n);
        if (n < REGISTER_BLOCKS) {
            if (leftover != NULL)
                _mm_storeu_si128((void *)leftover, lea_vec_block(x[i], n));
            return;
        }
    }
}

INLINE void lea_put_sets(uint8_t *out, const uint8_t *in, lea_vec x[][4], unsigned sets, size_t nblocks,
                         uint8_t *leftover)
{
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++) {
        const size_t n = lea_minimum(nblocks, LANES);
        lea_put_set(out + 16 * LANES * s, in == NULL ? NULL : in + 16 * LANES * s, x[s], n, leftover);
        if (n < LANES)
            return;
        nblocks -= n;
    }
}

/* A single block goes through the integer registers, where a round takes three cycles, not four. */
INLINE void lea_encrypt_one(const runnel_lea_schedule *schedule, unsigned each, uint8_t *out, const uint8_t *in,
                            const uint8_t *xored)
{
    uint32_t x[4];
    memcpy(x, in, sizeof x);
    runnel_lea_encrypt_rounds(schedule, x, each);
    for (unsigned i = 0; i < 4; i++)
        runnel_xor32le(out, xored, i, x[i]);
}

INLINE void lea_encrypt_sets(const runnel_lea_schedule *schedule, unsigned each, unsigned sets, uint8_t *out,
                             const uint8_t *in, size_t nblocks)
{
    lea_vec x[2][4];
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++)
        lea_get_set(x[s], in + 16 * LANES * s, nblocks - LANES * s);
    lea_encrypt_rounds(schedule, each, 0, x, sets);
    lea_put_sets(out, NULL, x, sets, nblocks, NULL);
}

/* ---- counter mode ---- */

/* What the blocks of a call, in which only the last word counts, share: operands of the first four rounds with their
 * keys added, each named by its word and round. */
typedef struct lea_shared {
    lea_vec x2_0, key5_0; /* round 0, whose other two results are the same in all blocks */
    lea_vec x1_1, x3_1;   /* round 1, whose first result is */
    lea_vec x0_2, x3_2, x3_3;
} lea_shared;

INLINE lea_shared lea_share(const uint32_t *words, unsigned each, const uint8_t *block)
{
    uint32_t word[4];
    memcpy(word, block, sizeof word);
    const lea_vec x0 = vec_broadcast(word[0]), x1 = vec_broadcast(word[1]), x2 = vec_broadcast(word[2]);
    const lea_vec_key key0 = lea_get_key(words, each), key1 = lea_get_key(words + each, each);
    const lea_vec_key key2 = lea_get_key(words + 2 * each, each), key3 = lea_get_key(words + 3 * each, each);
    const lea_vec y0 = ROTATE((x0 ^ key0.k[0]) + (x1 ^ key0.k[1]), 9);
    const lea_vec y1 = ROTATE((x1 ^ key0.k[2]) + (x2 ^ key0.k[3]), 27);
    const lea_vec z0 = ROTATE((y0 ^ key1.k[0]) + (y1 ^ key1.k[1]), 9);
    return (lea_shared){.x2_0 = x2 ^ key0.k[4],
                        .key5_0 = key0.k[5],
                        .x1_1 = y1 ^ key1.k[2],
                        .x3_1 = x0 ^ key1.k[5],
                        .x0_2 = z0 ^ key2.k[0],
                        .x3_2 = y0 ^ key2.k[5],
                        .x3_3 = z0 ^ key3.k[5]};
}

/* Rounds 0 to 3; `last` is the last word of each block. */
INLINE void lea_first_rounds(const uint32_t *words, unsigned each, const lea_shared *same, lea_vec last, lea_vec x[4])
{
    const lea_vec_key key1 = lea_get_key(words + each, each), key2 = lea_get_key(words + 2 * each, each);
    const lea_vec_key key3 = lea_get_key(words + 3 * each, each);
    const lea_vec y2 = ROTATE(same->x2_0 + (last ^ same->key5_0), 29);
    const lea_vec z1 = ROTATE(same->x1_1 + (y2 ^ key1.k[3]), 27);
    const lea_vec z2 = ROTATE((y2 ^ key1.k[4]) + same->x3_1, 29);
    const lea_vec u0 = ROTATE(same->x0_2 + (z1 ^ key2.k[1]), 9);
    const lea_vec u1 = ROTATE((z1 ^ key2.k[2]) + (z2 ^ key2.k[3]), 27);
    const lea_vec u2 = ROTATE((z2 ^ key2.k[4]) + same->x3_2, 29);
    x[0] = ROTATE((u0 ^ key3.k[0]) + (u1 ^ key3.k[1]), 9);
    x[1] = ROTATE((u1 ^ key3.k[2]) + (u2 ^ key3.k[3]), 27);
    x[2] = ROTATE((u2 ^ key3.k[4]) + same->x3_3, 29);
    x[3] = u0;
}

INLINE void lea_xor_sets(const runnel_lea_schedule *schedule, unsigned each, const lea_shared *same, unsigned sets,
                         uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const uint32_t *words = schedule->words;
    lea_vec x[2][4];
    RUNNEL_VALUE_BARRIER(
        words); /* or gcc would load the keys before the loop, and broadcast them from other registers */
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++) {
        const lea_vec counters = vec_broadcast(counter + LANES * s) + vec_lane_numbers();
        lea_first_rounds(words, each, same, lea_vec_swap_bytes(counters), x[s]);
    }
    lea_encrypt_rounds(schedule, each, 4, x, sets);
    lea_put_sets(out, in, x, sets, nblocks, leftover);
}

/* Up to LANES blocks, leftover's included, in full rounds: they are bound by latency, to which precomputing would add. */
INLINE void lea_xor_set(const runnel_lea_schedule *schedule, unsigned each, const uint8_t *block, uint8_t *out,
                        const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    uint32_t word[3];
    memcpy(word, block, sizeof word);
    const lea_vec counters = vec_broadcast(runnel_load32be(block + 12)) + vec_lane_numbers();
    lea_vec x[1][4] = {
        {vec_broadcast(word[0]), vec_broadcast(word[1]), vec_broadcast(word[2]), lea_vec_swap_bytes(counters)}};
    lea_encrypt_rounds(schedule, each, 0, x, 1);
    lea_put_set(out, in, x[0], nblocks, leftover);
}
