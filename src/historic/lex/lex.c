/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX: the descriptor. */
#include "core/define.h"
#include "kernels.h"

static runnel_kernel_list lex_kernels = {
#ifdef RUNNEL_LEX_KERNEL
    RUNNEL_LIST_ONLY(lex, RUNNEL_LEX_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_lex_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_lex_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher lex = {
    .name = RUNNEL_TEXT("lex"),
    .family = RUNNEL_TEXT("lex"),
    .title = RUNNEL_TEXT("LEX v2"),
    .source = RUNNEL_TEXT("Biryukov: The design of a stream cipher LEX, eSTREAM phase 3, 2008"),
    .remark = RUNNEL_TEXT("key recovery in 2^112 from 2^36 bytes under one key (Dunkelman, Keller 2008)"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_BROKEN,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {16, 16, 1},
    .block_bytes = LEX_BLOCK,
    .context_bytes = sizeof(runnel_lex),
    .state_offset = offsetof(runnel_lex, state),
    .kernels = lex_kernels,
};

runnel_cipher_list runnel_lex_ciphers = {&lex, NULL};

RUNNEL_DEFINE_STREAM_VERBS(lex, runnel_lex_ciphers)
