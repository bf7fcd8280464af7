/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Table AES in the counter mode of OpenSSL 0.9.8, AES_ctr128_encrypt, a byte of text at a time: the baseline of
 * AES-CTR-C in 2011. ttable counts and XORs in words; against it the caches save less. */
#include <string.h>

#include "arch/common/wipe.h"
#include "ciphers/aes/ttable.h"

static void aes_count_up(uint8_t *counter)
{
    const uint32_t c = runnel_load32be(counter + 12) + 1;
    for (int i = 0; i < 4; i++)
        counter[12 + i] = (uint8_t)(c >> (24 - 8 * i));
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    uint8_t counter[16], keystream[16];
    memcpy(counter, block, 16);
    unsigned n = 0;
    for (size_t left = 16 * nblocks; left > 0; left--) {
        if (n == 0) {
            runnel_aes_ttable_encrypt_blocks(state, keystream, counter, 1);
            aes_count_up(counter);
        }
        *out++ = in == NULL ? keystream[n] : *in++ ^ keystream[n];
        n = (n + 1) % 16;
    }
    runnel_wipe(keystream, sizeof keystream);
}

const runnel_kernel runnel_aes_ttable_bytes = {
    .name = RUNNEL_TEXT("ttable-bytes"),
    .citation = RUNNEL_TEXT("tables of 32-bit words in the counter mode of OpenSSL 0.9.8, a byte at a time"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = runnel_aes_ttable_encrypt_blocks,
              .ctr32 = aes_ctr32,
              .decrypt_key = runnel_aes_ttable_decrypt_key,
              .decrypt_blocks = runnel_aes_ttable_decrypt_blocks},
};
