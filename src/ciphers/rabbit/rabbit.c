/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit: the descriptor and the portable kernel. */
#include "core/define.h"
#include "steps.h"

#if !RUNNEL_RABBIT_KEEPS_KEY

void runnel_rabbit_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    rabbit_begin(&((runnel_rabbit_states *)states)->master, key);
}

void runnel_rabbit_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_rabbit_states *both = states;
    runnel_rabbit_state s = both->master;
    rabbit_start(&s, iv, iv_bytes);
    both->now = s;
    runnel_wipe(&s, sizeof s);
}

static void rabbit_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_rabbit_state *state = &((runnel_rabbit_states *)states)->now;
    runnel_rabbit_state s = *state;
    (void)index;
    rabbit_xor_from(&s, out, in, nblocks);
    *state = s;
    runnel_wipe(&s, sizeof s);
}

const runnel_kernel runnel_rabbit_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("RFC 4503 2, with 64-bit counter words and squares"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_rabbit_set_key,
    .stream = {.iv = runnel_rabbit_set_iv, .xor_blocks = rabbit_xor_blocks},
};

#endif

static runnel_kernel_list rabbit_kernels = {
#ifdef RUNNEL_RABBIT_KERNEL
    RUNNEL_LIST_ONLY(rabbit, RUNNEL_RABBIT_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_rabbit_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_rabbit_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher rabbit = {
    .name = RUNNEL_TEXT("rabbit"),
    .family = RUNNEL_TEXT("rabbit"),
    .title = RUNNEL_TEXT("Rabbit"),
    .source = RUNNEL_TEXT(
        "RFC 4503, in eSTREAM's byte order: reverse what the RFC prints; eSTREAM portfolio; ISO/IEC 18033-4"),
    .remark = RUNNEL_TEXT("unbroken but little used; the IV is too short to be random: count messages"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {0, 8, 8},
    .block_bytes = RABBIT_BLOCK,
    .context_bytes = sizeof(runnel_rabbit),
    .state_offset = offsetof(runnel_rabbit, states),
    .kernels = rabbit_kernels,
};

runnel_cipher_list runnel_rabbit_ciphers = {&rabbit, NULL};

RUNNEL_DEFINE_STREAM_VERBS(rabbit, runnel_rabbit_ciphers)
