/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What rv32-prefix and rv32-prefix8 keep for a nonce. Included by the file of each kernel, which defines TABLE, the
 * declarator of its entries, RUN / GROUP groups of 32 words. */
#include "ciphers/aes/column.h"

#define RUN 256
#define GROUP 8 /* blocks whose entries are made at once */
#define GROUPS (RUN / GROUP)

/* In the context. Key set-up zeroes the first 8 bytes; the rest is undefined until these flags say otherwise. */
typedef struct aes_prefix {
    uint32_t filled;   /* bit g: group g of table is defined */
    uint8_t bytes_set; /* bytes and column_0 are defined */
    uint8_t bytes[3];  /* bytes 0, 5 and 10 of the counter blocks that the table belongs to */
    uint32_t column_0; /* column 0 after round 1, except for what b contributes */
    uint32_t unused;
    uint32_t TABLE;
} aes_prefix;

_Static_assert(RUNNEL_AES_PREFIX_BYTES == 0 || sizeof(aes_prefix) <= RUNNEL_AES_PREFIX_BYTES, "prefix tables");

static void open_prefix(aes_prefix *p, const uint32_t keys[12], const uint8_t *block)
{
    if (p->bytes_set && aes_same_column(p->bytes, block))
        return;
    aes_keep_column(p->bytes, block);
    p->bytes_set = 1;
    p->filled = 0;
    uint32_t column = aes_column_word(block, 0) ^ (keys[0] & 0xff) ^ (keys[1] & 0xff00) ^ (keys[2] & 0xff0000);
    column = runnel_aes_rv32_sub_word(column);
    column = (column & 0xffffff) | (uint32_t)AES_RV32_NOTS << 24; /* the NOTs that fill_group leaves out */
    p->column_0 = aes_rv32_mix_column(column) ^ keys[4];
}

static uint32_t prefix_used(const void *prefix)
{
    const aes_prefix *p = prefix;
    return p->bytes_set ? sizeof *p : 8;
}
