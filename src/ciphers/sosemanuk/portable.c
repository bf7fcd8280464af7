/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK in constant time: what is added in a multiplication by alpha is linear in the byte that is shifted out, so
 * it is the sum of one constant per set bit. */
#include "kernels.h"

#define IF_BIT(x, i, constant) (((uint32_t)0 - ((x) >> (i) & 1)) & (constant))

static inline uint32_t sosemanuk_times_alpha(uint32_t x)
{
    return x << 8 ^ IF_BIT(x, 24, 0xe19fcf13) ^ IF_BIT(x, 25, 0x6b973726) ^ IF_BIT(x, 26, 0xd6876e4c) ^
           IF_BIT(x, 27, 0x05a7dc98) ^ IF_BIT(x, 28, 0x0ae71199) ^ IF_BIT(x, 29, 0x1467229b) ^
           IF_BIT(x, 30, 0x28ce449f) ^ IF_BIT(x, 31, 0x50358897);
}

static inline uint32_t sosemanuk_over_alpha(uint32_t x)
{
    return x >> 8 ^ IF_BIT(x, 0, 0x180f40cd) ^ IF_BIT(x, 1, 0x301e8033) ^ IF_BIT(x, 2, 0x603ca966) ^
           IF_BIT(x, 3, 0xc078fbcc) ^ IF_BIT(x, 4, 0x29f05f31) ^ IF_BIT(x, 5, 0x5249be62) ^ IF_BIT(x, 6, 0xa492d5c4) ^
           IF_BIT(x, 7, 0xe18d0321);
}

#include "steps.h"

const runnel_kernel runnel_sosemanuk_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("Berbain and others 2005, with products by alpha bit by bit"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_sosemanuk_set_key,
    .stream = {.iv = runnel_sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks},
    RUNNEL_BATCH_ON_X86_64(runnel_sosemanuk_batch_avx2)};
