/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR, which has no data cache: fast_blocks.S. */
#include "ciphers/hight/kernels.h"
#include "key.h"

#if RUNNEL_AVR

void runnel_hight_avr_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_hight_avr_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks);

const runnel_kernel runnel_hight_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("F0 and F1 as tables in flash; what a nonce fixes of seven rounds stays in registers"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_hight_avr_key,
    .block = {.encrypt_blocks = runnel_hight_avr_encrypt_blocks, .ctr32 = runnel_hight_avr_ctr32},
};

#endif
