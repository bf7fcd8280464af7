/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the RV32 kernels: one block by itself. */
#ifndef RUNNEL_HIGHT_RV32_H
#define RUNNEL_HIGHT_RV32_H

#include "ciphers/hight/kernels.h"

/* Key set-up for it: the schedule of hight.h with bytes of the subkeys exchanged. */
void runnel_hight_rv32_set_key(void *state, const uint8_t *key, size_t key_bytes);

/* out may be in. */
void runnel_hight_rv32_block(const runnel_hight_schedule *keys, uint32_t out[2], const uint32_t in[2]);

/* Counter mode block by block: all of the small kernel's, few blocks of the other one's. */
void runnel_hight_rv32_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks);

#endif
