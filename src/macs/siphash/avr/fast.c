/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For 8-bit AVR: fast_rounds.S. */
#include "macs/siphash/kernels.h"

#if RUNNEL_AVR

const runnel_siphash_kernel runnel_siphash_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("all of the state but four bytes in registers; rotations by bytes rename registers"),
};

#endif
