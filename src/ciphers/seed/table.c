/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED with the extended S-boxes of RFC 4269: G is four look-ups, each an S-box with its masks. Secrets index
 * the tables. */
#include "arch/common/lookup.h"
#include "kernels.h"
#include "s_boxes.h"

static const uint32_t seed_table[4][256] RUNNEL_FLASH = SEED_EXTENDED_S_BOXES;

static inline uint32_t seed_g(uint32_t x)
{
    return runnel_flash32(seed_table[0] + (x & 0xff)) ^ runnel_flash32(seed_table[1] + (x >> 8 & 0xff)) ^
           runnel_flash32(seed_table[2] + (x >> 16 & 0xff)) ^ runnel_flash32(seed_table[3] + (x >> 24));
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

/* left ^= F(right) */
static inline void seed_half_round(uint32_t left[2], const uint32_t right[2], const uint32_t key[2])
{
    uint32_t c = right[0] ^ key[0], d = seed_g(c ^ right[1] ^ key[1]);
    c = seed_g(c + d);
    d = seed_g(d + c);
    left[0] ^= c + d;
    left[1] ^= d;
}

/* Leaves the halves swapped, since there is no swap after the last round. */
static inline void seed_encrypt(const runnel_seed_schedule *schedule, uint32_t left[2], uint32_t right[2])
{
    for (unsigned i = 0; i < 32; i += 4) {
        seed_half_round(left, right, schedule->words + i);
        seed_half_round(right, left, schedule->words + i + 2);
    }
}

static void seed_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        uint32_t left[2] = {runnel_load32be(in), runnel_load32be(in + 4)};
        uint32_t right[2] = {runnel_load32be(in + 8), runnel_load32be(in + 12)};
        seed_encrypt(state, left, right);
        runnel_store32be(out, right[0]);
        runnel_store32be(out + 4, right[1]);
        runnel_store32be(out + 8, left[0]);
        runnel_store32be(out + 12, left[1]);
    }
}

static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    const uint32_t first[4] = {runnel_load32be(block), runnel_load32be(block + 4), runnel_load32be(block + 8),
                               runnel_load32be(block + 12)};
    for (uint32_t n = 0; nblocks > 0; n++, nblocks--, out += 16) {
        uint32_t left[2] = {first[0], first[1]}, right[2] = {first[2], first[3] + n};
        seed_encrypt(state, left, right);
        if (in != NULL) {
            right[0] ^= runnel_load32be(in);
            right[1] ^= runnel_load32be(in + 4);
            left[0] ^= runnel_load32be(in + 8);
            left[1] ^= runnel_load32be(in + 12);
            in += 16;
        }
        runnel_store32be(out, right[0]);
        runnel_store32be(out + 4, right[1]);
        runnel_store32be(out + 8, left[0]);
        runnel_store32be(out + 12, left[1]);
    }
}

const runnel_kernel runnel_seed_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("extended S-boxes of RFC 4269: four tables of 1 KiB"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};
