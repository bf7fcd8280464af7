/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel around x86_partial_key_blocks.S, and its short key schedules. */
#include <string.h>

#include "arch/common/wipe.h"
#include "ciphers/aes/ttable.h"

#if RUNNEL_X86_64_ASSEMBLY

void runnel_aes_x86_partial_key_encrypt(const void *keys, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_aes_x86_partial_key_decrypt(const void *keys, uint8_t *out, const uint8_t *in, size_t nblocks);

enum { AES_ROUNDS = 10, AES_WORDS = 4 * (AES_ROUNDS + 1) };

/* Keeps all words of round keys 0 to `whole`, word 0 of the others, and if asked for all of the last: in eight bytes
 * each. */
static void aes_keep_words(runnel_aes_schedule *s, unsigned whole, unsigned whole_last)
{
    uint32_t w[AES_WORDS];
    memcpy(w, s->keys.words, sizeof w);
    runnel_wipe(&s->keys, sizeof s->keys);
    uint8_t *kept = (uint8_t *)&s->keys;
    for (unsigned i = 0; i < AES_WORDS; i++)
        if (i < 4 * (whole + 1) || i % 4 == 0 || (whole_last && i > 4 * AES_ROUNDS)) {
            memcpy(kept, &(uint64_t){w[i]}, sizeof(uint64_t));
            kept += sizeof(uint64_t);
        }
    runnel_wipe(w, sizeof w);
}

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_ttable_key(state, key, key_bytes);
    aes_keep_words(state, 0, 0);
}

static void aes_set_decryption_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_ttable_decrypt_key(state, key, key_bytes);
    aes_keep_words(state, 1, 1);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_aes_x86_partial_key_encrypt(&((const runnel_aes_schedule *)state)->keys, out, in, nblocks);
}

static void aes_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_aes_x86_partial_key_decrypt(&((const runnel_aes_schedule *)state)->keys, out, in, nblocks);
}

const runnel_kernel runnel_aes_x86_partial_key = {
    .name = RUNNEL_TEXT("x86-partial-key"),
    .citation = RUNNEL_TEXT(
        "partial round keys: Jung, Park, High Speed AES Implementation on 64 bits Processors, 2008, appendix 1"),
    .kind = RUNNEL_KIND_BLOCK,
    .key_sizes = RUNNEL_KEY_SIZE(128),
    .timing = RUNNEL_SECRET_INDEXED,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .decrypt_key = aes_set_decryption_key,
              .decrypt_blocks = aes_decrypt_blocks},
};

#endif
