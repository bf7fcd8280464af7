/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon: the descriptor. */
#include "core/define.h"
#include "kernels.h"

static runnel_kernel_list dragon_kernels = {
#ifdef RUNNEL_DRAGON_KERNEL
    RUNNEL_LIST_ONLY(dragon, RUNNEL_DRAGON_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_dragon_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_dragon_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher dragon = {
    .name = RUNNEL_TEXT("dragon"),
    .family = RUNNEL_TEXT("dragon"),
    .title = RUNNEL_TEXT("Dragon"),
    .source = RUNNEL_TEXT("Dawson et al.: Dragon: a fast word based stream cipher, eSTREAM phase 3, 2006"),
    .remark = RUNNEL_TEXT("not chosen by eSTREAM, little studied; distinguisher from 2^155 words, beyond its limit"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .key_bytes = {16, 32, 16},
    .iv_bytes = {16, 32, 16},
    .iv_as_key = 1,
    .block_bytes = DRAGON_BLOCK,
    .blocks = UINT64_C(1) << 58, /* 2^64 bits */
    .context_bytes = sizeof(runnel_dragon),
    .state_offset = offsetof(runnel_dragon, state),
    .kernels = dragon_kernels,
};

runnel_cipher_list runnel_dragon_ciphers = {&dragon, NULL};

RUNNEL_DEFINE_STREAM_VERBS(dragon, runnel_dragon_ciphers)
