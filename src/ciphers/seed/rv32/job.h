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
#define SEED_RV32_MASK_AT 36

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in the last byte of the counter. left and right are the halves with which the assembly
 * begins: before the first round, or, where the left half counts, after it. */
typedef struct seed_rv32_run {
    const uint32_t *keys;
    uint32_t left[2], right[2]; /* of the next block */
    uint32_t c, d;              /* the first c, and the first G without the entry for the counter's last byte */
    uint32_t index;             /* the address of that entry, except for index_key */
    uint32_t index_key;         /* what is XORed to index */
    const uint32_t *mask_at;    /* &mask, where left[1] counts, NULL where right[1] does */
    uint32_t mask;              /* what is XORed to left[1] when it has counted */
} seed_rv32_run;

RUNNEL_CHECK_OFFSET(seed_rv32_run, keys, SEED_RV32_KEYS);
RUNNEL_CHECK_OFFSET(seed_rv32_run, left, SEED_RV32_LEFT);
RUNNEL_CHECK_OFFSET(seed_rv32_run, right, SEED_RV32_RIGHT);
RUNNEL_CHECK_OFFSET(seed_rv32_run, c, SEED_RV32_C);
RUNNEL_CHECK_OFFSET(seed_rv32_run, d, SEED_RV32_D);
RUNNEL_CHECK_OFFSET(seed_rv32_run, index, SEED_RV32_INDEX);
RUNNEL_CHECK_OFFSET(seed_rv32_run, index_key, SEED_RV32_INDEX_KEY);
RUNNEL_CHECK_OFFSET(seed_rv32_run, mask_at, SEED_RV32_MASK_AT);

/* The next blocks of a run; as arch/common/aligned.h says. */
void runnel_seed_rv32_blocks(void *run, uint8_t *out, const uint8_t *in, size_t nblocks);

/* Encrypts one block; out and in are aligned to 4 bytes. */
void runnel_seed_rv32_block(const uint32_t *keys, uint8_t *out, const uint8_t *in);

#endif
#endif
