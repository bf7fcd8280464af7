/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for Thumb-1 (Cortex-M0, M0+ and M23): fast_blocks.S. */
#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_THUMB1

/* out = in ^ keystream of one block; both are multiples of four. */
void runnel_chacha20_thumb1_block(const void *state, uint32_t counter, uint8_t *out, const uint8_t *in);

static void chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t block[CHACHA20_BLOCK / 4];
    for (uint32_t counter = (uint32_t)index; nblocks > 0; nblocks--, counter++, out += CHACHA20_BLOCK) {
        if (in != NULL && ((uintptr_t)out | (uintptr_t)in) % 4 == 0) {
            runnel_chacha20_thumb1_block(state, counter, out, in);
        } else {
            if (in == NULL)
                memset(block, 0, sizeof block);
            else
                memcpy(block, in, sizeof block);
            runnel_chacha20_thumb1_block(state, counter, (uint8_t *)block, (const uint8_t *)block);
            memcpy(out, block, sizeof block);
        }
        if (in != NULL)
            in += CHACHA20_BLOCK;
    }
    runnel_wipe(block, sizeof block);
}

const runnel_kernel runnel_chacha20_thumb1 = {
    .name = RUNNEL_TEXT("thumb1"),
    .citation = RUNNEL_TEXT("four words and four rotations in the low registers, six words in the high ones"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks},
};

#endif
