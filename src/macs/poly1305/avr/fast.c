/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast_blocks.S. */
#include "macs/poly1305/kernels.h"

#if RUNNEL_AVR_MUL

const runnel_poly1305_kernel runnel_poly1305_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("columns of bytes; 5/4 of the factor's upper half stands for what lies above 2^128"),
};

#endif
