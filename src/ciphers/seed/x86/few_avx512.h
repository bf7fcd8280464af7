/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Up to 8 blocks for the avx512 kernel, whose time is the length of one chain. */
#ifndef RUNNEL_SEED_FEW_AVX512_H
#define RUNNEL_SEED_FEW_AVX512_H

#include "ciphers/seed/kernels.h"

enum { RUNNEL_SEED_FEW = 8 };

/* nblocks blocks of in, to out. */
void runnel_seed_encrypt_few(const uint32_t *key, uint8_t *out, const uint8_t *in, size_t nblocks);

/* nblocks blocks in counter mode, as ctr32. The block after them goes to leftover, as it is, unless that is NULL, and
 * counts among the eight. */
void runnel_seed_xor_few(const uint32_t *key, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t nblocks,
                         uint8_t *leftover);

/* For the contract. */
void runnel_seed_cfb_avx512(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks);

#endif
