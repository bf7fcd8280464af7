/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel around x86_partial_key_blocks.S, and its short key schedules. */
#include "arch/common/wipe.h"
#include "ciphers/aes/ttable.h"

#if RUNNEL_X86_64_ASSEMBLY

void runnel_aes_x86_partial_key_encrypt(const uint32_t *keys, uint8_t *out, const uint8_t *in, size_t nblocks);
void runnel_aes_x86_partial_key_decrypt(const uint32_t *keys, uint8_t *out, const uint8_t *in, size_t nblocks);

enum { ROUNDS = 10, WORDS = 4 * (ROUNDS + 1) };

/* Keeps all words of round keys 0 to `whole`, word 0 of the others, and if asked for all of the last. */
static void keep_words(runnel_aes_schedule *s, unsigned whole, unsigned whole_last)
{
    uint32_t *w = s->keys.words, *kept = w + 4 * (whole + 1);
    for (unsigned round = whole + 1; round < ROUNDS; round++)
        *kept++ = w[4 * round];
    for (unsigned i = 0; i < (whole_last ? 4 : 1); i++)
        *kept++ = w[4 * ROUNDS + i];
    runnel_wipe(kept, (size_t)(w + WORDS - kept) * sizeof *kept);
}

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_ttable_key(state, key, key_bytes);
    keep_words(state, 0, 0);
}

static void set_decryption_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_ttable_decrypt_key(state, key, key_bytes);
    keep_words(state, 1, 1);
}

static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_aes_x86_partial_key_encrypt(((const runnel_aes_schedule *)state)->keys.words, out, in, nblocks);
}

static void decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_aes_x86_partial_key_decrypt(((const runnel_aes_schedule *)state)->keys.words, out, in, nblocks);
}

const runnel_kernel runnel_aes_x86_partial_key = {
    .name = RUNNEL_TEXT("x86-partial-key"),
    .citation =
        RUNNEL_TEXT("partial round keys: Jung, Park, High Speed AES Implementation on 64 bits Processors, 2008"),
    .kind = RUNNEL_KIND_BLOCK,
    .key_sizes = RUNNEL_KEY_SIZE(128),
    .timing = RUNNEL_SECRET_INDEXED,
    .key = set_key,
    .block = {.encrypt_blocks = encrypt_blocks, .decrypt_key = set_decryption_key, .decrypt_blocks = decrypt_blocks},
};

#endif
