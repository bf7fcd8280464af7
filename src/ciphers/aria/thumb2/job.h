/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the Thumb-2 kernel. */
#ifndef RUNNEL_ARIA_THUMB2_H
#define RUNNEL_ARIA_THUMB2_H

/* Offsets into runnel_aria_thumb2_run, for the assembly. */
#define ARIA_THUMB2_COUNTER 0
#define ARIA_THUMB2_KEY_BYTE 4
#define ARIA_THUMB2_FIRST 8
#define ARIA_THUMB2_SECOND 24
#define ARIA_THUMB2_KEYS 40
#define ARIA_THUMB2_LAST 44
#define ARIA_THUMB2_TABLE 48

#if defined(__arm__) && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in their last byte. */
typedef struct runnel_aria_thumb2_run {
    uint32_t counter;    /* the last byte of the next block, */
    uint32_t key_byte;   /* and of the first round key */
    uint32_t first[4];   /* the state after the first round, without that byte's entry, */
    uint32_t second[4];  /* and after the second one, without the entries that depend on it */
    const uint8_t *keys; /* the round keys from the fourth on, */
    const uint8_t *last; /* and where the last but one is */
    const uint32_t (*table)[256];
} runnel_aria_thumb2_run;

RUNNEL_CHECK_OFFSET(runnel_aria_thumb2_run, counter, ARIA_THUMB2_COUNTER);
RUNNEL_CHECK_OFFSET(runnel_aria_thumb2_run, key_byte, ARIA_THUMB2_KEY_BYTE);
RUNNEL_CHECK_OFFSET(runnel_aria_thumb2_run, first, ARIA_THUMB2_FIRST);
RUNNEL_CHECK_OFFSET(runnel_aria_thumb2_run, second, ARIA_THUMB2_SECOND);
RUNNEL_CHECK_OFFSET(runnel_aria_thumb2_run, keys, ARIA_THUMB2_KEYS);
RUNNEL_CHECK_OFFSET(runnel_aria_thumb2_run, last, ARIA_THUMB2_LAST);
RUNNEL_CHECK_OFFSET(runnel_aria_thumb2_run, table, ARIA_THUMB2_TABLE);

/* fast_blocks.S */
void runnel_aria_thumb2_count(runnel_aria_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_aria_thumb2_encrypt(const uint8_t *keys, const uint8_t *last, const uint32_t table[4][256], uint8_t *out,
                                const uint8_t *in, size_t nblocks);

#endif
#endif
