/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations stand where they are needed; the subkeys are made at key set-up. */
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_AVR && !RUNNEL_SOSEMANUK_FUSED

#define ROTL32 RUNNEL_ROTL32_MACRO

#include "avr_c.h"
#include "avr_c_separate.h"

const runnel_kernel runnel_sosemanuk_avr_c_macros = {
    .name = RUNNEL_TEXT("avr-c-macros"),
    .citation = RUNNEL_TEXT("Yun, Na, Lee, Park 2008, 5.1: rotations through the bytes of a word"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = sosemanuk_set_key,
    .stream = {.iv = sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks},
};

#endif
