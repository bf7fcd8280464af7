/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "modes/cfb/mode.h"
#include "kernels.h"

static runnel_kernel_list seed_kernels = {
#ifdef RUNNEL_SEED_KERNEL
    RUNNEL_LIST_ONLY(seed, RUNNEL_SEED_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_seed_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_seed_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher seed_ctr = {
    RUNNEL_CTR_MODE(seed, 128, 16, RUNNEL_LAYOUTS_16 | 1 << RUNNEL_BE32_LEFT),
    .name = RUNNEL_TEXT("seed-ctr"),
    .title = RUNNEL_TEXT("SEED in counter mode"),
    .source = RUNNEL_TEXT("RFC 4269; SP 800-38A 6.5"),
    .remark = RUNNEL_TEXT("sound, but there is no reason for it except where Korean standards ask for SEED"),
    .status = RUNNEL_LEGACY,
    .kernels = seed_kernels,
};

static const runnel_cipher seed_cfb = {
    RUNNEL_CFB_MODE(seed, 128, 16),
    .name = RUNNEL_TEXT("seed-cfb"),
    .title = RUNNEL_TEXT("SEED in cipher feedback mode"),
    .source = RUNNEL_TEXT("RFC 4269; SP 800-38A 6.3 (CFB128)"),
    .kernels = seed_kernels,
};

/* Each family has a list of its own, so that firmware gets one of them only. */
runnel_cipher_list runnel_seed_ctr_family = {&seed_ctr, NULL};
static runnel_cipher_list seed_cfb_family = {&seed_cfb, NULL};

runnel_cipher_list runnel_seed_ciphers = {&seed_ctr, &seed_cfb, NULL};

RUNNEL_DEFINE_CTR_VERBS(seed_ctr, runnel_seed_ctr_family)
RUNNEL_DEFINE_DIRECTIONAL_VERBS(seed_cfb, seed_cfb_family)
RUNNEL_DEFINE_BLOCKS_VERBS(seed_blocks, runnel_seed_ctr_family, 16)
