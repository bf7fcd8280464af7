/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aes_kernels.h"

/* Kernels for keys of 128 bits alone come first, so that the list of the others is the rest of this one. */
#ifdef RUNNEL_AES_KERNEL
#define ALONE_x86_partial_key 0, 1
#define ALONE_x86_short_code 0, 1
#define ALONE_OF_(kernel) ALONE_##kernel
#define ALONE_OF(kernel) ALONE_OF_(kernel)
#define SECOND_(first, second, ...) second
#define SECOND(...) SECOND_(__VA_ARGS__)
#define FOR_128_ALONE SECOND(ALONE_OF(RUNNEL_AES_KERNEL), 0, 0)
#else
#define FOR_128_ALONE (2 * RUNNEL_AES_X86_ASSEMBLY)
#endif

static const runnel_kernel *const kernels_128[] = {
#ifdef RUNNEL_AES_KERNEL
    &RUNNEL_KERNEL(aes, RUNNEL_AES_KERNEL),
#else
#if RUNNEL_AES_X86_ASSEMBLY
    &runnel_aes_x86_short_code,
    &runnel_aes_x86_partial_key,
#endif
    RUNNEL_ON_X86_64(runnel_aes_vaes512)
    RUNNEL_ON_X86_64(runnel_aes_vaes)
    RUNNEL_ON_X86_64(runnel_aes_aesni)
    RUNNEL_ON_AARCH64(runnel_aes_aarch64_aes)
    RUNNEL_ON_AARCH64(runnel_aes_aarch64_neon)
#if RUNNEL_AES_ARMV7_NEON
    &runnel_aes_armv7_neon,
#endif
    RUNNEL_ON_THUMB2(runnel_aes_thumb2_fixslice)
    RUNNEL_ON_AVR(runnel_aes_avr_sram_512)
    RUNNEL_ON_AVR(runnel_aes_avr_sram)
    RUNNEL_ON_AVR(runnel_aes_avr_flash)
    RUNNEL_ON_AVR(runnel_aes_avr_small)
    RUNNEL_ON_RV32(runnel_aes_rv32_prefix8)
    RUNNEL_ON_RV32(runnel_aes_rv32_prefix)
    RUNNEL_ON_RV32(runnel_aes_rv32_fixslice_full_table)
    RUNNEL_ON_RV32(runnel_aes_rv32_fixslice_semi_table)
    RUNNEL_ON_RV32(runnel_aes_rv32_fixslice_full)
    RUNNEL_ON_RV32(runnel_aes_rv32_fixslice_semi)
#if !RUNNEL_AVR /* 64-bit words: 120 KB of code there */
    &runnel_aes_portable,
#endif
    RUNNEL_ON_RV32(runnel_aes_rv32_ttable)
    RUNNEL_ON_RV32(runnel_aes_rv32_small)
    RUNNEL_ON_THUMB2(runnel_aes_thumb2_table)
    RUNNEL_ON_THUMB2(runnel_aes_thumb2_small)
#if RUNNEL_HOSTED
    &runnel_aes_ctr_c,
    &runnel_aes_ctr_c_2,
    &runnel_aes_ctr_c_1,
    &runnel_aes_ttable,
#endif
#endif
    NULL,
};

#define KERNELS_128 kernels_128
#define KERNELS_192 (kernels_128 + FOR_128_ALONE)
#define KERNELS_256 KERNELS_192

#if RUNNEL_AES_PREFIX_BYTES
#define PREFIX_OFFSET offsetof(runnel_aes_ctr, prefix)
_Static_assert(PREFIX_OFFSET % RUNNEL_RECOMMENDED_ALIGN == 0, "a prefix table's entry would cross cache lines");
#else
#define PREFIX_OFFSET 0
#endif

#define AES_CTR(bits)                                                                                                  \
    {                                                                                                                  \
        RUNNEL_CTR_MODE(aes, bits, 16, RUNNEL_LAYOUTS_16), .prefix_offset = PREFIX_OFFSET,                             \
        .name = RUNNEL_TEXT("aes-" #bits "-ctr"), .title = RUNNEL_TEXT("AES-" #bits " in counter mode"),               \
        .source = RUNNEL_TEXT("FIPS 197; SP 800-38A 6.5"), .status = RUNNEL_RECOMMENDED, .kernels = KERNELS_##bits     \
    }

#define AES_CFB(bits)                                                                                                  \
    {                                                                                                                  \
        RUNNEL_CFB_MODE(aes, bits, 16), .name = RUNNEL_TEXT("aes-" #bits "-cfb"),                                      \
        .title = RUNNEL_TEXT("AES-" #bits " in cipher feedback mode"),                                                 \
        .source = RUNNEL_TEXT("FIPS 197; SP 800-38A 6.3 (CFB128)"), .kernels = KERNELS_##bits                          \
    }

static const runnel_cipher ctr_128 = AES_CTR(128), ctr_192 = AES_CTR(192), ctr_256 = AES_CTR(256);
static const runnel_cipher cfb_128 = AES_CFB(128), cfb_192 = AES_CFB(192), cfb_256 = AES_CFB(256);

RUNNEL_DEFINE_BLOCK_CIPHER(aes, RUNNEL_AES_KEY_BITS)
