/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV32 table kernel. */
#ifndef RUNNEL_SEED_RV32_H
#define RUNNEL_SEED_RV32_H

/* Offsets into seed_rv32_run, for the assembly. */
#define SEED_RV32_KEYS 0
#define SEED_RV32_LEFT 4
#define SEED_RV32_RIGHT 12
#define SEED_RV32_C 20
#define SEED_RV32_D 24
#define SEED_RV32_INDEX 28
#define SEED_RV32_INDEX_KEY 32

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in their last byte alone. */
typedef struct seed_rv32_run {
    const uint32_t *keys;
    uint32_t left[2], right[2]; /* the next block */
    uint32_t c, d;              /* c as it goes into round 1, and its first G except for the term of the last byte */
    uint32_t index;             /* the address of the last byte's entry, except for index_key */
    uint32_t index_key;         /* what is XORed to index */
} seed_rv32_run;

RUNNEL_CHECK_OFFSET(seed_rv32_run, keys, SEED_RV32_KEYS);
RUNNEL_CHECK_OFFSET(seed_rv32_run, left, SEED_RV32_LEFT);
RUNNEL_CHECK_OFFSET(seed_rv32_run, right, SEED_RV32_RIGHT);
RUNNEL_CHECK_OFFSET(seed_rv32_run, c, SEED_RV32_C);
RUNNEL_CHECK_OFFSET(seed_rv32_run, d, SEED_RV32_D);
RUNNEL_CHECK_OFFSET(seed_rv32_run, index, SEED_RV32_INDEX);
RUNNEL_CHECK_OFFSET(seed_rv32_run, index_key, SEED_RV32_INDEX_KEY);

/* The next blocks of a run; as arch/common/aligned.h says. */
void runnel_seed_rv32_blocks(void *run, uint8_t *out, const uint8_t *in, size_t nblocks);

/* Encrypts one block; out and in are aligned to 4 bytes. */
void runnel_seed_rv32_block(const uint32_t *keys, uint8_t *out, const uint8_t *in);

#endif
#endif
