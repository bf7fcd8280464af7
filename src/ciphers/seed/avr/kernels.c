/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels for 8-bit AVR, whose code is in assembly. The AVR has no data cache. */
#include "ciphers/seed/kernels.h"

#if RUNNEL_AVR

void runnel_seed_avr_key(void *state, const uint8_t *key, size_t key_bytes);

RUNNEL_DECRYPT_KEY(runnel_seed_avr_key, runnel_seed_reverse)

#define KERNEL(id, title, technique)                                                                                   \
    void runnel_seed_##id##_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);        \
    void runnel_seed_##id##_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out,                 \
                                  const uint8_t *in, size_t nblocks);                                                  \
    const runnel_kernel runnel_seed_##id = {                                                                           \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = RUNNEL_TEXT(technique),                                                                              \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_CACHELESS,                                                                                    \
        .key = runnel_seed_avr_key,                                                                                    \
        .block = {                                                                                                     \
            .encrypt_blocks = runnel_seed_##id##_encrypt_blocks,                                                       \
            .ctr32 = runnel_seed_##id##_ctr32,                                                                         \
            RUNNEL_DECRYPTION(set_decrypt_key, runnel_seed_##id##_encrypt_blocks)                                      \
        },                                                                                                             \
    };

KERNEL(avr, "avr", "S-boxes in flash, the masks of G as three exchanges of bits")
KERNEL(avr_small, "avr-small", "as avr, with one G and one round in a loop")

#endif
