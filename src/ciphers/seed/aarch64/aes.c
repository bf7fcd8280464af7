/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED by the AES instructions of Armv8-A: up to 16 blocks in flight, four words of as many blocks in each register.
 * The rounds are in aes_rounds.S. */
#include "ciphers/seed/kernels.h"

#if RUNNEL_AARCH64

void runnel_seed_aarch64_aes_4(uint32_t *state, const uint32_t *keys, unsigned rounds);
void runnel_seed_aarch64_aes_8(uint32_t *state, const uint32_t *keys, unsigned rounds);
void runnel_seed_aarch64_aes_16(uint32_t *state, const uint32_t *keys, unsigned rounds);
void runnel_seed_aarch64_aes_g(uint32_t *words);

#define SEED_FEWEST 4
#define encrypt_fewest runnel_seed_aarch64_aes_4
#define encrypt_8 runnel_seed_aarch64_aes_8
#define encrypt_16 runnel_seed_aarch64_aes_16
#define apply_g runnel_seed_aarch64_aes_g

#include "modes.h"

const runnel_kernel runnel_seed_aarch64_aes = {
    .name = RUNNEL_TEXT("aarch64-aes"),
    .citation = RUNNEL_TEXT("S-boxes by AESE between affine maps in TBL; 16 blocks in flight"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = SEED_BLOCK_FUNCTIONS,
};

#endif
