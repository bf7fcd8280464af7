/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2: the descriptor. */
#include "kernels.h"

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_NLS_KERNEL
    &RUNNEL_KERNEL(nls, RUNNEL_NLS_KERNEL),
#else
#if RUNNEL_HOSTED /* elsewhere look-ups take the same time, but on a core with a data cache: name this one there */
    &runnel_nls_portable,
#endif
    &runnel_nls_table,
#endif
    NULL,
};

static const runnel_cipher nls = {
    .name = RUNNEL_TEXT("nls"),
    .family = RUNNEL_TEXT("nls"),
    .title = RUNNEL_TEXT("NLSv2"),
    .source = RUNNEL_TEXT("Hawkes et al.: Specification for NLSv2, eSTREAM phase 3, 2006, without the MAC"),
    .remark = RUNNEL_TEXT("not chosen by eSTREAM, little studied; distinguisher from 2^74 words (Cho, Pieprzyk)"),
    .status = RUNNEL_LEGACY,
    .key_bytes = {1, 16, 1},
    .iv_bytes = {0, 16, 1},
    .block_bytes = NLS_BLOCK,
    .blocks = UINT64_C(1) << 48,
    .context_bytes = sizeof(runnel_nls),
    .state_offset = offsetof(runnel_nls, state),
    .kernels = kernels,
};

const runnel_cipher *const runnel_nls_ciphers[] = {&nls, NULL};

RUNNEL_DEFINE_STREAM_VERBS(nls, runnel_nls_ciphers)
