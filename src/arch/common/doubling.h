/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The doubling of CMAC (SP 800-38B 6.1) and S2V (RFC 5297 2.3). */
#ifndef RUNNEL_ARCH_COMMON_DOUBLING_H
#define RUNNEL_ARCH_COMMON_DOUBLING_H

#include <stdint.h>

#include <runnel/config.h>

#include "barrier.h"
#include "bytes.h"

/* Multiplies a block by x in GF(2^128), its first byte being the highest. */
static inline void runnel_double_block(uint8_t *p)
{
#if RUNNEL_HOSTED /* stored by halves, as kernels load it */
    const uint64_t high = runnel_load64be(p), low = runnel_load64be(p + 8);
    const uint64_t reduce = runnel_value_barrier64(0 - (high >> 63)) & 0x87;
    runnel_store64be_at_once(p, high << 1 | low >> 63);
    runnel_store64be_at_once(p + 8, low << 1 ^ reduce);
#else
    const uint8_t reduce = (uint8_t)(runnel_value_barrier8((uint8_t)(0 - (p[0] >> 7))) & 0x87);
    for (uint8_t i = 0; i < 15; i++)
        p[i] = (uint8_t)(p[i] << 1 | p[i + 1] >> 7);
    p[15] = (uint8_t)(p[15] << 1 ^ reduce);
#endif
}

#endif
