/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "modes/block_cipher.h"
#include "modes/cfb/mode.h"
#include "kernels.h"

static runnel_kernel_list lea_kernels = {
#ifdef RUNNEL_LEA_KERNEL
    RUNNEL_LIST_ONLY(lea, RUNNEL_LEA_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_lea_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_lea_##name)
#include "kernels.inc"
#endif
        NULL,
};

#define LEA_CTR(bits)                                                                                                  \
    {RUNNEL_CTR_MODE(lea, bits, 16, RUNNEL_LAYOUTS_16),                                                                \
     .name = RUNNEL_TEXT("lea-" #bits "-ctr"),                                                                         \
     .title = RUNNEL_TEXT("LEA-" #bits " in counter mode"),                                                            \
     .source = RUNNEL_TEXT("KS X 3246, ISO/IEC 29192-2; SP 800-38A 6.5"),                                              \
     .remark = RUNNEL_TEXT("sound; fast without any special instructions; standard in Korea"),                         \
     .status = RUNNEL_RECOMMENDED,                                                                                     \
     .kernels = lea_kernels}

#define LEA_CFB(bits)                                                                                                  \
    {RUNNEL_CFB_MODE(lea, bits, 16), .name = RUNNEL_TEXT("lea-" #bits "-cfb"),                                         \
     .title = RUNNEL_TEXT("LEA-" #bits " in cipher feedback mode"),                                                    \
     .source = RUNNEL_TEXT("KS X 3246; SP 800-38A 6.3 (CFB128)"), .kernels = lea_kernels}

static const runnel_cipher lea_ctr_128 = LEA_CTR(128), lea_ctr_192 = LEA_CTR(192), lea_ctr_256 = LEA_CTR(256);
static const runnel_cipher lea_cfb_128 = LEA_CFB(128), lea_cfb_192 = LEA_CFB(192), lea_cfb_256 = LEA_CFB(256);

RUNNEL_DEFINE_BLOCK_CIPHER(lea, RUNNEL_LEA_KEY_BITS)
