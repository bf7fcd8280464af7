/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* count-32: block counts of 32 bits, which firmware has and a host may have too, where one call can ask for more blocks than
 * they count. To be built with -DRUNNEL_COUNT_BITS=32 and the core alone; the kernel makes nothing, so that no memory of
 * such a length is needed. Status 0; 1 if a message does not end as an error. */
#include <stdio.h>

#include "core/driver.h"

static uint64_t made;

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)state, (void)key, (void)key_bytes;
}

static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)state, (void)out, (void)in;
    made += nblocks;
}

static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks)
{
    (void)prefix, (void)block;
    encrypt_blocks(state, out, in, nblocks);
}

static const runnel_kernel kernel = {
    .name = "count",
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .block = {.encrypt_blocks = encrypt_blocks, .ctr32 = ctr32, .ctr32_left = ctr32, .ctr32_little = ctr32},
};

static runnel_kernel_list kernels = {RUNNEL_HEAD_OF(&kernel), NULL};

static const runnel_cipher cipher = {
    .name = "count",
    .mode = RUNNEL_MODE_CTR,
    .seekable = 1,
    .layout = RUNNEL_BE128,
    .layouts = RUNNEL_LAYOUTS_16,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {16, 16, 1},
    .block_bytes = 16,
    .context_bytes = sizeof(runnel_ctr_head),
    .state_offset = sizeof(runnel_ctr_head),
    .kernels = kernels,
};

int main(void)
{
    static const int layouts[] = {RUNNEL_BE128, RUNNEL_BE64, RUNNEL_BE32, RUNNEL_LE128, RUNNEL_LE64, RUNNEL_LE32};
    static runnel_ctr_head context;
    static uint8_t out[16];
    const uint8_t zeros[16] = {0};
    const uint64_t most = UINT32_MAX;
    runnel_stream *const s = &context.stream;
    if (SIZE_MAX <= UINT32_MAX) /* no call is so long */
        return 0;
    int wrong = runnel_cipher_key(&cipher, s, zeros, sizeof zeros, NULL) != RUNNEL_OK;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        int results[7];
        made = 0;
        results[0] = runnel_stream_packet(s, zeros, 16, layouts[i], out, NULL, 16 * (most + 1)) != RUNNEL_ERR_LIMIT;
        results[1] = runnel_stream_packet(s, zeros, 16, layouts[i], out, NULL, 16 * most + 1) != RUNNEL_ERR_LIMIT;
        results[2] = made != 0;
        results[3] = runnel_stream_packet(s, zeros, 16, layouts[i], out, NULL, 16 * most) != RUNNEL_OK;
        results[4] = made != most || runnel_stream_tell(s) != 16 * most || runnel_stream_left(s) != 0;
        results[5] = runnel_stream_xor(s, out, NULL, 1) != RUNNEL_ERR_LIMIT;
        results[6] = runnel_stream_seek(s, 16 * most + 1) != RUNNEL_ERR_LIMIT;
        for (int k = 0; k < 7; k++)
            if (results[k]) {
                printf("%s: check %d\n", runnel_layout_name(layouts[i]), k);
                wrong = 1;
            }
    }
    return wrong;
}
