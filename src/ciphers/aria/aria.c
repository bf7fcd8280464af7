/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "modes/block_cipher.h"
#include "modes/cfb/mode.h"
#include "kernels.h"

static runnel_kernel_list aria_kernels = {
#ifdef RUNNEL_ARIA_KERNEL
    RUNNEL_LIST_ONLY(aria, RUNNEL_ARIA_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_aria_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_aria_##name)
#include "kernels.inc"
#endif
        NULL,
};

#define ARIA_CTR(bits)                                                                                                 \
    {RUNNEL_CTR_MODE(aria, bits, 16, RUNNEL_LAYOUTS_16),                                                               \
     .name = RUNNEL_TEXT("aria-" #bits "-ctr"),                                                                        \
     .title = RUNNEL_TEXT("ARIA-" #bits " in counter mode"),                                                           \
     .source = RUNNEL_TEXT("RFC 5794, KS X 1213; SP 800-38A 6.5"),                                                     \
     .remark = RUNNEL_TEXT("sound; standard in Korea"),                                                                \
     .status = RUNNEL_RECOMMENDED,                                                                                     \
     .kernels = aria_kernels}

#define ARIA_CFB(bits)                                                                                                 \
    {RUNNEL_CFB_MODE(aria, bits, 16), .name = RUNNEL_TEXT("aria-" #bits "-cfb"),                                       \
     .title = RUNNEL_TEXT("ARIA-" #bits " in cipher feedback mode"),                                                   \
     .source = RUNNEL_TEXT("RFC 5794; SP 800-38A 6.3 (CFB128)"), .kernels = aria_kernels}

static const runnel_cipher aria_ctr_128 = ARIA_CTR(128), aria_ctr_192 = ARIA_CTR(192), aria_ctr_256 = ARIA_CTR(256);
static const runnel_cipher aria_cfb_128 = ARIA_CFB(128), aria_cfb_192 = ARIA_CFB(192), aria_cfb_256 = ARIA_CFB(256);

RUNNEL_DEFINE_BLOCK_CIPHER(aria, RUNNEL_ARIA_KEY_BITS)
