/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the Thumb-2 table kernel. */
#ifndef RUNNEL_SEED_THUMB2_H
#define RUNNEL_SEED_THUMB2_H

/* Offsets into runnel_seed_thumb2_run, for the assembly. */
#define SEED_THUMB2_WORDS 0 /* all words in a row */
#define SEED_THUMB2_LEFT1 16
#define SEED_THUMB2_RIGHT1 24
#define SEED_THUMB2_MASK 28
#define SEED_THUMB2_KEYS 32
#define SEED_THUMB2_TABLE 36

#if defined(__arm__) && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in the last byte of the counter. left and right are the halves with which the assembly
 * begins: before the first round, or, where the left half counts, after it. */
typedef struct runnel_seed_thumb2_run {
    uint32_t d;         /* the first G without the entry for the counter's last byte, */
    uint32_t c;         /* what is added to it, */
    uint32_t index_key; /* and what XOR counter is looked up */
    uint32_t left[2], right[2];
    uint32_t mask; /* left[1] counts before this is XORed to it */
    const uint32_t *keys;
    const uint32_t (*table)[256];
} runnel_seed_thumb2_run;

RUNNEL_CHECK_OFFSET(runnel_seed_thumb2_run, d, SEED_THUMB2_WORDS);
RUNNEL_CHECK_OFFSET(runnel_seed_thumb2_run, left[1], SEED_THUMB2_LEFT1);
RUNNEL_CHECK_OFFSET(runnel_seed_thumb2_run, right[1], SEED_THUMB2_RIGHT1);
RUNNEL_CHECK_OFFSET(runnel_seed_thumb2_run, mask, SEED_THUMB2_MASK);
RUNNEL_CHECK_OFFSET(runnel_seed_thumb2_run, keys, SEED_THUMB2_KEYS);
RUNNEL_CHECK_OFFSET(runnel_seed_thumb2_run, table, SEED_THUMB2_TABLE);

/* fast_blocks.S */
void runnel_seed_thumb2_left(runnel_seed_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_seed_thumb2_right(runnel_seed_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_seed_thumb2_encrypt(const uint32_t keys[32], const uint32_t table[2][256], uint8_t *out, const uint8_t *in,
                                size_t nblocks);

#endif
#endif
