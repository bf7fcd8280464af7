/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast_blocks.S. */
#include "macs/hmac_sha_256/kernels.h"

#if RUNNEL_AVR

const runnel_sha_256_kernel runnel_hmac_sha_256_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("the state stays where it is in memory for four rounds; rotations share their steps"),
};

#endif
