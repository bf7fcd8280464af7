/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels for 8-bit AVR, whose code is in assembly. The AVR has no data cache. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_AVR

#define SOURCE                                                                                                         \
    RUNNEL_TEXT("state in registers, two rounds cached: Bernstein, Schwabe, New AES software speed records, 2008")

static uint32_t prefix_used(const void *prefix)
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
        .citation = SOURCE,                                                                                              \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_CACHELESS,                                                                                    \
        .key = runnel_aes_##id##_key,                                                                                  \
        .block = {                                                                                                     \
            .encrypt_blocks = runnel_aes_##id##_encrypt_blocks,                                                        \
            .ctr32 = runnel_aes_##id##_ctr32,                                                                          \
            .nonce = runnel_aes_##id##_nonce,                                                                          \
            .prefix_used = prefix_used,                                                                                \
        },                                                                                                             \
    };

KERNEL(avr_sram_512, "avr-sram-512")
KERNEL(avr_sram, "avr-sram")
KERNEL(avr_flash, "avr-flash")

void runnel_aes_avr_small_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_avr_small_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_aes_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = RUNNEL_TEXT("FIPS 197, byte by byte, round keys made while encrypting"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CACHELESS,
    .key = runnel_aes_avr_small_key,
    .block = {
        .encrypt_blocks = runnel_aes_avr_small_encrypt_blocks,
    },
};

#endif
