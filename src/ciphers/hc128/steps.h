/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 step by step. The includer defines hc128_look_up_entry(table, index): entry number index, 0 to 255, of a table
 * of words. P and Q take turns: one is updated while the other is looked up. */
#ifndef HC128_STEPS_H
#define HC128_STEPS_H

#include "kernels.h"

/* The word that is lag steps older than number j, in a table that is a ring. */
static inline uint32_t hc128_older(const uint32_t *table, unsigned j, unsigned lag)
{
    return table[(j + HC128_TABLE - lag) % HC128_TABLE];
}

/* The new value of word j. */
static inline uint32_t hc128_updated(const uint32_t *table, unsigned j, int is_q)
{
    return table[j] +
           runnel_hc128_g(is_q, hc128_older(table, j, 3), hc128_older(table, j, 10), hc128_older(table, j, 511));
}

/* h1 or h2, which look up the other table. */
static inline uint32_t hc128_h(const uint32_t *other, uint32_t x)
{
    return hc128_look_up_entry(other, (uint8_t)x) + hc128_look_up_entry(other + 256, (uint8_t)(x >> 16));
}

static inline void hc128_mix_table(uint32_t *table, const uint32_t *other, int is_q)
{
    for (unsigned j = 0; j < HC128_TABLE; j++)
        table[j] = hc128_updated(table, j, is_q) ^ hc128_h(other, hc128_older(table, j, 12));
}

static void hc128_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_hc128_state *s = state;
    (void)iv_bytes;
    runnel_hc128_expand(s, iv);
    hc128_mix_table(s->words, s->words + HC128_TABLE, 0);
    hc128_mix_table(s->words + HC128_TABLE, s->words, 1);
}

static inline void hc128_xor_block(uint32_t *table, const uint32_t *other, unsigned j, int is_q, uint8_t *out,
                                   const uint8_t *in)
{
    for (unsigned i = 0; i < HC128_BLOCK / 4; i++, j++) {
        const uint32_t word = hc128_updated(table, j, is_q);
        table[j] = word;
        runnel_xor32le(out, in, i, word ^ hc128_h(other, hc128_older(table, j, 12)));
    }
}

static void hc128_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t *p = ((runnel_hc128_state *)state)->words, *q = p + HC128_TABLE;
    unsigned block = (unsigned)(index % (2 * HC128_TABLE_BLOCKS));
    for (; nblocks > 0; nblocks--) {
        if (block < HC128_TABLE_BLOCKS)
            hc128_xor_block(p, q, block * (HC128_BLOCK / 4), 0, out, in);
        else
            hc128_xor_block(q, p, (block - HC128_TABLE_BLOCKS) * (HC128_BLOCK / 4), 1, out, in);
        block = (block + 1) % (2 * HC128_TABLE_BLOCKS);
        out += HC128_BLOCK;
        if (in != NULL)
            in += HC128_BLOCK;
    }
}

#endif
