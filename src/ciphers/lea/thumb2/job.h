/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the Thumb-2 kernel. */
#ifndef RUNNEL_LEA_THUMB2_H
#define RUNNEL_LEA_THUMB2_H

/* Offsets into runnel_lea_thumb2_run, for the assembly. */
#define LEA_THUMB2_LIST 0
#define LEA_THUMB2_COUNTER 72
#define LEA_THUMB2_KEYS 76
#define LEA_THUMB2_ROUNDS 80

#if defined(__arm__) && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"
#include "ciphers/lea/first_rounds.h"

typedef struct runnel_lea_thumb2_run {
    uint32_t list[LEA_FIRST_ROUNDS_WORDS];
    uint32_t counter; /* keeps counting */
    const uint32_t *keys;
    uint32_t rounds;
} runnel_lea_thumb2_run;

RUNNEL_CHECK_OFFSET(runnel_lea_thumb2_run, list, LEA_THUMB2_LIST);
RUNNEL_CHECK_OFFSET(runnel_lea_thumb2_run, counter, LEA_THUMB2_COUNTER);
RUNNEL_CHECK_OFFSET(runnel_lea_thumb2_run, keys, LEA_THUMB2_KEYS);
RUNNEL_CHECK_OFFSET(runnel_lea_thumb2_run, rounds, LEA_THUMB2_ROUNDS);

/* fast_rounds.S */
void runnel_lea_thumb2_pairs(runnel_lea_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t npairs);
void runnel_lea_thumb2_encrypt(const uint32_t *words, uint8_t *out, const uint8_t *in, size_t nblocks, unsigned rounds);

#endif
#endif
