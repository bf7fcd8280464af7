/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA on NEON, for 32-bit ARM: sixteen blocks at a time, in slices of bytes; the rounds are in neon_rounds.S. */
#include "arch/common/bytes.h"
#include "ciphers/aria/kernels.h"
#include "ciphers/aria/sboxes.h"

#if RUNNEL_ARMV7_NEON

enum { ARIA_GROUP = 16, ARIA_BLOCK = 16 };

/* Those of odd rounds; from the third on, those of even rounds. */
#define ROW(...) __VA_ARGS__,
static const uint8_t aria_s_boxes[6][256]
    __attribute__((aligned(16))) = {{RUNNEL_ARIA_S1(ROW)}, {RUNNEL_ARIA_S2(ROW)}, {RUNNEL_ARIA_S3(ROW)},
                                    {RUNNEL_ARIA_S4(ROW)}, {RUNNEL_ARIA_S1(ROW)}, {RUNNEL_ARIA_S2(ROW)}};

/* neon_rounds.S */
void runnel_aria_armv7_blocks(const uint8_t *keys, size_t rounds, const uint8_t *boxes, const uint8_t *from,
                              uint8_t *out, const uint8_t *in);

/* All but the last group, which may be a part of one, go straight to `out`. */
static inline void aria_put_group(const runnel_aria_schedule *schedule, uint8_t (*blocks)[ARIA_BLOCK], uint8_t *out,
                                  const uint8_t *in, size_t n)
{
    if (n == ARIA_GROUP) {
        runnel_aria_armv7_blocks(schedule->keys[0], schedule->rounds, aria_s_boxes[0], blocks[0], out, in);
    } else {
        runnel_aria_armv7_blocks(schedule->keys[0], schedule->rounds, aria_s_boxes[0], blocks[0], blocks[0], NULL);
        runnel_xor_bytes(out, in, blocks[0], ARIA_BLOCK * n);
    }
}

static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    for (; nblocks >= ARIA_GROUP; nblocks -= ARIA_GROUP, in += ARIA_BLOCK * ARIA_GROUP, out += ARIA_BLOCK * ARIA_GROUP)
        runnel_aria_armv7_blocks(schedule->keys[0], schedule->rounds, aria_s_boxes[0], in, out, NULL);
    if (nblocks > 0) {
        uint8_t blocks[ARIA_GROUP][ARIA_BLOCK] = {{0}};
        memcpy(blocks, in, ARIA_BLOCK * nblocks);
        aria_put_group(schedule, blocks, out, NULL, nblocks);
        runnel_wipe(blocks, sizeof blocks);
    }
}

/* Adds 1 to the word that counts. */
typedef void aria_count_function(uint8_t *block);

static inline void aria_count_big(uint8_t *block)
{
    runnel_store32be(block + 12, runnel_load32be(block + 12) + 1);
}

static inline void aria_count_little(uint8_t *block)
{
    runnel_store32le(block, runnel_load32le(block) + 1);
}

RUNNEL_INLINE void aria_count_blocks(const runnel_aria_schedule *schedule, const uint8_t *first, uint8_t *out,
                                     const uint8_t *in, size_t nblocks, aria_count_function *count)
{
    uint8_t blocks[ARIA_GROUP][ARIA_BLOCK], next[ARIA_BLOCK];
    memcpy(next, first, ARIA_BLOCK);
    while (nblocks > 0) {
        const size_t n = nblocks < ARIA_GROUP ? nblocks : ARIA_GROUP;
        for (size_t i = 0; i < ARIA_GROUP; i++) {
            memcpy(blocks[i], next, ARIA_BLOCK);
            count(next);
        }
        aria_put_group(schedule, blocks, out, in, n);
        nblocks -= n;
        in = in == NULL ? NULL : in + ARIA_BLOCK * n;
        out += ARIA_BLOCK * n;
    }
    runnel_wipe(blocks, sizeof blocks); /* the keystream of a part of a group */
}

static void aria_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    aria_count_blocks(state, block, out, in, nblocks, aria_count_big);
}

static void aria_ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    aria_count_blocks(state, block, out, in, nblocks, aria_count_little);
}

/* One round without keys and without a diffusion layer, as the last one is. */
static void aria_substitute(uint8_t block[16], int odd)
{
    static const uint8_t no_keys[2][ARIA_BLOCK];
    uint8_t blocks[ARIA_GROUP][ARIA_BLOCK] = {{0}};
    memcpy(blocks[0], block, ARIA_BLOCK);
    runnel_aria_armv7_blocks(no_keys[0], 1, aria_s_boxes[odd ? 0 : 2], blocks[0], blocks[0], NULL);
    memcpy(block, blocks[0], ARIA_BLOCK);
    runnel_wipe(blocks, sizeof blocks);
}

static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_expand(state, key, key_bytes, aria_substitute);
}

RUNNEL_DECRYPT_KEY(aria_set_decrypt_key, aria_set_key, runnel_aria_invert)

const runnel_kernel runnel_aria_armv7_neon = {
    .name = RUNNEL_TEXT("armv7-neon"),
    .citation = RUNNEL_TEXT("S-boxes by VTBL and VTBX of 32 bytes; 16 blocks in slices of bytes"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_little = aria_ctr32_little,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
