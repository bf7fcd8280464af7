/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "modes/block_cipher.h"
#include "modes/cfb/mode.h"
#include "kernels.h"

static runnel_kernel_list aes_kernels = {
#ifdef RUNNEL_AES_KERNEL
    RUNNEL_LIST_ONLY(aes, RUNNEL_AES_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_aes_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_aes_##name)
#include "kernels.inc"
#endif
        NULL,
};

#ifndef RUNNEL_AES_KERNEL
#define KERNEL(on, name)                                                                                               \
    RUNNEL_FITS(on, RUNNEL_AES_FIRST(RUNNEL_AES_SIZES_##name) <= RUNNEL_AES_FIRST(RUNNEL_AES_SIZES) &&                 \
                        RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_##name) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES))
#define PAPER KERNEL
#include "kernels.inc"
#endif

#if RUNNEL_AES_PREFIX_BYTES
#define PREFIX_OFFSET offsetof(runnel_aes_ctr, prefix)
_Static_assert(PREFIX_OFFSET % RUNNEL_RECOMMENDED_ALIGN == 0, "a prefix table's entry would cross cache lines");
#else
#define PREFIX_OFFSET 0
#endif

#define AES_CTR(bits)                                                                                                  \
    {RUNNEL_CTR_MODE(aes, bits, 16, RUNNEL_LAYOUTS_16),                                                                \
     .prefix_offset = PREFIX_OFFSET,                                                                                   \
     .name = RUNNEL_TEXT("aes-" #bits "-ctr"),                                                                         \
     .title = RUNNEL_TEXT("AES-" #bits " in counter mode"),                                                            \
     .source = RUNNEL_TEXT("FIPS 197; SP 800-38A 6.5"),                                                                \
     .status = RUNNEL_RECOMMENDED,                                                                                     \
     .kernels = aes_kernels}

#define AES_CFB(bits)                                                                                                  \
    {RUNNEL_CFB_MODE(aes, bits, 16), .name = RUNNEL_TEXT("aes-" #bits "-cfb"),                                         \
     .title = RUNNEL_TEXT("AES-" #bits " in cipher feedback mode"),                                                    \
     .source = RUNNEL_TEXT("FIPS 197; SP 800-38A 6.3 (CFB128)"), .kernels = aes_kernels}

static const runnel_cipher aes_ctr_128 = AES_CTR(128), aes_ctr_192 = AES_CTR(192), aes_ctr_256 = AES_CTR(256);
static const runnel_cipher aes_cfb_128 = AES_CFB(128), aes_cfb_192 = AES_CFB(192), aes_cfb_256 = AES_CFB(256);

RUNNEL_DEFINE_BLOCK_CIPHER(aes, RUNNEL_AES_KEY_BITS)
