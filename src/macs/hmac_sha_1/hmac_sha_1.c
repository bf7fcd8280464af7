/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC with SHA-1. */
#include "core/choose.h"
#include "core/define.h"
#include "core/mac.h"

#include "hmac_sha_1.h"
#include "sha_1.h"

enum { BLOCK = RUNNEL_SHA_1_BLOCK, DIGEST = RUNNEL_SHA_1_DIGEST };

#if RUNNEL_HOSTED
const runnel_hmac_sha_1_kernel runnel_hmac_sha_1_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("FIPS 180-4 6.1"),
    .compress = sha_1_compress,
};

static runnel_kernel_list kernels = {
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_hmac_sha_1_kernel, runnel_hmac_sha_1_##name)
#include "kernels.inc"
    NULL,
};

const runnel_hmac_sha_1_kernel *runnel_hmac_sha_1_choose(void)
{
    return (const void *)runnel_first_kernel(kernels, NULL, NULL, NULL); /* there is one: the portable */
}

#define COMPRESS(kernel, state, data, nblocks) (kernel)->compress(state, data, nblocks)
#define KERNEL_OF(c) (c)->kernel
#else
#define COMPRESS(kernel, state, data, nblocks) ((void)(kernel), sha_1_compress(state, data, nblocks))
#define KERNEL_OF(c) NULL
#endif

/* Ends a hash after `blocks` whole blocks and `bytes` < 64 bytes more, which are in block; that is used up. */
static void finish_hash(uint32_t *state, const runnel_hmac_sha_1_kernel *kernel, runnel_count blocks, uint8_t *block,
                        size_t bytes, uint8_t *digest)
{
    block[bytes] = 0x80;
    memset(block + bytes + 1, 0, BLOCK - 1 - bytes);
    if (bytes >= BLOCK - 8) {
        COMPRESS(kernel, state, block, 1);
        memset(block, 0, BLOCK);
    }
    block[BLOCK - 1] = (uint8_t)(bytes << 3);
    block[BLOCK - 2] = (uint8_t)((bytes >> 5) | (blocks << 1)); /* 512 bits a block */
    for (unsigned i = 3; i <= (RUNNEL_COUNT_BITS == 64 ? 8 : 6); i++)
        block[BLOCK - i] = (uint8_t)(blocks >> (8 * i - 17));
    COMPRESS(kernel, state, block, 1);
    for (unsigned i = 0; i < 5; i++)
        runnel_store32be(digest + 4 * i, state[i]);
}

/* The state after the block of the key, whose bytes are XORed first, and stay so. */
static void absorb_key(uint32_t *state, const runnel_hmac_sha_1_kernel *kernel, uint8_t *key, uint8_t with)
{
    for (unsigned i = 0; i < BLOCK; i++)
        key[i] ^= with;
    sha_1_start(state);
    COMPRESS(kernel, state, key, 1);
}

void runnel_hmac_sha_1_make_pads(runnel_hmac_sha_1_pads *pads, const runnel_hmac_sha_1_kernel *kernel,
                                 const uint8_t *key, size_t key_bytes)
{
    uint8_t padded[BLOCK] = {0};
    if (key_bytes > BLOCK) {
        uint32_t state[5];
        uint8_t last[BLOCK];
        const size_t rest = key_bytes % BLOCK;
        sha_1_start(state);
        COMPRESS(kernel, state, key, key_bytes / BLOCK);
        if (rest > 0)
            memcpy(last, key + key_bytes - rest, rest);
        finish_hash(state, kernel, (runnel_count)(key_bytes / BLOCK), last, rest, padded);
        runnel_wipe(state, sizeof state);
        runnel_wipe(last, sizeof last);
    } else if (key_bytes > 0) {
        memcpy(padded, key, key_bytes);
    }
    absorb_key(pads->inner, kernel, padded, 0x36);
    absorb_key(pads->outer, kernel, padded, 0x36 ^ 0x5c);
    runnel_wipe(padded, sizeof padded);
}

static void start_message(runnel_hmac_sha_1 *c)
{
    memcpy(c->state, c->pads.inner, sizeof c->state);
    c->blocks = 1;
}

static int set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_hmac_sha_1 *c = context;
#if RUNNEL_HOSTED
    c->kernel = runnel_hmac_sha_1_choose();
#endif
    runnel_hmac_sha_1_make_pads(&c->pads, KERNEL_OF(c), key, key_bytes);
    start_message(c);
    return RUNNEL_OK;
}

static void absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_hmac_sha_1 *c = context;
    c->blocks += (runnel_count)nblocks;
    COMPRESS(KERNEL_OF(c), c->state, data, nblocks);
}

static void finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_hmac_sha_1 *c = context;
    (void)rest;
    finish_hash(c->state, KERNEL_OF(c), c->blocks, c->partial_block, bytes, c->partial_block);
    memcpy(c->state, c->pads.outer, sizeof c->state);
    finish_hash(c->state, KERNEL_OF(c), 1, c->partial_block, DIGEST, tag);
    start_message(c);
}

static const runnel_mac hmac_sha_1 = {
    .name = RUNNEL_TEXT("hmac-sha-1"),
    .key_bytes = {0, UINT16_MAX, 1},
    .tag_bytes = {4, DIGEST, 1},
    .context_bytes = sizeof(runnel_hmac_sha_1),
    .block_bytes = BLOCK,
    .key = set_key,
    .absorb = absorb,
    .finish = finish,
#if RUNNEL_HOSTED
    .kernels = kernels,
#endif
};

runnel_mac_list runnel_hmac_sha_1_macs = {&hmac_sha_1, NULL};

RUNNEL_DEFINE_MAC_VERBS(hmac_sha_1, &hmac_sha_1)
