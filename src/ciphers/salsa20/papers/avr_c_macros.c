/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations stand where they are needed. */
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_AVR

#define ROTL32 RUNNEL_ROTL32_MACRO

#include "avr_c.h"

const runnel_kernel runnel_salsa20_avr_c_macros = {
    .name = RUNNEL_TEXT("avr-c-macros"),
    .citation = RUNNEL_TEXT("reference code of 2005; rotations through the bytes of a word"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = salsa20_xor_blocks},
};

#endif
