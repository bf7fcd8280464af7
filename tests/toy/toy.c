/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The toy: its portable kernel and its descriptor. */
#include "toy.h"

#include "arch/common/bytes.h"
#include "kernels.h"

void runnel_toy_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    memcpy(((runnel_toy_state *)state)->key, key, key_bytes);
}

void runnel_toy_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    memcpy(((runnel_toy_state *)state)->iv, iv, iv_bytes);
}

void runnel_toy_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_toy_state *s = state;
    for (size_t i = 0; i < 16 * nblocks; i++) {
        const uint8_t keystream = (uint8_t)(s->key[i % 16] ^ s->iv[i % 16] ^ (16 * index + i));
        out[i] = in == NULL ? keystream : in[i] ^ keystream;
    }
}

const runnel_kernel runnel_toy_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("none"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_toy_set_key,
    .stream = {.iv = runnel_toy_set_iv, .xor_blocks = runnel_toy_xor_blocks},
};

static runnel_kernel_list kernels = {
#ifdef RUNNEL_TOY_KERNEL
    RUNNEL_LIST_ONLY(toy, RUNNEL_TOY_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_toy_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_toy_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher toy = {
    .name = RUNNEL_TEXT("toy"),
    .family = RUNNEL_TEXT("toy"),
    .title = RUNNEL_TEXT("Toy"),
    .source = RUNNEL_TEXT("none"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_BROKEN,
    .seekable = 1,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {16, 16, 1},
    .block_bytes = 16,
    .context_bytes = sizeof(runnel_toy),
    .state_offset = offsetof(runnel_toy, state),
    .kernels = kernels,
};

runnel_cipher_list runnel_toy_ciphers = {&toy, NULL};

RUNNEL_DEFINE_STREAM_VERBS(toy, runnel_toy_ciphers)
