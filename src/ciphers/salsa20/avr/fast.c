/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast_blocks.S. */
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_AVR

void runnel_salsa20_avr_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_salsa20_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("six words in registers, in an order of quarter-rounds that keeps most of them there"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = runnel_salsa20_avr_xor_blocks},
};

#endif
