/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the RV32 kernel's C and its assembly: the places in a job. */
#ifndef RUNNEL_SALSA20_RV32_H
#define RUNNEL_SALSA20_RV32_H

#define SALSA20_RV32_WORDS 0
#define SALSA20_RV32_LOW 4
#define SALSA20_RV32_HIGH 8
#define SALSA20_RV32_LEFT 12

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

typedef struct salsa20_rv32_job {
    const uint32_t *words; /* the state before the rounds, except for words 8 and 9, the counter: */
    uint32_t low, high;    /* there is no carry between them */
    uint32_t left;         /* double rounds after the first */
} salsa20_rv32_job;

RUNNEL_CHECK_OFFSET(salsa20_rv32_job, words, SALSA20_RV32_WORDS);
RUNNEL_CHECK_OFFSET(salsa20_rv32_job, low, SALSA20_RV32_LOW);
RUNNEL_CHECK_OFFSET(salsa20_rv32_job, high, SALSA20_RV32_HIGH);
RUNNEL_CHECK_OFFSET(salsa20_rv32_job, left, SALSA20_RV32_LEFT);

/* As arch/common/aligned.h says. */
void runnel_salsa20_rv32_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);
#endif

#endif
