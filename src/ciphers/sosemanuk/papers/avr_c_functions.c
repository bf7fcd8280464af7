/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations are calls. */
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_AVR

#define ROTL32 RUNNEL_ROTL32_FUNCTION

#include "avr_c.h"

const runnel_kernel runnel_sosemanuk_avr_c_functions = {
    .name = RUNNEL_TEXT("avr-c-functions"),
    .citation = RUNNEL_TEXT("Berbain and others 2005; rotations through the bytes of a word, one set-up"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks},
};

#endif
