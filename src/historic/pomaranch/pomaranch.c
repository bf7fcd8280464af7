/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pomaranch, version 1: the descriptor. */
#include "core/define.h"
#include "kernels.h"

static runnel_kernel_list pomaranch_kernels = {
#ifdef RUNNEL_POMARANCH_KERNEL
    RUNNEL_LIST_ONLY(pomaranch, RUNNEL_POMARANCH_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_pomaranch_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_pomaranch_##name)
#include "kernels.inc"
#endif
        NULL,
};

#ifndef RUNNEL_POMARANCH_KERNEL
#define KERNEL(on, name) RUNNEL_FITS(on, RUNNEL_POMARANCH_WORDS_##name <= RUNNEL_POMARANCH_WORDS)
#define PAPER KERNEL
#include "kernels.inc"
#endif

static const runnel_cipher pomaranch_v1 = {
    .name = RUNNEL_TEXT("pomaranch-v1"),
    .family = RUNNEL_TEXT("pomaranch_v1"),
    .title = RUNNEL_TEXT("Pomaranch, version 1"),
    .source = RUNNEL_TEXT("Jansen, Helleseth, Kholosha: eSTREAM, version 1"),
    .remark = RUNNEL_TEXT("key recovery faster than by trying all (Cid, Gilbert, Johansson 2006); not version 2 or 3"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_BROKEN,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {1, 14, 1},
    .block_bytes = POMARANCH_BLOCK,
    .context_bytes = sizeof(runnel_pomaranch_v1),
    .state_offset = offsetof(runnel_pomaranch_v1, state),
    .kernels = pomaranch_kernels,
};

runnel_cipher_list runnel_pomaranch_ciphers = {&pomaranch_v1, NULL};

RUNNEL_DEFINE_STREAM_VERBS(pomaranch_v1, runnel_pomaranch_ciphers)
