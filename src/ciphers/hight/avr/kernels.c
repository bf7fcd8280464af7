/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels for 8-bit AVR, whose code is in assembly. The AVR has no data cache. */
#include "ciphers/hight/kernels.h"

#if RUNNEL_AVR

void runnel_hight_avr_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_hight_avr_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_hight_avr_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks);
void runnel_hight_avr_small_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_hight_avr_small_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                  const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_hight_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("F0 and F1 as tables in flash; what a nonce fixes of seven rounds stays in registers"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CACHELESS,
    .key = runnel_hight_avr_key,
    .block = {
        .encrypt_blocks = runnel_hight_avr_encrypt_blocks,
        .ctr32 = runnel_hight_avr_ctr32,
    },
};

const runnel_kernel runnel_hight_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = RUNNEL_TEXT("one round in a loop, F0 and F1 from the same rotations"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_avr_key,
    .block = {
        .encrypt_blocks = runnel_hight_avr_small_encrypt_blocks,
        .ctr32 = runnel_hight_avr_small_ctr32,
    },
};

#endif
