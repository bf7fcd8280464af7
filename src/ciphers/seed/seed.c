/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kernels.h"

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_SEED_KERNEL
    &RUNNEL_KERNEL(seed, RUNNEL_SEED_KERNEL),
#else
    RUNNEL_ON_X86_64(runnel_seed_avx512)
    RUNNEL_ON_X86_64(runnel_seed_avx2)
    RUNNEL_ON_X86_64(runnel_seed_aesni)
    /* By llvm-mca, which ranks and does not measure, AESE is 1.2 times as fast as TBL of whole S-boxes on Cortex-A55,
     * 1.4 on A57 and A72, 1.6 on Neoverse N1, and a tenth slower on its model of Apple's (runnel lab show seed-armv8). */
    RUNNEL_ON_AARCH64(runnel_seed_aarch64_aes)
    RUNNEL_ON_AARCH64(runnel_seed_aarch64_neon)
#if RUNNEL_PAPERS
    RUNNEL_ON_AARCH64(runnel_seed_neon_tbl)
#endif
    RUNNEL_ON_THUMB2(runnel_seed_thumb2)
    RUNNEL_ON_THUMB2(runnel_seed_thumb2_small)
    RUNNEL_ON_RV32(runnel_seed_rv32)
    RUNNEL_ON_RV32(runnel_seed_rv32_small)
    RUNNEL_ON_AVR(runnel_seed_avr)
    RUNNEL_ON_AVR(runnel_seed_avr_small)
#if !RUNNEL_AVR /* 64-bit words: 8,000 cycles a byte there */
    &runnel_seed_portable,
#endif
    &runnel_seed_table,
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
    .kernels = kernels,
};

static const runnel_cipher seed_cfb = {
    RUNNEL_CFB_MODE(seed, 128, 16),
    .name = RUNNEL_TEXT("seed-cfb"),
    .title = RUNNEL_TEXT("SEED in cipher feedback mode"),
    .source = RUNNEL_TEXT("RFC 4269; SP 800-38A 6.3 (CFB128)"),
    .kernels = kernels,
};

/* Each family has a list of its own, so that firmware gets one of them only. */
static const runnel_cipher *const ctr_family[] = {&seed_ctr, NULL};
static const runnel_cipher *const cfb_family[] = {&seed_cfb, NULL};

const runnel_cipher *const runnel_seed_ciphers[] = {&seed_ctr, &seed_cfb, NULL};

RUNNEL_DEFINE_CTR_VERBS(seed_ctr, ctr_family)
RUNNEL_DEFINE_DIRECTIONAL_VERBS(seed_cfb, cfb_family)
RUNNEL_DEFINE_BLOCKS_VERBS(seed_blocks, ctr_family, 16)
