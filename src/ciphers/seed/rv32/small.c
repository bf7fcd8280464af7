/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED for RV32 where ROM counts most: see the assembly. */
#include "ciphers/seed/kernels.h"

#if RUNNEL_RV32

#include "ciphers/seed/s_boxes.h"

/* S0 and S1 */
const uint8_t runnel_seed_rv32_s_box[512]
    __attribute__((visibility("hidden"))) = {SEED_S0(SEED_BYTE) SEED_S1(SEED_BYTE)};

void runnel_seed_rv32_small_g(uint32_t *words, const uint32_t *end);
void runnel_seed_rv32_small_ctr(const uint32_t *keys, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                size_t nblocks);
void runnel_seed_rv32_small_ctr_left(const uint32_t *keys, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                     size_t nblocks);

static void seed_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    runnel_seed_key_words(words, key);
    runnel_seed_rv32_small_g(words, words + 32);
}

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, seed_set_key, runnel_seed_reverse)

static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    runnel_seed_rv32_small_ctr(((const runnel_seed_schedule *)state)->words, block, out, in, nblocks);
}

static void seed_ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    (void)prefix;
    runnel_seed_rv32_small_ctr_left(((const runnel_seed_schedule *)state)->words, block, out, in, nblocks);
}

/* Encrypts a block as the keystream of counter mode that begins with it. */
static void seed_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += 16, out += 16)
        seed_ctr32(state, NULL, in, out, NULL, 1);
}

const runnel_kernel runnel_seed_rv32_small = {
    .name = RUNNEL_TEXT("rv32-small"),
    .citation = RUNNEL_TEXT("S-boxes of 512 bytes, RFC 4269"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
