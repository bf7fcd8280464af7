/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aes_kernels.h"

static const runnel_kernel *const kernels[] = {
    RUNNEL_ON_X86_64(runnel_aes_x86_vaes512)
    RUNNEL_ON_X86_64(runnel_aes_x86_vaes)
    RUNNEL_ON_X86_64(runnel_aes_x86_aesni)
    &runnel_aes_portable,
    NULL,
};

#if RUNNEL_PREFIX
#define PREFIX_OFFSET offsetof(runnel_aes_ctr, prefix)
#define USED_BYTES used_bytes

/* The tables come last and are used in order. */
static uint32_t used_bytes(const void *context)
{
    const aes_prefix *prefix = (const void *)((const uint8_t *)context + PREFIX_OFFSET);
    if (prefix->one_round_set)
        return sizeof(runnel_aes_ctr);
    if (prefix->two_rounds_used)
        return offsetof(runnel_aes_ctr, prefix.one_round);
    return offsetof(runnel_aes_ctr, prefix.two_rounds);
}
#else
#define PREFIX_OFFSET 0
#define USED_BYTES NULL
#endif

#define CTR_LAYOUTS                                                                                                    \
    (1 << RUNNEL_BE128 | 1 << RUNNEL_BE64 | 1 << RUNNEL_BE32 | 1 << RUNNEL_BE16 | 1 << RUNNEL_LE128 |                  \
     1 << RUNNEL_LE64 | 1 << RUNNEL_LE32)

#define AES_CTR(bits)                                                                                                  \
    {                                                                                                                  \
        .name = "aes-" #bits "-ctr", .title = "AES-" #bits " in counter mode", .source = "FIPS 197; SP 800-38A 6.5",   \
        .status = RUNNEL_RECOMMENDED, .seekable = 1, .layout = RUNNEL_BE128, .layouts = CTR_LAYOUTS,                   \
        .key_bytes = {1, {bits / 8}}, .iv_bytes = {1, {16}}, .block_bytes = 16,                                        \
        .context_bytes = sizeof(runnel_aes_ctr), .state_offset = offsetof(runnel_aes_ctr, schedule),                   \
        .prefix_offset = PREFIX_OFFSET, .used_bytes = USED_BYTES, .kernels = kernels                                   \
    }

static const runnel_cipher aes_128_ctr = AES_CTR(128);
static const runnel_cipher aes_192_ctr = AES_CTR(192);
static const runnel_cipher aes_256_ctr = AES_CTR(256);

const runnel_cipher *const runnel_aes_ciphers[] = {&aes_128_ctr, &aes_192_ctr, &aes_256_ctr, NULL};

RUNNEL_DEFINE_CTR_VERBS(aes_ctr, runnel_aes_ciphers)
