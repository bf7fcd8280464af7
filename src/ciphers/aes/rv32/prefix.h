/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Prefix tables of rv32-prefix and rv32-prefix8 for a nonce. Included by the file of each kernel, which defines TABLE,
 * the declarator of its entries, RUN / GROUP groups of 32 words. */
#include "ciphers/aes/column.h"

#define RUN 256
#define GROUP 8 /* blocks whose entries are made at once */
#define GROUPS (RUN / GROUP)

/* In the context. Key set-up zeroes the first 8 bytes; the rest is undefined until `set` says otherwise. */
typedef struct aes_prefix {
    uint32_t filled;  /* bit g: group g of table is defined */
    uint8_t set;      /* flags, of what follows */
    uint8_t bytes[3]; /* any: bytes 0, 5 and 10 of the counter blocks that the table belongs to, or is to belong to */
    uint32_t
        column_0; /* AES_COLUMN_SET: column 0 after round 1, except for what b contributes, in the order in which a pass takes rows */
    uint32_t key_15;               /* and byte 15 of round key 0 */
    uint32_t run[4];               /* AES_RUN_SET: the counter block with b = 0, */
    uint32_t shared[SHARED_WORDS]; /* and what all blocks of this run share */
    uint32_t TABLE;
} aes_prefix;

enum { AES_COLUMN_SET = 1, AES_RUN_SET = 2, AES_SEEN = 4 };

/* Of round keys 0 and 1: bytes 0, 5, 10 and 15 of the one, column 0 of the other. reversed: a pass takes rows 0, 3, 2, 1. */
static void aes_open_column(aes_prefix *p, uint32_t key_0, uint32_t key_1, const uint8_t *block, int reversed)
{
    aes_keep_column(p->bytes, block);
    p->set = AES_COLUMN_SET;
    p->filled = 0;
    p->key_15 = key_0 >> 24;
    uint32_t column = runnel_aes_rv32_sub_word(aes_column_word(block, 0) ^ key_0);
    column = (column & 0xffffff) | (uint32_t)AES_RV32_NOTS << 24; /* the NOTs that a pass leaves out */
    column = aes_rv32_mix_column(column) ^ key_1;
    if (reversed)
        column = (column & 0xff00ff) | (column >> 16 & 0xff00) | (column & 0xff00) << 16;
    p->column_0 = column;
}

static inline int aes_column_is_set(const aes_prefix *p, const uint8_t *block)
{
    return (p->set & AES_COLUMN_SET) && aes_same_column(p->bytes, block);
}

static inline int aes_run_is_set(const aes_prefix *p, const uint32_t first[4])
{
    return (p->set & AES_RUN_SET) && p->run[0] == first[0] && p->run[1] == first[1] && p->run[2] == first[2] &&
           p->run[3] == first[3];
}

static inline void aes_keep_run(aes_prefix *p, const uint32_t first[4])
{
    aes_rv32_copy(p->run, first, 4);
    p->set |= AES_RUN_SET;
}

static uint32_t aes_prefix_used(const void *prefix)
{
    const aes_prefix *p = prefix;
    return p->set & AES_COLUMN_SET ? sizeof *p : 8;
}
