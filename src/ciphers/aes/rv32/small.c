/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES for RV32 where ROM counts most: see the assembly. */
#include "ciphers/aes/ttable.h"

#if RUNNEL_RV32

void runnel_aes_rv32_small_expand(uint32_t *keys, const uint32_t *end, unsigned key_bytes);
void runnel_aes_rv32_small_ctr(const uint32_t *keys, const uint32_t *last_key, const uint8_t *block, uint8_t *out,
                               const uint8_t *in, size_t nblocks);

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    memcpy(s->keys.words, key, key_bytes);
    runnel_aes_rv32_small_expand(s->keys.words, s->keys.words + 4 * (s->rounds + 1), (unsigned)key_bytes);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    const runnel_aes_schedule *s = state;
    runnel_aes_rv32_small_ctr(s->keys.words, s->keys.words + 4 * s->rounds, block, out, in, nblocks);
}

/* Encrypts a block as the keystream of counter mode that begins with it. */
static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += 16, out += 16)
        aes_ctr32(state, NULL, in, out, NULL, 1);
}

const runnel_kernel runnel_aes_rv32_small = {
    .name = RUNNEL_TEXT("rv32-small"),
    .citation = RUNNEL_TEXT("S-box of 256 bytes, MixColumns in words; FIPS 197"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32},
};

#endif
