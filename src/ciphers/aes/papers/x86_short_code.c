/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel around x86_short_code_blocks.S. */
#include "ciphers/aes/ttable.h"

#if RUNNEL_X86_64_ASSEMBLY

void runnel_aes_x86_short_code_encrypt(const uint32_t *keys, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_aes_x86_short_code_decrypt(const uint32_t *keys, uint8_t *out, const uint8_t *in, size_t nblocks);

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_aes_x86_short_code_encrypt(((const runnel_aes_schedule *)state)->keys.words, out, in, nblocks);
}

static void aes_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_aes_x86_short_code_decrypt(((const runnel_aes_schedule *)state)->keys.words, out, in, nblocks);
}

const runnel_kernel runnel_aes_x86_short_code = {
    .name = RUNNEL_TEXT("x86-short-code"),
    .citation =
        RUNNEL_TEXT("short code: Jung, Park, High Speed AES Implementation on 64 bits Processors, 2008, appendix 2"),
    .kind = RUNNEL_KIND_BLOCK,
    .key_sizes = RUNNEL_KEY_SIZE(128),
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .decrypt_key = runnel_aes_ttable_decrypt_key,
              .decrypt_blocks = aes_decrypt_blocks},
};

#endif
