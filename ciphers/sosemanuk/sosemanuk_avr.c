/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels for 8-bit AVR whose code is in assembly. The AVR has no data cache. */
#include "sosemanuk_kernels.h"

#if RUNNEL_AVR

#define SOURCE                                                                                                         \
    RUNNEL_TEXT("own: registers that change their names, a ring of twelve words, products in flash by columns")

#define KERNEL(id, title)                                                                                              \
    void runnel_sosemanuk_##id##_key(void *state, const uint8_t *key, size_t key_bytes);                               \
    void runnel_sosemanuk_##id##_iv(void *state, const uint8_t *iv, size_t iv_bytes);                                  \
    void runnel_sosemanuk_##id##_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in,              \
                                            size_t nblocks);                                                           \
    const runnel_kernel runnel_sosemanuk_##id = {                                                                      \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .source = SOURCE,                                                                                              \
        .timing = RUNNEL_CACHELESS,                                                                                    \
        .key = runnel_sosemanuk_##id##_key,                                                                            \
        .iv = runnel_sosemanuk_##id##_iv,                                                                              \
        .xor_blocks = runnel_sosemanuk_##id##_xor_blocks,                                                              \
    };

KERNEL(avr, "avr")
KERNEL(avr_small, "avr-small")

#endif
