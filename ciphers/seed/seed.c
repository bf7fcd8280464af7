/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "seed_kernels.h"

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_SEED_KERNEL
    &RUNNEL_KERNEL(seed, RUNNEL_SEED_KERNEL),
#else
    RUNNEL_ON_X86_64(runnel_seed_avx512)
    RUNNEL_ON_X86_64(runnel_seed_avx2)
    RUNNEL_ON_X86_64(runnel_seed_aesni)
    &runnel_seed_table,
    &runnel_seed_portable,
#endif
    NULL,
};

static const runnel_cipher seed_ctr = {
    .name = RUNNEL_TEXT("seed-ctr"),
    .family = RUNNEL_TEXT("seed_ctr"),
    .title = RUNNEL_TEXT("SEED in counter mode"),
    .source = RUNNEL_TEXT("RFC 4269; SP 800-38A 6.5"),
    .remark = RUNNEL_TEXT("sound, but there is no reason for it except where Korean standards ask for SEED"),
    .status = RUNNEL_LEGACY,
    .seekable = 1,
    .layout = RUNNEL_BE128,
    .layouts = 1 << RUNNEL_BE128 | 1 << RUNNEL_BE64 | 1 << RUNNEL_BE32 | 1 << RUNNEL_BE16 | 1 << RUNNEL_LE128 |
               1 << RUNNEL_LE64 | 1 << RUNNEL_LE32 | 1 << RUNNEL_BE32_LEFT,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {16, 16, 1},
    .block_bytes = 16,
    .context_bytes = sizeof(runnel_seed_ctr),
    .state_offset = offsetof(runnel_seed_ctr, schedule),
    .kernels = kernels,
};

const runnel_cipher *const runnel_seed_ciphers[] = {&seed_ctr, NULL};

RUNNEL_DEFINE_CTR_VERBS(seed_ctr, runnel_seed_ciphers)
