/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the RV32 kernel's C and its assembly: the places in a job. */
#ifndef RUNNEL_CHACHA20_RV32_H
#define RUNNEL_CHACHA20_RV32_H

#define CHACHA20_RV32_WORDS 0
#define CHACHA20_RV32_COUNTER (__riscv_xlen / 8)

#if defined(__riscv) && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

typedef struct chacha20_rv32_job {
    const uint32_t *words; /* the state before the rounds, except for word 12 */
    uint32_t counter;
} chacha20_rv32_job;

RUNNEL_CHECK_OFFSET(chacha20_rv32_job, words, CHACHA20_RV32_WORDS);
RUNNEL_CHECK_OFFSET(chacha20_rv32_job, counter, CHACHA20_RV32_COUNTER);

/* As arch/common/aligned.h says. */
void runnel_chacha20_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);

/* Functions of the kernels rv32 and rv64. */
void runnel_chacha20_rv32_xor(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);
#endif

#endif
