/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED after Song (Hansung University, 2024): two blocks in NEON registers, bytes gathered by their S-box, S-boxes by
 * TBL and TBX of v16 to v31, G by masks in registers. Written once for its two kernels; a file that includes this has
 * defined
 *   PAIRS               its function in assembly;
 *   WORD(word, block)   where that has a word of a block, both counted from 0;
 *   WORTH_STANDARD      from so many pairs in a call on STANDARD is less work than PLAIN;
 *   ARRANGE_KEYS(words) what is to be done to the round keys; may be left out. */
#include <string.h>

#include "arch/common/offsets.h"
#include "ciphers/seed/kernels.h"

#if RUNNEL_AARCH64

#ifndef ARRANGE_KEYS
#define ARRANGE_KEYS(words) ((void)0)
#endif

/* Known to the assembly. */
typedef struct seed_job {
    uint32_t words[8];  /* of two counter blocks; counted on the way */
    uint32_t common[8]; /* STANDARD, LEFT: what these blocks have in common in round 1; set and read by the assembly */
    const uint32_t *keys;
} seed_job;

RUNNEL_CHECK_OFFSET(seed_job, keys, 64);

/* Kinds of jobs: counter blocks, without or with the common part of round 1, or blocks at `from`. */
enum { SEED_PLAIN, SEED_STANDARD, SEED_LEFT, SEED_RAW };

void PAIRS(seed_job *job, uint8_t *out, const uint8_t *in, size_t npairs, unsigned mode, const uint8_t *from);
void runnel_seed_aarch64_neon_g(uint32_t *words);

static void seed_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    runnel_seed_key_words(words, key);
    runnel_seed_aarch64_neon_g(words);
    ARRANGE_KEYS(words);
}

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, seed_set_key, runnel_seed_reverse)

static void seed_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    seed_job job = {.keys = ((const runnel_seed_schedule *)state)->words};
    const size_t npairs = nblocks / 2;
    if (npairs > 0)
        PAIRS(&job, out, NULL, npairs, SEED_RAW, in);
    if (nblocks % 2) {
        uint8_t last[32] = {0};
        memcpy(last, in + 32 * npairs, 16);
        PAIRS(&job, last, NULL, 1, SEED_RAW, last);
        memcpy(out + 32 * npairs, last, 16);
        runnel_wipe(last, sizeof last);
    }
}

/* npairs pairs of blocks from number first on. */
static void seed_xor_pairs(const void *state, const uint8_t *block, uint32_t first, unsigned mode, uint8_t *out,
                           const uint8_t *in, size_t npairs)
{
    seed_job job = {.keys = ((const runnel_seed_schedule *)state)->words};
    for (uint32_t i = 0; i < 2; i++) {
        for (unsigned w = 0; w < 4; w++)
            job.words[WORD(w, i)] = runnel_load32be(block + 4 * w);
        job.words[mode == SEED_LEFT ? WORD(1, i) : WORD(3, i)] += first + i;
    }
    PAIRS(&job, out, in, npairs, mode, NULL);
    if (mode != SEED_PLAIN)
        runnel_wipe(&job, sizeof job);
}

static void seed_xor_counters(const void *state, const uint8_t *block, unsigned mode, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    const size_t npairs = nblocks / 2;
    if (npairs > 0)
        seed_xor_pairs(state, block, 0, mode == SEED_STANDARD && npairs < WORTH_STANDARD ? SEED_PLAIN : mode, out, in,
                       npairs);
    if (nblocks % 2) {
        uint8_t last[32] = {0};
        if (in != NULL)
            memcpy(last, in + 32 * npairs, 16);
        seed_xor_pairs(state, block, (uint32_t)(2 * npairs), mode == SEED_STANDARD ? SEED_PLAIN : mode, last, last, 1);
        memcpy(out + 32 * npairs, last, 16);
        runnel_wipe(last, sizeof last);
    }
}

static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    seed_xor_counters(state, block, SEED_STANDARD, out, in, nblocks);
}

static void seed_ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    (void)prefix;
    seed_xor_counters(state, block, SEED_LEFT, out, in, nblocks);
}

#endif
