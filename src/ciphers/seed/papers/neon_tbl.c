/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Song's SEED (neon_tbl.h), with the part of round 1 that all blocks share computed once:
 *  - with the counter in the left half (be32-left) F of round 1, which takes the right half;
 *  - with the counter at the end of the block, in blocks that differ in their last byte alone, all of the first G's
 *    input but one byte, so that one S-box and its part of G remain.
 * Both are recomputed in each call, the second one if there are enough blocks: the first costs no more than the round
 * that it saves the first two blocks, and the second saves 1 %. The thesis aligns bytes once and loads an S-box when it
 * is needed (neon-tbl-literal). Here words stay as they are, and each G gathers its bytes, which takes fewer
 * instructions; and every other G takes the S-boxes in reverse order, which halves the loads. */
#define PAIRS runnel_seed_neon_tbl_pairs
#define WORD(word, block) (2 * ((word) ^ 2) + (block)) /* the right half first, and the same words next to each other */
#define WORTH_STANDARD 4
#include "neon_tbl.h"

#if RUNNEL_AARCH64

const runnel_kernel runnel_seed_neon_tbl = {
    .name = RUNNEL_TEXT("neon-tbl"),
    .citation = RUNNEL_TEXT("after Song, SEED counter mode on ARM processors, Hansung University, 2024"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
