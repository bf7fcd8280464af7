/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the Thumb-2 kernel with the DSP instructions. */
#ifndef RUNNEL_HIGHT_THUMB2_H
#define RUNNEL_HIGHT_THUMB2_H

/* Indices of words of runnel_hight_thumb2_pairs, in the order of their use. */
#define HIGHT_PAIR_COUNTER 0
#define HIGHT_PAIR_XOR_0 1
#define HIGHT_PAIR_KEYS_4_9 2
#define HIGHT_PAIR_X0_X1 3
#define HIGHT_PAIR_ADD_2 4
#define HIGHT_PAIR_KEYS_14_13 5
#define HIGHT_PAIR_X2_X3 6
#define HIGHT_PAIR_KEYS_18_19 7
#define HIGHT_PAIR_XOR_4 8
#define HIGHT_PAIR_KEYS_20_27 9
#define HIGHT_PAIR_X4 10
#define HIGHT_PAIR_KEYS_22_23 11
#define HIGHT_PAIR_X5 12
#define HIGHT_PAIR_KEYS_24_25 13
#define HIGHT_PAIR_ADD_6 14
#define HIGHT_PAIR_X6 15
#define HIGHT_PAIR_WORDS 16
#define HIGHT_PAIR_SCHEDULE (4 * HIGHT_PAIR_WORDS)

#if defined(__arm__) && !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#include "arch/common/offsets.h"

/* Counter blocks that differ in X7 alone, two at a time: a half of a word has a byte of each, so that all constants are
 * in both halves. They are what X7 is XORed with or what is added to it, by the round; X0 to X6 as they are when X7
 * reaches them, in the upper byte of the half if F0 changes them next, and X5 one bit to the left; subkeys, of F1 in
 * the lower byte, of F0 in the upper one. The counter keeps counting. */
typedef struct runnel_hight_thumb2_pairs {
    uint32_t words[HIGHT_PAIR_WORDS];
    const void *schedule;
} runnel_hight_thumb2_pairs;

RUNNEL_CHECK_OFFSET(runnel_hight_thumb2_pairs, words, 0);
RUNNEL_CHECK_OFFSET(runnel_hight_thumb2_pairs, schedule, HIGHT_PAIR_SCHEDULE);

/* fast_blocks.S */
void runnel_hight_thumb2_begin_pairs(runnel_hight_thumb2_pairs *run, const void *schedule, uint32_t first,
                                     uint32_t counter);
void runnel_hight_thumb2_ctr_pairs(runnel_hight_thumb2_pairs *run, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_hight_thumb2_encrypt(const void *schedule, uint8_t *out, const uint8_t *blocks, size_t nblocks,
                                 const uint8_t *in);

#endif
#endif
