/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "modes/cfb/mode.h"
#include "kernels.h"

static runnel_kernel_list hight_kernels = {
#ifdef RUNNEL_HIGHT_KERNEL
    RUNNEL_LIST_ONLY(hight, RUNNEL_HIGHT_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_hight_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_hight_##name)
#include "kernels.inc"
#endif
        NULL,
};

#ifndef RUNNEL_HIGHT_KERNEL
#define KERNEL(on, name) RUNNEL_FITS(on, RUNNEL_HIGHT_SLICES_##name <= RUNNEL_HIGHT_SLICED_WORDS)
#define PAPER KERNEL
#include "kernels.inc"
#endif

static const runnel_cipher hight_ctr = {
    RUNNEL_CTR_MODE(hight, 128, 8, RUNNEL_LAYOUTS_8),
    .name = RUNNEL_TEXT("hight-ctr"),
    .title = RUNNEL_TEXT("HIGHT in counter mode"),
    .source =
        RUNNEL_TEXT("TTAS.KO-12.0040, ISO/IEC 18033-3, in KISA's byte order: reverse what ISO prints; SP 800-38A 6.5"),
    .remark = RUNNEL_TEXT("blocks of 64 bits: change the key long before 2^32 of them (32 GiB)"),
    .status = RUNNEL_LEGACY,
    .kernels = hight_kernels,
};

static const runnel_cipher hight_cfb = {
    RUNNEL_CFB_MODE(hight, 128, 8),
    .name = RUNNEL_TEXT("hight-cfb"),
    .title = RUNNEL_TEXT("HIGHT in cipher feedback mode"),
    .source = RUNNEL_TEXT("TTAS.KO-12.0040, in KISA's byte order: reverse what ISO prints; SP 800-38A 6.3 (CFB64)"),
    .kernels = hight_kernels,
};

/* Each family has a list of its own, so that firmware links only one of them. */
static runnel_cipher_list hight_ctr_family = {&hight_ctr, NULL};
static runnel_cipher_list hight_cfb_family = {&hight_cfb, NULL};

runnel_cipher_list runnel_hight_ciphers = {&hight_ctr, &hight_cfb, NULL};

RUNNEL_DEFINE_CTR_VERBS(hight_ctr, hight_ctr_family)
RUNNEL_DEFINE_DIRECTIONAL_VERBS(hight_cfb, hight_cfb_family)
RUNNEL_DEFINE_BLOCKS_VERBS(hight_blocks, hight_ctr_family, 8)
