/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH for 8-bit AVR, in the place of product.h: the blocks in assembly (absorb.S), with the key times x. */
#ifndef GHASH_AVR_ABSORB_H
#define GHASH_AVR_ABSORB_H

#include "arch/common/barrier.h"
#include "arch/common/offsets.h"
#include "macs/ghash/kernels.h"

void runnel_ghash_avr_absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks);

/* As absorb.S has them. */
RUNNEL_CHECK_OFFSET(runnel_ghash_state, h, 0);
RUNNEL_CHECK_OFFSET(runnel_ghash_state, y, 16);

static void ghash_set_subkey(runnel_ghash_state *s, const uint8_t *key)
{
    uint8_t *const h = (uint8_t *)s->h;
    const uint8_t out = runnel_value_barrier8((uint8_t)-(key[0] >> 7));
    uint8_t carry = 0;
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t byte = key[15 - i];
        h[i] = (uint8_t)(byte << 1 | carry);
        carry = byte >> 7;
    }
    h[0] ^= out & 0x01;
    h[15] ^= out & 0xc2;
}

static inline void ghash_absorb_blocks(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    runnel_ghash_avr_absorb(s, data, nblocks);
}

#endif
