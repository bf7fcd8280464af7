/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC with SHA-1. */
#include "core/choose.h"
#include "core/define.h"
#include "core/mac.h"

#include "hmac_sha_1.h"
#include "sha_1.h"

enum { HMAC_SHA_1_BLOCK = RUNNEL_SHA_1_BLOCK, HMAC_SHA_1_DIGEST = RUNNEL_SHA_1_DIGEST };

#if RUNNEL_HOSTED
const runnel_hmac_sha_1_kernel runnel_hmac_sha_1_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("FIPS 180-4 6.1"),
    .compress = sha_1_compress,
};

static runnel_kernel_list hmac_sha_1_kernels = {
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_hmac_sha_1_kernel, runnel_hmac_sha_1_##name)
#include "kernels.inc"
    NULL,
};

const runnel_hmac_sha_1_kernel *runnel_hmac_sha_1_choose(void)
{
    return (const void *)runnel_first_kernel(hmac_sha_1_kernels, NULL, NULL, NULL); /* there is one: the portable */
}

#define COMPRESS(kernel, state, data, nblocks) (kernel)->compress(state, data, nblocks)
#define KERNEL_OF(c) (c)->kernel
#else
#define COMPRESS(kernel, state, data, nblocks) ((void)(kernel), sha_1_compress(state, data, nblocks))
#define KERNEL_OF(c) NULL
#endif

/* Ends a hash after `blocks` whole blocks and `bytes` < 64 bytes more, which are in block; that is used up. */
static void hmac_sha_1_finish_hash(uint32_t *state, const runnel_hmac_sha_1_kernel *kernel, runnel_count blocks,
                                   uint8_t *block, size_t bytes, uint8_t *digest)
{
    block[bytes] = 0x80;
    memset(block + bytes + 1, 0, HMAC_SHA_1_BLOCK - 1 - bytes);
    if (bytes >= HMAC_SHA_1_BLOCK - 8) {
        COMPRESS(kernel, state, block, 1);
        memset(block, 0, HMAC_SHA_1_BLOCK);
    }
    block[HMAC_SHA_1_BLOCK - 1] = (uint8_t)(bytes << 3);
    block[HMAC_SHA_1_BLOCK - 2] = (uint8_t)((bytes >> 5) | (blocks << 1)); /* 512 bits a block */
    for (unsigned i = 3; i <= (RUNNEL_COUNT_BITS == 64 ? 8 : 6); i++)
        block[HMAC_SHA_1_BLOCK - i] = (uint8_t)(blocks >> (8 * i - 17));
    COMPRESS(kernel, state, block, 1);
    for (unsigned i = 0; i < 5; i++)
        runnel_store32be(digest + 4 * i, state[i]);
}

/* The state after the block of the key, whose bytes are XORed first, and stay so. */
static void hmac_sha_1_absorb_key(uint32_t *state, const runnel_hmac_sha_1_kernel *kernel, uint8_t *key, uint8_t with)
{
    for (unsigned i = 0; i < HMAC_SHA_1_BLOCK; i++)
        key[i] ^= with;
    sha_1_start(state);
    COMPRESS(kernel, state, key, 1);
}

void runnel_hmac_sha_1_make_pads(runnel_hmac_sha_1_pads *pads, const runnel_hmac_sha_1_kernel *kernel,
                                 const uint8_t *key, size_t key_bytes)
{
    uint8_t padded[HMAC_SHA_1_BLOCK] = {0};
    if (key_bytes > HMAC_SHA_1_BLOCK) {
        uint32_t state[5];
        uint8_t last[HMAC_SHA_1_BLOCK];
        const size_t rest = key_bytes % HMAC_SHA_1_BLOCK;
        sha_1_start(state);
        COMPRESS(kernel, state, key, key_bytes / HMAC_SHA_1_BLOCK);
        if (rest > 0)
            memcpy(last, key + key_bytes - rest, rest);
        hmac_sha_1_finish_hash(state, kernel, (runnel_count)(key_bytes / HMAC_SHA_1_BLOCK), last, rest, padded);
        runnel_wipe(state, sizeof state);
        runnel_wipe(last, sizeof last);
    } else if (key_bytes > 0) {
        memcpy(padded, key, key_bytes);
    }
    hmac_sha_1_absorb_key(pads->inner, kernel, padded, 0x36);
    hmac_sha_1_absorb_key(pads->outer, kernel, padded, 0x36 ^ 0x5c);
    runnel_wipe(padded, sizeof padded);
}

static void hmac_sha_1_start_message(runnel_hmac_sha_1 *c)
{
    memcpy(c->state, c->pads.inner, sizeof c->state);
    c->blocks = 1;
}

static int hmac_sha_1_set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_hmac_sha_1 *c = context;
#if RUNNEL_HOSTED
    c->kernel = runnel_hmac_sha_1_choose();
#endif
    runnel_hmac_sha_1_make_pads(&c->pads, KERNEL_OF(c), key, key_bytes);
    hmac_sha_1_start_message(c);
    return RUNNEL_OK;
}

static void hmac_sha_1_absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_hmac_sha_1 *c = context;
    c->blocks += (runnel_count)nblocks;
    COMPRESS(KERNEL_OF(c), c->state, data, nblocks);
}

static void hmac_sha_1_finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_hmac_sha_1 *c = context;
    (void)rest;
    hmac_sha_1_finish_hash(c->state, KERNEL_OF(c), c->blocks, c->partial_block, bytes, c->partial_block);
    memcpy(c->state, c->pads.outer, sizeof c->state);
    hmac_sha_1_finish_hash(c->state, KERNEL_OF(c), 1, c->partial_block, HMAC_SHA_1_DIGEST, tag);
    hmac_sha_1_start_message(c);
}

static const runnel_mac hmac_sha_1 = {
    .name = RUNNEL_TEXT("hmac-sha-1"),
    .key_bytes = {0, UINT16_MAX, 1},
    .tag_bytes = {4, HMAC_SHA_1_DIGEST, 1},
    .context_bytes = sizeof(runnel_hmac_sha_1),
    .block_bytes = HMAC_SHA_1_BLOCK,
    .key = hmac_sha_1_set_key,
    .absorb = hmac_sha_1_absorb,
    .finish = hmac_sha_1_finish,
#if RUNNEL_HOSTED
    .kernels = hmac_sha_1_kernels,
#endif
};

runnel_mac_list runnel_hmac_sha_1_macs = {&hmac_sha_1, NULL};

RUNNEL_DEFINE_MAC_VERBS(hmac_sha_1, &hmac_sha_1)
