/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the kernels for 8-bit AVR: key set-up, and all but the code of the rounds. Included by the file of each
 * kernel. The AVR has no data cache. */
#ifndef SEED_AVR_KERNEL_H
#define SEED_AVR_KERNEL_H

#include "arch/common/offsets.h"
#include "ciphers/seed/kernels.h"

#if RUNNEL_AVR

RUNNEL_CHECK_OFFSET(runnel_seed_schedule, words, 0);

void runnel_seed_avr_key(void *state, const uint8_t *key, size_t key_bytes);

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, runnel_seed_avr_key, runnel_seed_reverse)

#define KERNEL(id, title, technique)                                                                                   \
    void runnel_seed_##id##_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);        \
    void runnel_seed_##id##_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out,                 \
                                  const uint8_t *in, size_t nblocks);                                                  \
    void runnel_seed_##id##_ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out,            \
                                       const uint8_t *in, size_t nblocks);                                             \
    const runnel_kernel runnel_seed_##id = {                                                                           \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = RUNNEL_TEXT(technique),                                                                            \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_SECRET_INDEXED,                                                                               \
        .key = runnel_seed_avr_key,                                                                                    \
        .block = {.encrypt_blocks = runnel_seed_##id##_encrypt_blocks,                                                 \
                  .ctr32 = runnel_seed_##id##_ctr32,                                                                   \
                  .ctr32_left = runnel_seed_##id##_ctr32_left,                                                         \
                  RUNNEL_DECRYPTION(seed_set_decrypt_key, runnel_seed_##id##_encrypt_blocks)},                         \
    };

#endif
#endif
