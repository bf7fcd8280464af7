/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the kernels for 8-bit AVR with a cache of two rounds: all but the place of the tables, which the assembly
 * decides (sram_blocks.S, sram_512_blocks.S, flash_blocks.S). The AVR has no data cache. */
#ifndef AES_AVR_KERNEL_H
#define AES_AVR_KERNEL_H

#include "arch/common/offsets.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_AVR

/* As ctr.inc, key.inc and small_blocks.S have them. */
RUNNEL_CHECK_OFFSET(runnel_aes_schedule, rounds, 0);
RUNNEL_CHECK_OFFSET(runnel_aes_schedule, keys, 1);

#define SOURCE                                                                                                         \
    RUNNEL_TEXT("state in registers, two rounds cached: Bernstein, Schwabe, New AES software speed records, 2008")

static uint32_t aes_prefix_used(const void *prefix)
{
    (void)prefix;
    return RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_avr_sram); /* IV set-up fills it */
}

#define KERNEL(id, title)                                                                                              \
    void runnel_aes_##id##_key(void *state, const uint8_t *key, size_t key_bytes);                                     \
    void runnel_aes_##id##_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);         \
    void runnel_aes_##id##_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out,                  \
                                 const uint8_t *in, size_t nblocks);                                                   \
    void runnel_aes_##id##_nonce(const void *state, void *prefix, const uint8_t *block);                               \
    const runnel_kernel runnel_aes_##id = {                                                                            \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = SOURCE,                                                                                            \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_SECRET_INDEXED,                                                                               \
        .key = runnel_aes_##id##_key,                                                                                  \
        .block =                                                                                                       \
            {                                                                                                          \
                .encrypt_blocks = runnel_aes_##id##_encrypt_blocks,                                                    \
                .ctr32 = runnel_aes_##id##_ctr32,                                                                      \
                .nonce = runnel_aes_##id##_nonce,                                                                      \
                .prefix_used = aes_prefix_used,                                                                        \
            },                                                                                                         \
    };

#endif
#endif
