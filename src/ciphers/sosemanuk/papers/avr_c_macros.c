/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations stand where they are needed. */
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_AVR

#define ROTL32 RUNNEL_ROTL32_MACRO

#include "avr_c.h"

const runnel_kernel runnel_sosemanuk_avr_c_macros = {
    .name = RUNNEL_TEXT("avr-c-macros"),
    .citation = RUNNEL_TEXT("Berbain and others 2005; rotations through the bytes of a word, one set-up"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks},
};

#endif
