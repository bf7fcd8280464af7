/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The doubling of CMAC (SP 800-38B 6.1) and S2V (RFC 5297 2.3). */
#ifndef RUNNEL_ARCH_COMMON_DOUBLING_H
#define RUNNEL_ARCH_COMMON_DOUBLING_H

#include <stdint.h>

#include "barrier.h"

/* Multiplies a block by x in GF(2^128), its first byte being the highest. */
static inline void runnel_double_block(uint8_t *p)
{
    const uint8_t reduce = (uint8_t)(runnel_value_barrier8((uint8_t)(0 - (p[0] >> 7))) & 0x87);
    for (uint8_t i = 0; i < 15; i++)
        p[i] = (uint8_t)(p[i] << 1 | p[i + 1] >> 7);
    p[15] = (uint8_t)(p[15] << 1 ^ reduce);
}

#endif
