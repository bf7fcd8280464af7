/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20: the descriptor, key and IV set-up, and the portable kernel. */
#include "core/define.h"
#include "kernels.h"

void runnel_chacha20_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    uint32_t *words = state;
    (void)key_bytes;
    words[0] = 0x61707865; /* "expa" "nd 3" "2-by" "te k" */
    words[1] = 0x3320646e;
    words[2] = 0x79622d32;
    words[3] = 0x6b206574;
    for (unsigned i = 0; i < 8; i++)
        words[4 + i] = runnel_load32le(key + 4 * i);
    words[12] = 0;
}

void runnel_chacha20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    uint32_t *words = state;
    (void)iv_bytes;
    for (unsigned i = 0; i < 3; i++)
        words[13 + i] = runnel_load32le(iv + 4 * i);
}

static void xor_block(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in)
{
    /* Sixteen variables rather than an array, so that they can be registers and leave no copy in memory. */
    uint32_t x0 = w[0], x1 = w[1], x2 = w[2], x3 = w[3], x4 = w[4], x5 = w[5], x6 = w[6], x7 = w[7];
    uint32_t x8 = w[8], x9 = w[9], x10 = w[10], x11 = w[11], x12 = counter, x13 = w[13], x14 = w[14], x15 = w[15];
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        CHACHA20_QUARTER_ROUND(x0, x4, x8, x12);
        CHACHA20_QUARTER_ROUND(x1, x5, x9, x13);
        CHACHA20_QUARTER_ROUND(x2, x6, x10, x14);
        CHACHA20_QUARTER_ROUND(x3, x7, x11, x15);
        CHACHA20_QUARTER_ROUND(x0, x5, x10, x15);
        CHACHA20_QUARTER_ROUND(x1, x6, x11, x12);
        CHACHA20_QUARTER_ROUND(x2, x7, x8, x13);
        CHACHA20_QUARTER_ROUND(x3, x4, x9, x14);
    }
    runnel_xor32le(out, in, 0, x0 + w[0]);
    runnel_xor32le(out, in, 1, x1 + w[1]);
    runnel_xor32le(out, in, 2, x2 + w[2]);
    runnel_xor32le(out, in, 3, x3 + w[3]);
    runnel_xor32le(out, in, 4, x4 + w[4]);
    runnel_xor32le(out, in, 5, x5 + w[5]);
    runnel_xor32le(out, in, 6, x6 + w[6]);
    runnel_xor32le(out, in, 7, x7 + w[7]);
    runnel_xor32le(out, in, 8, x8 + w[8]);
    runnel_xor32le(out, in, 9, x9 + w[9]);
    runnel_xor32le(out, in, 10, x10 + w[10]);
    runnel_xor32le(out, in, 11, x11 + w[11]);
    runnel_xor32le(out, in, 12, x12 + counter);
    runnel_xor32le(out, in, 13, x13 + w[13]);
    runnel_xor32le(out, in, 14, x14 + w[14]);
    runnel_xor32le(out, in, 15, x15 + w[15]);
}

void runnel_chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, index++) {
        xor_block(state, (uint32_t)index, out, in);
        out += CHACHA20_BLOCK;
        if (in != NULL)
            in += CHACHA20_BLOCK;
    }
}

const runnel_kernel runnel_chacha20_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("RFC 8439 2.3, 32-bit words"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {
        .iv = runnel_chacha20_set_iv,
        .xor_blocks = runnel_chacha20_xor_blocks,
    },
};

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_CHACHA20_KERNEL
    &RUNNEL_KERNEL(chacha20, RUNNEL_CHACHA20_KERNEL),
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_chacha20_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_chacha20_##name)
#include "kernels.inc"
#endif
    NULL,
};

static const runnel_cipher chacha20 = {
    .name = RUNNEL_TEXT("chacha20"),
    .family = RUNNEL_TEXT("chacha20"),
    .title = RUNNEL_TEXT("ChaCha20"),
    .source = RUNNEL_TEXT("RFC 8439 2.4"),
    .remark = RUNNEL_TEXT("the counter begins at 0: the RFC's counter 1 is position 64; 256 GiB for each IV"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_RECOMMENDED,
    .seekable = 1,
    .key_bytes = {32, 32, 1},
    .iv_bytes = {12, 12, 1},
    .block_bytes = CHACHA20_BLOCK,
    .blocks = (uint64_t)1 << 32,
    .context_bytes = sizeof(runnel_chacha20),
    .state_offset = offsetof(runnel_chacha20, words),
    .kernels = kernels,
};

const runnel_cipher *const runnel_chacha20_ciphers[] = {&chacha20, NULL};

RUNNEL_DEFINE_STREAM_VERBS(chacha20, runnel_chacha20_ciphers)
