/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aes_kernels.h"

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_AES_KERNEL
    &RUNNEL_KERNEL(aes, RUNNEL_AES_KERNEL),
#else
    RUNNEL_ON_X86_64(runnel_aes_vaes512)
    RUNNEL_ON_X86_64(runnel_aes_vaes)
    RUNNEL_ON_X86_64(runnel_aes_aesni)
#if !RUNNEL_AVR /* 64-bit words: 120 KB of code there */
    &runnel_aes_portable,
#endif
#endif
    NULL,
};

#if RUNNEL_AES_PREFIX_BYTES
#define PREFIX_OFFSET offsetof(runnel_aes_ctr, prefix)
#else
#define PREFIX_OFFSET 0
#endif

#define CTR_LAYOUTS                                                                                                    \
    (1 << RUNNEL_BE128 | 1 << RUNNEL_BE64 | 1 << RUNNEL_BE32 | 1 << RUNNEL_BE16 | 1 << RUNNEL_LE128 |                  \
     1 << RUNNEL_LE64 | 1 << RUNNEL_LE32)

#define AES_CTR(bits)                                                                                                  \
    {                                                                                                                  \
        .name = RUNNEL_TEXT("aes-" #bits "-ctr"), .family = RUNNEL_TEXT("aes_ctr"),                                    \
        .title = RUNNEL_TEXT("AES-" #bits " in counter mode"), .source = RUNNEL_TEXT("FIPS 197; SP 800-38A 6.5"),      \
        .status = RUNNEL_RECOMMENDED, .seekable = 1, .layout = RUNNEL_BE128, .layouts = CTR_LAYOUTS,                   \
        .key_bytes = {1, {bits / 8}}, .iv_bytes = {1, {16}}, .block_bytes = 16,                                        \
        .context_bytes = sizeof(runnel_aes_ctr), .state_offset = offsetof(runnel_aes_ctr, schedule),                   \
        .prefix_offset = PREFIX_OFFSET, .kernels = kernels                                                             \
    }

static const runnel_cipher aes_128_ctr = AES_CTR(128);
#if RUNNEL_AES_KEY_BITS >= 192
static const runnel_cipher aes_192_ctr = AES_CTR(192);
#endif
#if RUNNEL_AES_KEY_BITS >= 256
static const runnel_cipher aes_256_ctr = AES_CTR(256);
#endif

const runnel_cipher *const runnel_aes_ciphers[] = {
    &aes_128_ctr,
#if RUNNEL_AES_KEY_BITS >= 192
    &aes_192_ctr,
#endif
#if RUNNEL_AES_KEY_BITS >= 256
    &aes_256_ctr,
#endif
    NULL,
};

RUNNEL_DEFINE_CTR_VERBS(aes_ctr, runnel_aes_ciphers)
