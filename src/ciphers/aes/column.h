/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Column 0 of a counter block in round 1 depends on its bytes 0, 5 and 10, and on the last one, which counts: the tables
 * that kernels make for a nonce belong to these three. */
#ifndef RUNNEL_AES_COLUMN_H
#define RUNNEL_AES_COLUMN_H

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

/* In one word; where byte 0 counts, byte 15 takes its place. */
static inline uint32_t aes_column_word(const uint8_t *block, int little)
{
    return block[little ? 15 : 0] | (uint32_t)block[5] << 8 | (uint32_t)block[10] << 16;
}

#endif
