/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations are calls. */
#include "ciphers/rabbit/kernels.h"

#if RUNNEL_AVR

#define ROTL32 RUNNEL_ROTL32_FUNCTION

#include "avr_c.h"

const runnel_kernel runnel_rabbit_avr_c_functions = {
    .name = RUNNEL_TEXT("avr-c-functions"),
    .citation = RUNNEL_TEXT("Yun, Na, Lee, Park 2008, 5.1, 5.2: rotations through the bytes of a word, one state"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = rabbit_set_key,
    .stream = {.iv = rabbit_set_iv, .xor_blocks = rabbit_xor_blocks},
};

#endif
