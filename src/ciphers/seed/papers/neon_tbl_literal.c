/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Song's SEED (neon_tbl.h) without improvements: S-boxes are loaded whenever they are used, and the first round is
 * computed once only in the paper's own layout, be32-left. The paper does not say how it adds words whose bytes are
 * gathered by S-box; here they are gathered for each G. */
#define PAIRS runnel_seed_neon_tbl_literal_pairs
#define WORTH_STANDARD SIZE_MAX
#include "neon_tbl.h"

#if RUNNEL_AARCH64

const runnel_kernel runnel_seed_neon_tbl_literal = {
    .name = RUNNEL_TEXT("neon-tbl-literal"),
    .citation = RUNNEL_TEXT("Song, SEED counter mode on ARM processors, Hansung University, 2024, to the letter"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = set_key,
    .block = {.encrypt_blocks = encrypt_blocks,
              .ctr32 = ctr32,
              .ctr32_left = ctr32_left,
              RUNNEL_DECRYPTION(set_decrypt_key, encrypt_blocks)},
};

#endif
