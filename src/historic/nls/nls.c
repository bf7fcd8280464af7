/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2: the descriptor. */
#include "core/define.h"
#include "kernels.h"

static runnel_kernel_list nls_kernels = {
#ifdef RUNNEL_NLS_KERNEL
    RUNNEL_LIST_ONLY(nls, RUNNEL_NLS_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_nls_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_nls_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher nls = {
    .name = RUNNEL_TEXT("nls"),
    .family = RUNNEL_TEXT("nls"),
    .title = RUNNEL_TEXT("NLSv2"),
    .source = RUNNEL_TEXT("Hawkes et al.: Specification for NLSv2, eSTREAM phase 3, 2006, without the MAC"),
    .remark = RUNNEL_TEXT("not chosen by eSTREAM, little studied; distinguisher from 2^74 words (Cho, Pieprzyk)"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .key_bytes = {1, 16, 1},
    .iv_bytes = {0, 16, 1},
    .block_bytes = NLS_BLOCK,
    .blocks = UINT64_C(1) << 48,
    .context_bytes = sizeof(runnel_nls),
    .state_offset = offsetof(runnel_nls, state),
    .kernels = nls_kernels,
};

runnel_cipher_list runnel_nls_ciphers = {&nls, NULL};

RUNNEL_DEFINE_STREAM_VERBS(nls, runnel_nls_ciphers)
