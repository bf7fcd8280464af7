/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for RV32 where ROM counts most, block by block; and the key set-up of both kernels. */
#include "ciphers/lea/kernels.h"

#if RUNNEL_RV32

#include "job.h"

void runnel_lea_rv32_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_lea_set_key(state, key, key_bytes);
    if (LEA_RV32_EACH == 6 && key_bytes == 16) { /* spread, from the end */
        uint32_t *words = ((runnel_lea_schedule *)state)->words;
        for (unsigned i = 24; i-- > 0;) {
            const uint32_t *from = words + 4 * i;
            const uint32_t t[4] = {from[0], from[1], from[2], from[3]};
            uint32_t *to = words + 6 * i;
            to[0] = t[0];
            to[1] = to[3] = to[5] = t[1];
            to[2] = t[2];
            to[4] = t[3];
        }
    }
}

static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks)
{
    (void)prefix;
    const runnel_lea_schedule *schedule = state;
    const uint32_t *const end = schedule->words + LEA_RV32_EACH * schedule->rounds;
    runnel_lea_rv32_small_ctr(schedule->words, end, block, out, in, nblocks);
}

/* Encrypts a block as the keystream of counter mode that begins with it. */
static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += 16, out += 16)
        ctr32(state, NULL, in, out, NULL, 1);
}

const runnel_kernel runnel_lea_rv32_small = {
    .name = RUNNEL_TEXT("rv32-small"),
    .citation = RUNNEL_TEXT("KS X 3246, a round in a loop"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_rv32_set_key,
    .block = {.encrypt_blocks = encrypt_blocks, .ctr32 = ctr32},
};

#endif
