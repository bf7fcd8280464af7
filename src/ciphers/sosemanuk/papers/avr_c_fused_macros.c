/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations stand where they are needed; key and IV are set together. */
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_AVR

#define ROTL32 RUNNEL_ROTL32_MACRO

#include "avr_c.h"
#include "avr_c_fused.h"

const runnel_kernel runnel_sosemanuk_avr_c_fused_macros = {
    .name = RUNNEL_TEXT("avr-c-fused-macros"),
    .citation = RUNNEL_TEXT(
        "Yun, Na, Lee, Park 2008, 5.1: rotations through the bytes of a word; 5.2: key and IV set together"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = sosemanuk_set_key,
    .stream = {.iv = sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks},
};

#endif
