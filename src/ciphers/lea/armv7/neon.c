/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on NEON, for 32-bit ARM: eight blocks at a time, in the registers of neon_rounds.S. One to three blocks go through
 * the integer registers, in the assembly of the Thumb-2 kernel, which takes the time of three for each; four to seven
 * are made eight. */
#include "arch/common/bytes.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_ARMV7_NEON

#include "ciphers/lea/thumb2/job.h"
#include "job.h"

enum { GROUP = 8, FEW = 3, BLOCK = 16 };

static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    const size_t groups = nblocks / GROUP, done = GROUP * BLOCK * groups, left = nblocks % GROUP;
    if (groups > 0)
        runnel_lea_armv7_encrypt(schedule->words, schedule->rounds, out, in, groups);
    if (left > FEW) {
        uint8_t blocks[GROUP * BLOCK] = {0};
        memcpy(blocks, in + done, BLOCK * left);
        runnel_lea_armv7_encrypt(schedule->words, schedule->rounds, blocks, blocks, 1);
        memcpy(out + done, blocks, BLOCK * left);
        runnel_wipe(blocks, sizeof blocks);
    } else if (left > 0) {
        runnel_lea_thumb2_encrypt(schedule->words, out + done, in + done, left, schedule->rounds);
    }
}

typedef void count_function(const uint32_t *words, size_t rounds, uint8_t *out, const uint8_t *in, size_t ngroups,
                            const uint8_t *block, const uint32_t *numbers);

/* `place` is that of the word that counts: 3, big-endian, or 0. */
RUNNEL_INLINE void count_blocks(const runnel_lea_schedule *schedule, const uint8_t *first, uint8_t *out,
                                const uint8_t *in, size_t nblocks, unsigned place, count_function *count)
{
    static const uint32_t numbers[GROUP] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint8_t block[BLOCK], keystream[GROUP * BLOCK];
    const size_t groups = nblocks / GROUP, left = nblocks % GROUP, done = groups * GROUP;
    if (in == NULL) {
        memset(out, 0, BLOCK * nblocks);
        in = out;
    }
    if (groups > 0)
        count(schedule->words, schedule->rounds, out, in, groups, first, numbers);
    if (left == 0)
        return;
    out += BLOCK * done;
    in += BLOCK * done;
    memcpy(block, first, BLOCK);
    for (uint32_t i = 0; i < (left > FEW ? 1 : left); i++) {
        if (place == 0)
            runnel_store32le(block, runnel_load32le(first) + (uint32_t)done + i);
        else
            runnel_store32be(block + 12, runnel_load32be(first + 12) + (uint32_t)done + i);
        memcpy(keystream + BLOCK * i, block, BLOCK);
    }
    if (left > FEW) {
        memset(keystream, 0, sizeof keystream);
        count(schedule->words, schedule->rounds, keystream, keystream, 1, block, numbers);
    } else {
        runnel_lea_thumb2_encrypt(schedule->words, keystream, keystream, left, schedule->rounds);
    }
    runnel_xor_bytes(out, in, keystream, BLOCK * left);
    runnel_wipe(keystream, BLOCK * (left > FEW ? GROUP : left));
}

static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks)
{
    (void)prefix;
    count_blocks(state, block, out, in, nblocks, 3, runnel_lea_armv7_count);
}

static void ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                         size_t nblocks)
{
    (void)prefix;
    count_blocks(state, block, out, in, nblocks, 0, runnel_lea_armv7_count_little);
}

const runnel_kernel runnel_lea_armv7_neon = {
    .name = RUNNEL_TEXT("armv7-neon"),
    .citation = RUNNEL_TEXT("KS X 3246, 8 blocks in 8 registers; one to three blocks in integer registers"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_thumb2_key,
    .block = {.encrypt_blocks = encrypt_blocks, .ctr32 = ctr32, .ctr32_little = ctr32_little},
};

#endif
