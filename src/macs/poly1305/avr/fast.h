/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arithmetic modulo 2^130 - 5 for 8-bit AVR: fast_blocks.S. */
#ifndef POLY1305_ARITHMETIC_H
#define POLY1305_ARITHMETIC_H

#include "macs/poly1305/kernels.h"
#include "macs/poly1305/avr/places.h"

static inline void poly1305_set_factor(runnel_poly1305 *c, const uint8_t *r)
{
    runnel_poly1305_avr_set_factor(c, r);
}

/* h = (h + block + top * 2^128) * r for each block, not fully reduced: h[16] stays below 8. */
static inline void poly1305_multiply(runnel_poly1305 *c, const uint8_t *data, size_t nblocks, uint8_t top)
{
    if (nblocks > 0)
        runnel_poly1305_avr_absorb(c, data, nblocks, top);
}

/* tag = (h mod 2^130 - 5) + s mod 2^128 */
static inline void poly1305_reduce_and_add(const runnel_poly1305 *c, uint8_t *tag)
{
    runnel_poly1305_avr_finish(c, tag);
}

#endif
