/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the avx512 kernel has on narrower registers: 32 blocks in slices on 256 bits, for which there is a third port
 * (half_avx512.c); and on 128 bits what is one chain, the shortest there (one_avx512.c). */
#ifndef RUNNEL_ARIA_PARTS_AVX512_H
#define RUNNEL_ARIA_PARTS_AVX512_H

#include "ciphers/aria/kernels.h"
#include "run.h"

#if RUNNEL_X86_64

/* A block with each byte four times, since an operand of VPTERNLOGD in memory can be a repeated word. */
typedef struct runnel_aria_spread {
    RUNNEL_LINE_ALIGNED uint32_t word[16];
} runnel_aria_spread;

/* A run, and what changes with the next. */
typedef struct runnel_aria_spread_run {
    runnel_aria_spread first, second, first_change, second_change;
} runnel_aria_spread_run;

/* 32 blocks; keys: the folded ones. */
void runnel_aria_half_blocks(const runnel_aria_spread *keys, const runnel_aria_schedule *schedule, uint8_t *out,
                             const uint8_t *in);

/* 32 blocks of counter mode, of which `left` after the first are of one run and the others of the next. */
void runnel_aria_half_ctr(const runnel_aria_spread *keys, const runnel_aria_schedule *schedule,
                          const runnel_aria_spread_run *run, uint32_t counter, unsigned left, uint8_t *out,
                          const uint8_t *in);

/* One block; out = in XOR it, unless in is NULL. */
void runnel_aria_one_block(const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *block, const uint8_t *in);

/* The run of the counter block with this number in its last word. */
void runnel_aria_start_run(runnel_aria_run *run, const runnel_aria_schedule *schedule, const uint8_t *block,
                           uint32_t counter);

/* For the contract. */
void runnel_aria_set_key_avx512(void *state, const uint8_t *key, size_t key_bytes);
#if RUNNEL_DECRYPT
void runnel_aria_set_decrypt_key_avx512(void *state, const uint8_t *key, size_t key_bytes);
#endif

#endif

#endif
