/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 by plain look-ups for processors with much room for code, 64 bits, and words that begin with their low byte:
 * the 16 steps of a block written out, with P and Q in code of their own. The places of the block before and the word
 * after are found once for all steps of a block, so that no step checks where the ring of a table wraps. The indices
 * are loaded as bytes, one instruction where extraction from a word takes two. */
#ifndef HC128_UNROLLED_H
#define HC128_UNROLLED_H

#include "kernels.h"


enum { HC128_WORDS = HC128_BLOCK / 4 };

/* Of a table: the words of a block, the 16 before them, and the one after them. */
typedef struct hc128_place {
    uint32_t *now;
    const uint32_t *before, *after;
} hc128_place;

RUNNEL_INLINE hc128_place hc128_place_of(uint32_t *table, unsigned block)
{
    uint32_t *const now = table + block * HC128_WORDS;
    const hc128_place p = {now, block == 0 ? table + HC128_TABLE - HC128_WORDS : now - HC128_WORDS,
                           block == HC128_TABLE_BLOCKS - 1 ? table : now + HC128_WORDS};
    return p;
}

/* h1 or h2, which look up the other table by bytes 0 and 2 of a word. */
RUNNEL_INLINE uint32_t hc128_h(const uint32_t *other, const uint32_t *word)
{
    const uint8_t *bytes = (const void *)word;
    return other[bytes[0]] + other[256 + bytes[2]];
}

RUNNEL_INLINE void hc128_xor_pair(uint8_t *out, const uint8_t *in, unsigned i, uint32_t low, uint32_t high)
{
    uint64_t pair;
    memcpy(&pair, in + 8 * i, 8);
    pair ^= low | (uint64_t)high << 32;
    memcpy(out + 8 * i, &pair, 8);
}

/* The word that is lag steps older than word i of the block. */
#define OLDER(i, lag) ((i) < (lag) ? p.before + (i) + HC128_WORDS - (lag) : p.now + (i) - (lag))

/* Registers hold the last three words, x1 the newest, and z, the next one to be replaced. */
#define BEGIN uint32_t x3 = p.before[13], x2 = p.before[14], x1 = p.before[15], z = p.now[0];

/* Step i: the updated word, and what h finds. */
#define UPDATE(i)                                                                                                      \
    const uint32_t after##i = (i) + 1 < HC128_WORDS ? p.now[(i) + 1] : p.after[0];                                     \
    const uint32_t updated##i = z + runnel_hc128_g(is_q, x3, *OLDER(i, 10), after##i);                                 \
    const uint32_t found##i = hc128_h(other, OLDER(i, 12));                                                            \
    z = after##i;

#define KEEP(i, word)                                                                                                  \
    x3 = x2;                                                                                                           \
    x2 = x1;                                                                                                           \
    x1 = p.now[i] = word;

#define MIX(i)                                                                                                         \
    UPDATE(i)                                                                                                          \
    KEEP(i, updated##i ^ found##i)

#define XOR(pair, a, b)                                                                                                \
    UPDATE(a)                                                                                                          \
    KEEP(a, updated##a)                                                                                                \
    UPDATE(b)                                                                                                          \
    KEEP(b, updated##b)                                                                                                \
    hc128_xor_pair(out, in, pair, updated##a ^ found##a, updated##b ^ found##b);

RUNNEL_INLINE void hc128_mix_table(uint32_t *table, const uint32_t *other, int is_q)
{
    for (unsigned block = 0; block < HC128_TABLE_BLOCKS; block++) {
        const hc128_place p = hc128_place_of(table, block);
        BEGIN
        MIX(0) MIX(1) MIX(2) MIX(3) MIX(4) MIX(5) MIX(6) MIX(7)
        MIX(8) MIX(9) MIX(10) MIX(11) MIX(12) MIX(13) MIX(14) MIX(15)
    }
}

static void hc128_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_hc128_state *s = state;
    (void)iv_bytes;
    runnel_hc128_expand_fast(s, iv);
    hc128_mix_table(s->words, s->words + HC128_TABLE, 0);
    hc128_mix_table(s->words + HC128_TABLE, s->words, 1);
}

/* Blocks that update the same table. */
RUNNEL_INLINE void hc128_xor_some(uint32_t *table, const uint32_t *other, int is_q, unsigned block, unsigned nblocks,
                           uint8_t *out, const uint8_t *in)
{
    for (; nblocks > 0; nblocks--, block++) {
        const hc128_place p = hc128_place_of(table, block);
        BEGIN
        XOR(0, 0, 1) XOR(1, 2, 3) XOR(2, 4, 5) XOR(3, 6, 7)
        XOR(4, 8, 9) XOR(5, 10, 11) XOR(6, 12, 13) XOR(7, 14, 15)
        out += HC128_BLOCK;
        in += HC128_BLOCK;
    }
}

static void hc128_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t *p = ((runnel_hc128_state *)state)->words, *q = p + HC128_TABLE;
    if (in == NULL) { /* so that no step asks for it */
        memset(out, 0, nblocks * HC128_BLOCK);
        in = out;
    }
    while (nblocks > 0) {
        const unsigned block = (unsigned)(index % HC128_TABLE_BLOCKS), left = HC128_TABLE_BLOCKS - block;
        const unsigned some = nblocks < left ? (unsigned)nblocks : left;
        if (index / HC128_TABLE_BLOCKS % 2 == 0)
            hc128_xor_some(p, q, 0, block, some, out, in);
        else
            hc128_xor_some(q, p, 1, block, some, out, in);
        out += (size_t)some * HC128_BLOCK;
        in += (size_t)some * HC128_BLOCK;
        index += some;
        nblocks -= some;
    }
}

#endif
