/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC with SHA-256. */
#include "arch/common/lookup.h"
#include "core/mac.h"

#include "hmac_sha_256.h"
#include "kernels.h"
#include "sha_256.h"

enum { HMAC_SHA_256_BLOCK = 64, HMAC_SHA_256_DIGEST = 32 };

static void hmac_sha_256_portable_blocks(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += HMAC_SHA_256_BLOCK)
        sha_256_compress(state, data);
}

#if RUNNEL_HOSTED && RUNNEL_MAC_WORDS
static void hmac_sha_256_hash_blocks(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    runnel_sha_256_kernel_for(1)->compress(&state, &data, nblocks);
}

static void hmac_sha_256_hash_block(uint32_t *state, const uint8_t *block)
{
    hmac_sha_256_hash_blocks(state, block, 1);
}
#else
#define hmac_sha_256_hash_blocks hmac_sha_256_portable_blocks
#define hmac_sha_256_hash_block sha_256_compress
#endif

/* Ends a hash; the last bytes of its text are in waiting. */
static void hmac_sha_256_finish_hash(runnel_hmac_sha_256 *c, size_t bytes, uint8_t *digest)
{
    uint8_t *const block = c->partial_block;
    const runnel_count blocks = c->blocks;
    block[bytes] = 0x80;
    memset(block + bytes + 1, 0, HMAC_SHA_256_BLOCK - 1 - bytes);
    if (bytes >= HMAC_SHA_256_BLOCK - 8) {
        hmac_sha_256_hash_block(c->state, block);
        memset(block, 0, HMAC_SHA_256_BLOCK);
    }
    block[HMAC_SHA_256_BLOCK - 1] = (uint8_t)(bytes << 3);
    block[HMAC_SHA_256_BLOCK - 2] = (uint8_t)((bytes >> 5) | (blocks << 1)); /* 512 bits a block */
    for (unsigned i = 3; i <= (RUNNEL_COUNT_BITS == 64 ? 8 : 6); i++)
        block[HMAC_SHA_256_BLOCK - i] = (uint8_t)(blocks >> (8 * i - 17));
    hmac_sha_256_hash_block(c->state, block);
    for (unsigned i = 0; i < 8; i++)
        runnel_store32be(digest + 4 * i, c->state[i]);
}

static void hmac_sha_256_start_message(runnel_hmac_sha_256 *c)
{
    memcpy(c->state, c->inner, sizeof c->state);
    c->blocks = 1;
}

/* The state after the block of the key, whose bytes are XORed first, and stay so. */
static void hmac_sha_256_absorb_key(uint32_t *state, uint8_t *key, uint8_t with)
{
    for (unsigned i = 0; i < HMAC_SHA_256_BLOCK; i++)
        key[i] ^= with;
    sha_256_start(state);
    hmac_sha_256_hash_block(state, key);
}

static void hmac_sha_256_absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_hmac_sha_256 *c = context;
    c->blocks += (runnel_count)nblocks;
    hmac_sha_256_hash_blocks(c->state, data, nblocks);
}

static int hmac_sha_256_set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_hmac_sha_256 *c = context;
    uint8_t padded[HMAC_SHA_256_BLOCK] = {0};
    if (key_bytes > HMAC_SHA_256_BLOCK) {
        const size_t rest = key_bytes % HMAC_SHA_256_BLOCK;
        sha_256_start(c->state);
        c->blocks = 0;
        hmac_sha_256_absorb(c, key, key_bytes / HMAC_SHA_256_BLOCK);
        if (rest > 0)
            memcpy(c->partial_block, key + key_bytes - rest, rest);
        hmac_sha_256_finish_hash(c, rest, padded);
    } else if (key_bytes > 0) {
        memcpy(padded, key, key_bytes);
    }
    hmac_sha_256_absorb_key(c->inner, padded, 0x36);
    hmac_sha_256_absorb_key(c->outer, padded, 0x36 ^ 0x5c);
    runnel_wipe(padded, sizeof padded);
    hmac_sha_256_start_message(c);
    return RUNNEL_OK;
}

static void hmac_sha_256_finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_hmac_sha_256 *c = context;
    (void)rest;
    hmac_sha_256_finish_hash(c, bytes, c->partial_block);
    memcpy(c->state, c->outer, sizeof c->state);
    c->blocks = 1;
    hmac_sha_256_finish_hash(c, HMAC_SHA_256_DIGEST, tag);
    hmac_sha_256_start_message(c);
}

static const runnel_mac hmac_sha_256 = {
    .name = RUNNEL_TEXT("hmac-sha-256"),
    .key_bytes = {0, UINT16_MAX, 1},
    .tag_bytes = {16, 32, 1},
    .context_bytes = sizeof(runnel_hmac_sha_256),
    .block_bytes = HMAC_SHA_256_BLOCK,
    .key = hmac_sha_256_set_key,
    .absorb = hmac_sha_256_absorb,
    .finish = hmac_sha_256_finish,
#if RUNNEL_HOSTED && RUNNEL_MAC_WORDS
    .kernels = runnel_sha_256_kernels,
#endif
};

runnel_mac_list runnel_hmac_sha_256_macs = {&hmac_sha_256, NULL};

RUNNEL_DEFINE_MAC_VERBS(hmac_sha_256, &hmac_sha_256)

#if RUNNEL_HOSTED
static void hmac_sha_256_one_message(uint32_t *const *states, const uint8_t *const *in, size_t nblocks)
{
    hmac_sha_256_portable_blocks(states[0], in[0], nblocks);
}

const runnel_sha_256_kernel runnel_hmac_sha_256_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("FIPS 180-4 6.2"),
    .lanes = 1,
    .worth = 1,
    .compress = hmac_sha_256_one_message,
};
#endif
