/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED by extended S-boxes for Thumb-2 (Cortex-M3 and later), for processors without a data cache: with one, the
 * timing depends on the key. While only the last byte of the counter changes, the first G is one look-up and a
 * constant; where the left half counts, the first round is a constant and the second one begins with that. */
#include "ciphers/seed/kernels.h"

#if RUNNEL_THUMB2

#include "ciphers/seed/s_boxes.h"
#include "job.h"

static const uint32_t seed_table[2][256] = {{SEED_S0(SEED_WORD0)}, {SEED_S1(SEED_WORD1)}};

/* G without the lowest byte's entry. */
static inline uint32_t seed_g_of_high_bytes(uint32_t x)
{
    return seed_table[1][x >> 8 & 0xff] ^ runnel_rotl32(seed_table[0][x >> 16 & 0xff] ^ seed_table[1][x >> 24], 16);
}

static inline uint32_t seed_g(uint32_t x)
{
    return seed_g_of_high_bytes(x) ^ seed_table[0][x & 0xff];
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
    runnel_seed_thumb2_encrypt(((const runnel_seed_schedule *)state)->words, seed_table, out, in, nblocks);
}

static inline runnel_seed_thumb2_run seed_begin(const void *state, const uint8_t *block)
{
    return (runnel_seed_thumb2_run){.left = {runnel_load32be(block), runnel_load32be(block + 4)},
                                    .right = {runnel_load32be(block + 8), runnel_load32be(block + 12)},
                                    .keys = ((const runnel_seed_schedule *)state)->words,
                                    .table = seed_table};
}

static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    runnel_seed_thumb2_run run = seed_begin(state, block);
    run.c = run.right[0] ^ run.keys[0];
    run.index_key = run.c ^ run.keys[1];
    run.d = seed_g_of_high_bytes(run.right[1] ^ run.index_key);
    runnel_seed_thumb2_right(&run, out, in, nblocks);
    runnel_wipe(&run, sizeof run);
}

static void seed_ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    (void)prefix;
    runnel_seed_thumb2_run run = seed_begin(state, block);
    uint32_t c = run.right[0] ^ run.keys[0], d = seed_g(c ^ run.right[1] ^ run.keys[1]);
    c = seed_g(c + d);
    d = seed_g(d + c);
    run.left[0] ^= c + d;
    run.mask = d;
    run.c = run.left[0] ^ run.keys[2];
    run.index_key = run.c ^ run.keys[3] ^ run.mask;
    run.d = seed_g_of_high_bytes(run.left[1] ^ run.index_key);
    runnel_seed_thumb2_left(&run, out, in, nblocks);
    runnel_wipe(&run, sizeof run);
}

const runnel_kernel runnel_seed_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("extended S-boxes of RFC 4269, rotated; the first G is one look-up for 256 counters"),
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
