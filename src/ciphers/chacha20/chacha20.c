/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20: the descriptor, key and IV set-up, and the portable kernel. */
#include "arch/common/salsa_state.h"
#include "core/define.h"
#include "kernels.h"

void runnel_chacha20_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    uint32_t *words = state;
    (void)key_bytes;
    words[0] = RUNNEL_EXPA;
    words[1] = RUNNEL_ND_3;
    words[2] = RUNNEL_2_BY;
    words[3] = RUNNEL_TE_K;
    runnel_load_words(words + 4, key, 8);
    words[12] = 0;
}

void runnel_chacha20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    (void)iv_bytes;
    runnel_load_words((uint32_t *)state + 13, iv, 3);
}

static void chacha20_xor_block(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in)
{
    RUNNEL_SIXTEEN(w, w[8], w[9], counter);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        CHACHA20_COLUMNS_01;
        CHACHA20_COLUMNS_23;
        CHACHA20_DIAGONALS_01;
        CHACHA20_DIAGONALS_23;
    }
    RUNNEL_XOR_SIXTEEN(out, in, w, w[8], w[9], counter);
}

void runnel_chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, index++) {
        chacha20_xor_block(state, (uint32_t)index, out, in);
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
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = runnel_chacha20_xor_blocks},
};

static runnel_kernel_list chacha20_kernels = {
#ifdef RUNNEL_CHACHA20_KERNEL
    RUNNEL_LIST_ONLY(chacha20, RUNNEL_CHACHA20_KERNEL)
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
    RUNNEL_AHEAD(RUNNEL_AHEAD_BYTES).context_bytes = sizeof(runnel_chacha20),
    .state_offset = offsetof(runnel_chacha20, words),
    .kernels = chacha20_kernels,
};

runnel_cipher_list runnel_chacha20_ciphers = {&chacha20, NULL};

RUNNEL_DEFINE_STREAM_VERBS(chacha20, runnel_chacha20_ciphers)
