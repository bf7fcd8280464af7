/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK: the descriptor, and key and IV set-up. */
#include "core/define.h"
#include "setup.h"

#if !RUNNEL_SOSEMANUK_FUSED

void runnel_sosemanuk_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    sosemanuk_expand_key(((runnel_sosemanuk_state *)state)->subkeys, key, key_bytes);
}

void runnel_sosemanuk_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    sosemanuk_mix_iv(s, iv, iv_bytes, s->subkeys, NULL);
}

#endif

static runnel_kernel_list sosemanuk_kernels = {
#ifdef RUNNEL_SOSEMANUK_KERNEL
    RUNNEL_LIST_ONLY(sosemanuk, RUNNEL_SOSEMANUK_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_sosemanuk_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_sosemanuk_##name)
#include "kernels.inc"
#endif
        NULL,
};

#ifndef RUNNEL_SOSEMANUK_KERNEL
#define KERNEL(on, name) RUNNEL_FITS(on, RUNNEL_SOSEMANUK_RING_##name <= RUNNEL_SOSEMANUK_RING)
#define PAPER KERNEL
#include "kernels.inc"
#endif

static const runnel_cipher sosemanuk = {
    .name = RUNNEL_TEXT("sosemanuk"),
    .family = RUNNEL_TEXT("sosemanuk"),
    .title = RUNNEL_TEXT("SOSEMANUK"),
    .source = RUNNEL_TEXT("SOSEMANUK specification (Berbain and others 2005); eSTREAM portfolio"),
    .remark = RUNNEL_TEXT("unbroken but little used; 128-bit security at most, and less with keys under 16 bytes"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {1, 32, 1},
    .iv_bytes = {0, 16, 1},
    .block_bytes = SOSEMANUK_BLOCK,
    RUNNEL_AHEAD(RUNNEL_AHEAD_BYTES).context_bytes = sizeof(runnel_sosemanuk),
    .state_offset = offsetof(runnel_sosemanuk, state),
    .kernels = sosemanuk_kernels,
};

runnel_cipher_list runnel_sosemanuk_ciphers = {&sosemanuk, NULL};

RUNNEL_DEFINE_STREAM_VERBS(sosemanuk, runnel_sosemanuk_ciphers)
