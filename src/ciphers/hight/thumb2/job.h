/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the Thumb-2 kernel with the DSP instructions. */
#ifndef RUNNEL_HIGHT_THUMB2_H
#define RUNNEL_HIGHT_THUMB2_H

/* Offsets into runnel_hight_thumb2_run, for the assembly. */
#define HIGHT_THUMB2_WORDS 0 /* all words in a row */
#define HIGHT_THUMB2_COUNTER 16
#define HIGHT_THUMB2_ADD2 20
#define HIGHT_THUMB2_SCHEDULE 24

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in the last byte alone. Words are pairs of bytes in halves; see fast_blocks.S. */
typedef struct runnel_hight_thumb2_run {
    uint32_t odd1;    /* X1 and X5 before the second round */
    uint32_t even2;   /* X0 and X4 before the third round, */
    uint32_t odd2;    /* X3 and X7, one bit to the left, */
    uint32_t even1;   /* X0 and X4 before the second round, except for the counter, which is to be XORed to X0 */
    uint32_t counter; /* the last byte, which keeps counting */
    uint32_t add2;    /* what the third round adds to X1 and X5 */
    const void *schedule;
} runnel_hight_thumb2_run;

RUNNEL_CHECK_OFFSET(runnel_hight_thumb2_run, odd1, HIGHT_THUMB2_WORDS);
RUNNEL_CHECK_OFFSET(runnel_hight_thumb2_run, counter, HIGHT_THUMB2_COUNTER);
RUNNEL_CHECK_OFFSET(runnel_hight_thumb2_run, add2, HIGHT_THUMB2_ADD2);
RUNNEL_CHECK_OFFSET(runnel_hight_thumb2_run, schedule, HIGHT_THUMB2_SCHEDULE);

/* fast_blocks.S */
void runnel_hight_thumb2_ctr(runnel_hight_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_hight_thumb2_encrypt(const void *schedule, uint8_t *out, const uint8_t *in, size_t nblocks);

#endif
#endif
