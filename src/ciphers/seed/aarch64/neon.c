/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED on NEON without AES instructions: S-boxes by TBL and TBX, 8 or 16 blocks in flight, four words of as many
 * blocks in each register. The tables are in registers, so that no address depends on a secret. The rounds are in
 * neon_rounds.S. */
#include "ciphers/seed/kernels.h"

#if RUNNEL_AARCH64

void runnel_seed_aarch64_neon_8(uint32_t *state, const uint32_t *keys, unsigned rounds);
void runnel_seed_aarch64_neon_16(uint32_t *state, const uint32_t *keys, unsigned rounds);
void runnel_seed_aarch64_neon_g(uint32_t *words);

#define SEED_FEWEST 8
#define encrypt_fewest runnel_seed_aarch64_neon_8
#define encrypt_8 runnel_seed_aarch64_neon_8
#define encrypt_16 runnel_seed_aarch64_neon_16
#define apply_g runnel_seed_aarch64_neon_g

#include "modes.h"

const runnel_kernel runnel_seed_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("S-boxes by TBL and TBX of registers; 16 blocks in flight"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = SEED_BLOCK_FUNCTIONS,
};

#endif
