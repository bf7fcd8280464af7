/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode, written once for all block ciphers. */
#ifndef RUNNEL_CORE_CTR_H
#define RUNNEL_CORE_CTR_H

#include "kernel.h"

/* Turns a period in blocks, 0 for 2^64 or more, into what a context can count. */
static inline runnel_count runnel_narrow_count(uint64_t blocks)
{
#if RUNNEL_COUNT_BITS == 64
    return blocks;
#else
    return blocks > UINT32_MAX || (uint32_t)blocks == 0 ? UINT32_MAX : (uint32_t)blocks;
#endif
}

/* Returns the blocks in one period of a counter layout, as a context counts them. */
runnel_count runnel_ctr_blocks(int layout);

/* As runnel_stream_functions.xor_blocks, on a context that starts with runnel_ctr_head. */
void runnel_ctr_xor_blocks(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in,
                           size_t nblocks);

#if RUNNEL_TAILS
/* As runnel_stream_functions.xor_tail on such a context, for a kernel that has ctr32_tail; returns 0, and has done
 * nothing, in layouts that do not end the block and where the counter word wraps on the way. */
int runnel_ctr_xor_tail(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in, size_t nblocks,
                        size_t tail, uint8_t *leftover);
#endif

#endif
