/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the RV32 table kernel. */
#ifndef RUNNEL_ARIA_RV32_H
#define RUNNEL_ARIA_RV32_H

/* Offsets into aria_rv32_run, for the assembly. */
#define ARIA_RV32_KEYS 0
#define ARIA_RV32_LAST 4
#define ARIA_RV32_RAW 8
#define ARIA_RV32_INDEX 12
#define ARIA_RV32_INDEX_KEY 16
#define ARIA_RV32_ENTRIES 20
#define ARIA_RV32_CONSTANTS 48

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

enum { ARIA_RV32_MOVED = 7 }; /* bytes that one byte moves in the diffusion layer */

/* Counter blocks that differ in their last byte alone, or raw blocks. */
typedef struct aria_rv32_run {
    const uint8_t *keys; /* the third round key; raw: the first one */
    const uint8_t *last; /* the last one */
    uint32_t raw;
    /* Counter mode: the last byte goes through its S-box in round 1, and from there to seven bytes, which go through
     * theirs in round 2; all else in the two rounds is the same for the run. */
    uint32_t index;                    /* four times the last byte of the next block */
    uint32_t index_key;                /* what that is XORed to: the entry, if the byte were 0 */
    uint32_t entries[ARIA_RV32_MOVED]; /* in round 2: the entry, if the S-box of round 1 gave 0, */
    uint32_t constants[4];             /* and what the other nine bytes make of the state after round 2 */
} aria_rv32_run;

RUNNEL_CHECK_OFFSET(aria_rv32_run, keys, ARIA_RV32_KEYS);
RUNNEL_CHECK_OFFSET(aria_rv32_run, last, ARIA_RV32_LAST);
RUNNEL_CHECK_OFFSET(aria_rv32_run, raw, ARIA_RV32_RAW);
RUNNEL_CHECK_OFFSET(aria_rv32_run, index, ARIA_RV32_INDEX);
RUNNEL_CHECK_OFFSET(aria_rv32_run, index_key, ARIA_RV32_INDEX_KEY);
RUNNEL_CHECK_OFFSET(aria_rv32_run, entries, ARIA_RV32_ENTRIES);
RUNNEL_CHECK_OFFSET(aria_rv32_run, constants, ARIA_RV32_CONSTANTS);

/* The next blocks of a run, XORed to in, or raw blocks; as arch/common/aligned.h says. */
void runnel_aria_rv32_blocks(void *run, uint8_t *out, const uint8_t *in, size_t nblocks);

#endif
#endif
