/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR, short: small_blocks.S. */
#include "ciphers/hight/kernels.h"
#include "key.h"

#if RUNNEL_AVR

void runnel_hight_avr_small_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_hight_avr_small_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                  const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_hight_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = RUNNEL_TEXT("one round in a loop, F0 and F1 from the same rotations"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_avr_key,
    .block = {.encrypt_blocks = runnel_hight_avr_small_encrypt_blocks, .ctr32 = runnel_hight_avr_small_ctr32},
};

#endif
