/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR, which has no data cache: fast_blocks.S. */
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_AVR_MUL

void runnel_sosemanuk_avr_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_sosemanuk_avr_iv(void *state, const uint8_t *iv, size_t iv_bytes);
void runnel_sosemanuk_avr_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_sosemanuk_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("own: registers that change their names, a ring of twelve words, products by columns"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_sosemanuk_avr_key,
    .stream = {.iv = runnel_sosemanuk_avr_iv, .xor_blocks = runnel_sosemanuk_avr_xor_blocks},
};

#endif
