/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 step by step. The includer defines look_up(table, index): entry number index, 0 to 255, of a table of words.
 * P and Q take turns: one is updated while the other is looked up. */
#ifndef RUNNEL_HC128_STEPS_H
#define RUNNEL_HC128_STEPS_H

#include "kernels.h"

/* The word that is lag steps older than number j, in a table that is a ring. */
static inline uint32_t older(const uint32_t *table, unsigned j, unsigned lag)
{
    return table[(j + HC128_TABLE - lag) % HC128_TABLE];
}

/* The new value of word j. */
static inline uint32_t updated(const uint32_t *table, unsigned j, int is_q)
{
    return table[j] + runnel_hc128_g(is_q, older(table, j, 3), older(table, j, 10), older(table, j, 511));
}

/* h1 or h2, which look up the other table. */
static inline uint32_t h(const uint32_t *other, uint32_t x)
{
    return look_up(other, (uint8_t)x) + look_up(other + 256, (uint8_t)(x >> 16));
}

static inline void mix_table(uint32_t *table, const uint32_t *other, int is_q)
{
    for (unsigned j = 0; j < HC128_TABLE; j++)
        table[j] = updated(table, j, is_q) ^ h(other, older(table, j, 12));
}

static void set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_hc128_state *s = state;
    (void)iv_bytes;
    runnel_hc128_expand(s, iv);
    mix_table(s->words, s->words + HC128_TABLE, 0);
    mix_table(s->words + HC128_TABLE, s->words, 1);
}

static inline void xor_block(uint32_t *table, const uint32_t *other, unsigned j, int is_q, uint8_t *out,
                             const uint8_t *in)
{
    for (unsigned i = 0; i < HC128_BLOCK / 4; i++, j++) {
        const uint32_t word = updated(table, j, is_q);
        table[j] = word;
        runnel_xor32le(out, in, i, word ^ h(other, older(table, j, 12)));
    }
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t *p = ((runnel_hc128_state *)state)->words, *q = p + HC128_TABLE;
    unsigned block = (unsigned)(index % (2 * HC128_TABLE_BLOCKS));
    for (; nblocks > 0; nblocks--) {
        if (block < HC128_TABLE_BLOCKS)
            xor_block(p, q, block * (HC128_BLOCK / 4), 0, out, in);
        else
            xor_block(q, p, (block - HC128_TABLE_BLOCKS) * (HC128_BLOCK / 4), 1, out, in);
        block = (block + 1) % (2 * HC128_TABLE_BLOCKS);
        out += HC128_BLOCK;
        if (in != NULL)
            in += HC128_BLOCK;
    }
}

#endif
