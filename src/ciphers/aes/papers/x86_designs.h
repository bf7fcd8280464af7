/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the kernels that encrypt by assembly of x86_designs_blocks.S, and decrypt as ttable does. */
#ifndef AES_X86_DESIGNS_H
#define AES_X86_DESIGNS_H

#include "ciphers/aes/ttable.h"

#if RUNNEL_X86_64_ASSEMBLY

/* For the last round: a byte of the S-box in each row, the others zero. */
extern const aes_ttable runnel_aes_last_columns;

#define KERNEL(id, title, technique)                                                                                   \
    void runnel_aes_##id##_encrypt(const uint32_t *keys, uint8_t *out, const uint8_t *in, size_t nblocks);             \
    static void id##_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)                        \
    {                                                                                                                  \
        runnel_aes_##id##_encrypt(((const runnel_aes_schedule *)state)->keys.words, out, in, nblocks);                 \
    }                                                                                                                  \
    const runnel_kernel runnel_aes_##id = {                                                                            \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = RUNNEL_TEXT(technique),                                                                            \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .key_sizes = RUNNEL_KEY_SIZE(128),                                                                             \
        .timing = RUNNEL_SECRET_INDEXED,                                                                               \
        .key = runnel_aes_ttable_key,                                                                                  \
        .block = {.encrypt_blocks = id##_blocks,                                                                       \
                  .decrypt_key = runnel_aes_ttable_decrypt_key,                                                        \
                  .decrypt_blocks = runnel_aes_ttable_decrypt_blocks},                                                 \
    };

#endif
#endif
