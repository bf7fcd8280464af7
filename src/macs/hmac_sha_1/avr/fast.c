/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast_blocks.S. */
#include "macs/hmac_sha_1/kernels.h"

#if RUNNEL_AVR

const runnel_hmac_sha_1_kernel runnel_hmac_sha_1_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("the state in registers, a loop for each kind of round"),
};

#endif
