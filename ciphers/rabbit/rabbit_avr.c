/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel for 8-bit AVR whose code is in assembly, rabbit_avr_steps.S. */
#include "rabbit_kernels.h"

#if RUNNEL_AVR

void runnel_rabbit_avr_key(void *states, const uint8_t *key, size_t key_bytes);
void runnel_rabbit_avr_iv(void *states, const uint8_t *iv, size_t iv_bytes);
void runnel_rabbit_avr_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_rabbit_avr = {
    .name = RUNNEL_TEXT("avr"),
    .source = RUNNEL_TEXT("own: word by word, the last two squares in registers"),
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_rabbit_avr_key,
    .iv = runnel_rabbit_avr_iv,
    .xor_blocks = runnel_rabbit_avr_xor_blocks,
};

#endif
