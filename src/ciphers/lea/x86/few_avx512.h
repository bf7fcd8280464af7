/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Up to 8 blocks for the avx512 kernel, in 256-bit registers, of which the processor takes three operations at a time
 * instead of two. */
#ifndef RUNNEL_LEA_FEW_AVX512_H
#define RUNNEL_LEA_FEW_AVX512_H

#include "ciphers/lea/kernels.h"

enum { RUNNEL_LEA_FEW = 8 };

/* nblocks blocks of in, to out. */
void runnel_lea_encrypt_few(const runnel_lea_schedule *schedule, uint8_t *out, const uint8_t *in, size_t nblocks);

/* nblocks blocks in counter mode, as ctr32. The block after them goes to leftover, as it is, unless that is NULL, and
 * counts among the eight. */
void runnel_lea_xor_few(const runnel_lea_schedule *schedule, const uint8_t *block, uint8_t *out, const uint8_t *in,
                        size_t nblocks, uint8_t *leftover);

#endif
