/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode, written once for all block ciphers. */
#ifndef RUNNEL_CORE_CTR_H
#define RUNNEL_CORE_CTR_H

#include "kernel.h"

/* Gives the blocks in one period of a counter layout; 0 for 2^64 or more. */
uint64_t runnel_ctr_blocks(int layout);

/* As runnel_kernel.xor_blocks, on a context that starts with runnel_ctr_head. */
void runnel_ctr_xor_blocks(runnel_ctr_head *context, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

#endif
