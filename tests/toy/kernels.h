/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The toy's kernels and what they share. */
#ifndef RUNNEL_TOY_KERNELS_H
#define RUNNEL_TOY_KERNELS_H

#include "core/define.h"
#include "toy.h"

void runnel_toy_set_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_toy_set_iv(void *state, const uint8_t *iv, size_t iv_bytes);
void runnel_toy_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

#define KERNEL(on, name) extern const runnel_kernel runnel_toy_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
