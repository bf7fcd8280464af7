/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Column 0 of a counter block in round 1 depends on its bytes 0, 5 and 10, and on the last one, which counts: the tables
 * that kernels make for a nonce belong to these three. */
#ifndef RUNNEL_AES_COLUMN_H
#define RUNNEL_AES_COLUMN_H

#include <stddef.h>
#include <stdint.h>

static inline int aes_same_column(const uint8_t column[3], const uint8_t *block)
{
    return column[0] == block[0] && column[1] == block[5] && column[2] == block[10];
}

static inline void aes_keep_column(uint8_t column[3], const uint8_t *block)
{
    column[0] = block[0];
    column[1] = block[5];
    column[2] = block[10];
}

/* The first 8 bytes of a prefix, which key set-up zeroes, where the table waits until it pays. */
typedef struct aes_column_table {
    uint8_t set;          /* the table is that of this column, */
    uint8_t constant_set; /* and the constant of a run goes with it */
    uint8_t column[3];
    uint8_t blocks;  /* encrypted with this column without a table */
    uint8_t written; /* the table was written under this key */
    uint8_t unused;
} aes_column_table;

/* Returns whether blocks with this column are to be encrypted by a table; it may have to be built. pays_from is at
 * how many of them the table begins to pay. */
static inline int aes_table_pays(aes_column_table *t, const uint8_t *block, size_t nblocks, uint8_t pays_from)
{
    if (!aes_same_column(t->column, block)) {
        aes_keep_column(t->column, block);
        t->set = t->constant_set = t->blocks = 0;
    }
    if (t->set || nblocks >= (size_t)(pays_from - t->blocks))
        return 1;
    t->blocks = (uint8_t)(t->blocks + nblocks);
    return 0;
}

static inline void aes_table_built(aes_column_table *t)
{
    t->set = t->written = 1;
}

/* In one word; where byte 0 counts, byte 15 takes its place. */
static inline uint32_t aes_column_word(const uint8_t *block, int little)
{
    return block[little ? 15 : 0] | (uint32_t)block[5] << 8 | (uint32_t)block[10] << 16;
}

#endif
