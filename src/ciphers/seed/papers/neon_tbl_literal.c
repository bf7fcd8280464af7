/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Song's SEED (neon_tbl.h) with the instructions of the thesis's Tables 3-1, 3-2 and 3-3, in neon_tbl_literal_pairs.S.
 * The first round is computed once only in its own layout, be32-left (3.1). Round keys are aligned like the blocks. */
#define PAIRS runnel_seed_neon_tbl_literal_pairs
#define WORD(word, block) (4 * (block) + (word)) /* a block for each register */
#define WORTH_STANDARD SIZE_MAX
#define ARRANGE_KEYS seed_align_keys
#include "ciphers/seed/kernels.h"

#if RUNNEL_AARCH64

/* Of each round's two words bytes 0 and 2, which S0 takes in data, and then bytes 3 and 1, which S1 takes. */
static void seed_align_keys(uint32_t *words)
{
    for (unsigned i = 0; i < 32; i += 2) {
        const uint32_t k0 = words[i], k1 = words[i + 1];
        words[i] = (k0 & 0xff) | (k0 >> 8 & 0xff00) | (k1 & 0xff) << 16 | (k1 << 8 & 0xff000000);
        words[i + 1] = k0 >> 24 | (k0 & 0xff00) | (k1 >> 8 & 0xff0000) | (k1 & 0xff00) << 16;
    }
}

#include "neon_tbl.h"

const runnel_kernel runnel_seed_neon_tbl_literal = {
    .name = RUNNEL_TEXT("neon-tbl-literal"),
    .citation = RUNNEL_TEXT("Song, SEED counter mode on ARM processors, Hansung University, 2024, Tables 3-1 to 3-3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
