/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels for 8-bit AVR whose code is in assembly. */
#include "rabbit_kernels.h"

#if RUNNEL_AVR

#define KERNEL(id, title)                                                                                              \
    void runnel_rabbit_##id##_key(void *states, const uint8_t *key, size_t key_bytes);                                 \
    void runnel_rabbit_##id##_iv(void *states, const uint8_t *iv, size_t iv_bytes);                                    \
    void runnel_rabbit_##id##_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in,                \
                                         size_t nblocks);                                                              \
    const runnel_kernel runnel_rabbit_##id = {                                                                         \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .source = RUNNEL_TEXT("own: word by word, the last two squares in registers"),                                 \
        .timing = RUNNEL_CONSTANT_TIME,                                                                                \
        .key = runnel_rabbit_##id##_key,                                                                               \
        .iv = runnel_rabbit_##id##_iv,                                                                                 \
        .xor_blocks = runnel_rabbit_##id##_xor_blocks,                                                                 \
    };

KERNEL(avr, "avr")
KERNEL(avr_small, "avr-small")

#endif
