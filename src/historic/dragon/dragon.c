/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon: the descriptor. */
#include "kernels.h"

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_DRAGON_KERNEL
    &RUNNEL_KERNEL(dragon, RUNNEL_DRAGON_KERNEL),
#else
#if RUNNEL_HOSTED /* elsewhere look-ups take the same time, but on a core with a data cache: name this one there */
    &runnel_dragon_portable,
#endif
    &runnel_dragon_table,
#endif
    NULL,
};

static const runnel_cipher dragon = {
    .name = RUNNEL_TEXT("dragon"),
    .family = RUNNEL_TEXT("dragon"),
    .title = RUNNEL_TEXT("Dragon"),
    .source = RUNNEL_TEXT("Dawson et al.: Dragon: a fast word based stream cipher, eSTREAM phase 3, 2006"),
    .remark = RUNNEL_TEXT("not chosen by eSTREAM, little studied; distinguisher from 2^155 words, beyond its limit"),
    .status = RUNNEL_LEGACY,
    .key_bytes = {16, 32, 16},
    .iv_bytes = {16, 32, 16},
    .iv_as_key = 1,
    .block_bytes = DRAGON_BLOCK,
    .blocks = UINT64_C(1) << 58, /* 2^64 bits */
    .context_bytes = sizeof(runnel_dragon),
    .state_offset = offsetof(runnel_dragon, state),
    .kernels = kernels,
};

const runnel_cipher *const runnel_dragon_ciphers[] = {&dragon, NULL};

RUNNEL_DEFINE_STREAM_VERBS(dragon, runnel_dragon_ciphers)
