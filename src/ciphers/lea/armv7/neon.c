/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on NEON, for 32-bit ARM: eight blocks at a time, in the registers of neon_rounds.S. One to three blocks go through
 * the integer registers, in the assembly of the Thumb-2 kernel, which takes the time of three for each; four to seven
 * are made eight. */
#include "arch/common/bytes.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_ARMV7_NEON

#include "ciphers/lea/thumb2/job.h"
#include "job.h"

enum { LEA_GROUP = 8, LEA_FEW = 3, LEA_BLOCK = 16 };

static void lea_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    const size_t groups = nblocks / LEA_GROUP, done = LEA_GROUP * LEA_BLOCK * groups, left = nblocks % LEA_GROUP;
    if (groups > 0)
        runnel_lea_armv7_encrypt(schedule->words, schedule->rounds, out, in, groups);
    if (left > LEA_FEW) {
        uint8_t blocks[LEA_GROUP * LEA_BLOCK] = {0};
        memcpy(blocks, in + done, LEA_BLOCK * left);
        runnel_lea_armv7_encrypt(schedule->words, schedule->rounds, blocks, blocks, 1);
        memcpy(out + done, blocks, LEA_BLOCK * left);
        runnel_wipe(blocks, sizeof blocks);
    } else if (left > 0) {
        runnel_lea_thumb2_encrypt(schedule->words, out + done, in + done, left, schedule->rounds);
    }
}

typedef void lea_count_function(const uint32_t *words, size_t rounds, uint8_t *out, const uint8_t *in, size_t ngroups,
                                const uint8_t *block, const uint32_t *numbers);

/* `place` is that of the word that counts: 3, big-endian, or 0. */
RUNNEL_INLINE void lea_count_blocks(const runnel_lea_schedule *schedule, const uint8_t *first, uint8_t *out,
                                    const uint8_t *in, size_t nblocks, unsigned place, lea_count_function *count)
{
    static const uint32_t numbers[LEA_GROUP] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint8_t block[LEA_BLOCK], keystream[LEA_GROUP * LEA_BLOCK];
    const size_t groups = nblocks / LEA_GROUP, left = nblocks % LEA_GROUP, done = groups * LEA_GROUP;
    if (in == NULL) {
        memset(out, 0, LEA_BLOCK * nblocks);
        in = out;
    }
    if (groups > 0)
        count(schedule->words, schedule->rounds, out, in, groups, first, numbers);
    if (left == 0)
        return;
    out += LEA_BLOCK * done;
    in += LEA_BLOCK * done;
    memcpy(block, first, LEA_BLOCK);
    for (uint32_t i = 0; i < (left > LEA_FEW ? 1 : left); i++) {
        if (place == 0)
            runnel_store32le(block, runnel_load32le(first) + (uint32_t)done + i);
        else
            runnel_store32be(block + 12, runnel_load32be(first + 12) + (uint32_t)done + i);
        memcpy(keystream + LEA_BLOCK * i, block, LEA_BLOCK);
    }
    if (left > LEA_FEW) {
        memset(keystream, 0, sizeof keystream);
        count(schedule->words, schedule->rounds, keystream, keystream, 1, block, numbers);
    } else {
        runnel_lea_thumb2_encrypt(schedule->words, keystream, keystream, left, schedule->rounds);
    }
    runnel_xor_bytes(out, in, keystream, LEA_BLOCK * left);
    runnel_wipe(keystream, LEA_BLOCK * (left > LEA_FEW ? LEA_GROUP : left));
}

static void lea_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    lea_count_blocks(state, block, out, in, nblocks, 3, runnel_lea_armv7_count);
}

static void lea_ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    (void)prefix;
    lea_count_blocks(state, block, out, in, nblocks, 0, runnel_lea_armv7_count_little);
}

const runnel_kernel runnel_lea_armv7_neon = {
    .name = RUNNEL_TEXT("armv7-neon"),
    .citation = RUNNEL_TEXT("KS X 3246, 8 blocks in 8 registers; one to three blocks in integer registers"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_thumb2_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks, .ctr32 = lea_ctr32, .ctr32_little = lea_ctr32_little},
};

#endif
