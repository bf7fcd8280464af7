/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Up to 8 blocks for the avx512 kernel, which a 128-bit register has two bytes of. */
#ifndef RUNNEL_HIGHT_FEW_AVX512_H
#define RUNNEL_HIGHT_FEW_AVX512_H

#include "ciphers/hight/kernels.h"

enum { RUNNEL_HIGHT_FEW = 8 };

/* nblocks blocks of in, to out. */
void runnel_hight_encrypt_few(const runnel_hight_schedule *schedule, uint8_t *out, const uint8_t *in, size_t nblocks);

/* nblocks blocks in counter mode, from `counter` on; the first four bytes are those of block. The block after them goes
 * to leftover, as it is, unless that is NULL, and counts among the eight. */
void runnel_hight_xor_few(const runnel_hight_schedule *schedule, const uint8_t *block, uint32_t counter, uint8_t *out,
                          const uint8_t *in, size_t nblocks, uint8_t *leftover);

/* For the contract. */
void runnel_hight_cfb_avx512(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks);

#endif
