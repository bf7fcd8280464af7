/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED by extended S-boxes for RV32: what surrounds the assembly. */
#include "ciphers/seed/kernels.h"

#if RUNNEL_RV32

#include "arch/common/aligned.h"
#include "job.h"
#include "ciphers/seed/s_boxes.h"

/* The assembly forms addresses of table entries by OR. */
const uint32_t runnel_seed_rv32_table[4][256] __attribute__((aligned(1024), visibility("hidden"))) =
    SEED_EXTENDED_S_BOXES;

/* G without the lowest byte's entry. */
static inline uint32_t seed_g_of_high_bytes(uint32_t x)
{
    return runnel_seed_rv32_table[1][x >> 8 & 0xff] ^ runnel_seed_rv32_table[2][x >> 16 & 0xff] ^
           runnel_seed_rv32_table[3][x >> 24];
}

static inline uint32_t seed_g(uint32_t x)
{
    return seed_g_of_high_bytes(x) ^ runnel_seed_rv32_table[0][x & 0xff];
}

static void seed_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    runnel_seed_key_words(words, key);
    for (unsigned i = 0; i < 32; i++)
        words[i] = seed_g(words[i]);
}

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, seed_set_key, runnel_seed_reverse)

static void seed_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t *keys = ((const runnel_seed_schedule *)state)->words;
    uint32_t aligned[4];
    uint8_t *const bytes = (uint8_t *)aligned;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
            runnel_seed_rv32_block(keys, out, in);
            continue;
        }
        memcpy(aligned, in, 16);
        runnel_seed_rv32_block(keys, bytes, bytes);
        memcpy(out, aligned, 16);
        runnel_wipe(aligned, sizeof aligned);
    }
}

/* Where the left half counts, the first round adds the same to it in all blocks. */
static RUNNEL_NOINLINE void seed_count(const void *state, int left, const uint8_t *block, uint8_t *out,
                                       const uint8_t *in, size_t nblocks)
{
    const uint32_t *keys = ((const runnel_seed_schedule *)state)->words;
    seed_rv32_run run = {.keys = keys,
                         .left = {runnel_load32be(block), runnel_load32be(block + 4)},
                         .right = {runnel_load32be(block + 8), runnel_load32be(block + 12)}};
    uint32_t counter = run.right[1], key = keys[1];
    run.c = run.right[0] ^ keys[0];
    if (left) {
        uint32_t sum = run.c ^ counter ^ key, last = run.c;
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t now = seed_g(sum);
            sum = last + now;
            last = now;
        }
        run.left[0] ^= sum;
        run.mask = last;
        run.mask_at = &run.mask;
        run.c = run.left[0] ^ keys[2];
        counter = run.left[1];
        key = keys[3] ^ last;
    }
    run.d = seed_g_of_high_bytes(run.c ^ counter ^ key);
    run.index = (uint32_t)(uintptr_t)&runnel_seed_rv32_table[0][counter & 0xff];
    run.index_key = ((run.c ^ key) & 0xff) << 2;
    runnel_xor_aligned(runnel_seed_rv32_blocks, &run, out, in, nblocks, 16);
    runnel_wipe(&run, sizeof run);
}

static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    seed_count(state, 0, block, out, in, nblocks);
}

static void seed_ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    (void)prefix;
    seed_count(state, 1, block, out, in, nblocks);
}

const runnel_kernel runnel_seed_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("extended S-boxes of RFC 4269; the counter's high bytes go through G once for 256 blocks"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .run_bits = 8,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
