/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR, short, with one state: small_blocks.S. */
#include "ciphers/rabbit/kernels.h"

#if RUNNEL_AVR_MUL

void runnel_rabbit_avr_small_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_rabbit_avr_small_iv(void *state, const uint8_t *iv, size_t iv_bytes);
void runnel_rabbit_avr_small_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_rabbit_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = RUNNEL_TEXT("own: word by word, the last two squares in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_rabbit_avr_small_key,
    .stream = {.iv = runnel_rabbit_avr_small_iv, .xor_blocks = runnel_rabbit_avr_small_xor_blocks},
};

#endif
