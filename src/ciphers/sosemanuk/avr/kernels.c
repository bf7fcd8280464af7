/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels for 8-bit AVR whose code is in assembly. The AVR has no data cache. */
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_AVR

#define SOURCE RUNNEL_TEXT("own: registers that change their names, a ring of twelve words, products by columns")

void runnel_sosemanuk_avr_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_sosemanuk_avr_iv(void *state, const uint8_t *iv, size_t iv_bytes);
void runnel_sosemanuk_avr_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_sosemanuk_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = SOURCE,
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CACHELESS,
    .key = runnel_sosemanuk_avr_key,
    .stream = {
        .iv = runnel_sosemanuk_avr_iv,
        .xor_blocks = runnel_sosemanuk_avr_xor_blocks,
    },
};

void runnel_sosemanuk_avr_small_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_sosemanuk_avr_small_iv(void *state, const uint8_t *iv, size_t iv_bytes);
void runnel_sosemanuk_avr_small_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in,
                                            size_t nblocks);

const runnel_kernel runnel_sosemanuk_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = SOURCE,
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CACHELESS,
    .key = runnel_sosemanuk_avr_small_key,
    .stream = {
        .iv = runnel_sosemanuk_avr_small_iv,
        .xor_blocks = runnel_sosemanuk_avr_small_xor_blocks,
    },
};

#endif
