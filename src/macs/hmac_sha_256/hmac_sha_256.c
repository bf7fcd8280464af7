/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC with SHA-256. */
#include "arch/common/lookup.h"
#include "core/mac.h"

#include "hmac_sha_256.h"
#include "kernels.h"
#include "sha_256.h"

enum { BLOCK = 64, DIGEST = 32 };

static void portable_blocks(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += BLOCK)
        sha_256_compress(state, data);
}

#if RUNNEL_HOSTED && RUNNEL_MAC_WORDS
static void hash_blocks(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    runnel_sha_256_kernel_for(1)->compress(&state, &data, nblocks);
}

static void hash_block(uint32_t *state, const uint8_t *block)
{
    hash_blocks(state, block, 1);
}
#else
#define hash_blocks portable_blocks
#define hash_block sha_256_compress
#endif

/* Ends a hash; the last bytes of its text are in waiting. */
static void finish_hash(runnel_hmac_sha_256 *c, size_t bytes, uint8_t *digest)
{
    uint8_t *const block = c->partial_block;
    const runnel_count blocks = c->blocks;
    block[bytes] = 0x80;
    memset(block + bytes + 1, 0, BLOCK - 1 - bytes);
    if (bytes >= BLOCK - 8) {
        hash_block(c->state, block);
        memset(block, 0, BLOCK);
    }
    block[BLOCK - 1] = (uint8_t)(bytes << 3);
    block[BLOCK - 2] = (uint8_t)((bytes >> 5) | (blocks << 1)); /* 512 bits a block */
    for (unsigned i = 3; i <= (RUNNEL_COUNT_BITS == 64 ? 8 : 6); i++)
        block[BLOCK - i] = (uint8_t)(blocks >> (8 * i - 17));
    hash_block(c->state, block);
    for (unsigned i = 0; i < 8; i++)
        runnel_store32be(digest + 4 * i, c->state[i]);
}

static void start_message(runnel_hmac_sha_256 *c)
{
    memcpy(c->state, c->inner, sizeof c->state);
    c->blocks = 1;
}

/* The state after the block of the key, whose bytes are XORed first, and stay so. */
static void absorb_key(uint32_t *state, uint8_t *key, uint8_t with)
{
    for (unsigned i = 0; i < BLOCK; i++)
        key[i] ^= with;
    sha_256_start(state);
    hash_block(state, key);
}

static void absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_hmac_sha_256 *c = context;
    c->blocks += (runnel_count)nblocks;
    hash_blocks(c->state, data, nblocks);
}

static int set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_hmac_sha_256 *c = context;
    uint8_t padded[BLOCK] = {0};
    if (key_bytes > BLOCK) {
        const size_t rest = key_bytes % BLOCK;
        sha_256_start(c->state);
        c->blocks = 0;
        absorb(c, key, key_bytes / BLOCK);
        if (rest > 0)
            memcpy(c->partial_block, key + key_bytes - rest, rest);
        finish_hash(c, rest, padded);
    } else if (key_bytes > 0) {
        memcpy(padded, key, key_bytes);
    }
    absorb_key(c->inner, padded, 0x36);
    absorb_key(c->outer, padded, 0x36 ^ 0x5c);
    runnel_wipe(padded, sizeof padded);
    start_message(c);
    return RUNNEL_OK;
}

static void finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_hmac_sha_256 *c = context;
    (void)rest;
    finish_hash(c, bytes, c->partial_block);
    memcpy(c->state, c->outer, sizeof c->state);
    c->blocks = 1;
    finish_hash(c, DIGEST, tag);
    start_message(c);
}

static const runnel_mac hmac_sha_256 = {
    .name = RUNNEL_TEXT("hmac-sha-256"),
    .key_bytes = {0, UINT16_MAX, 1},
    .tag_bytes = {16, 32, 1},
    .context_bytes = sizeof(runnel_hmac_sha_256),
    .block_bytes = BLOCK,
    .key = set_key,
    .absorb = absorb,
    .finish = finish,
#if RUNNEL_HOSTED && RUNNEL_MAC_WORDS
    .kernels = runnel_sha_256_kernels,
#endif
};

runnel_mac_list runnel_hmac_sha_256_macs = {&hmac_sha_256, NULL};

RUNNEL_DEFINE_MAC_VERBS(hmac_sha_256, &hmac_sha_256)

#if RUNNEL_HOSTED
static void one_message(uint32_t *const *states, const uint8_t *const *in, size_t nblocks)
{
    portable_blocks(states[0], in[0], nblocks);
}

const runnel_sha_256_kernel runnel_hmac_sha_256_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("FIPS 180-4 6.2"),
    .lanes = 1,
    .worth = 1,
    .compress = one_message,
};
#endif
