/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of GHASH, each in the file of its name. All have the sum in the same form, so that GCM's own code can go
 * on where one has stopped. */
#ifndef RUNNEL_GHASH_KERNELS_H
#define RUNNEL_GHASH_KERNELS_H

#include "core/describe.h"

#include "ghash.h"

typedef struct runnel_ghash_kernel {
    RUNNEL_KERNEL_HEAD
    void (*key)(runnel_ghash_state *s, const uint8_t *key);
    void (*absorb)(runnel_ghash_state *s, const uint8_t *data, size_t nblocks); /* nblocks >= 1 */
} runnel_ghash_kernel;

/* Sets a key of 16 bytes, for the best kernel of this CPU, and a sum of zero. */
void runnel_ghash_set_key(runnel_ghash_state *s, const uint8_t *key);
/* Hosts: all but kernel and key, for code that sets powers itself: no power, zeros behind them, and a sum of zero. Where there
 * are no powers it clears the sum. */
void runnel_ghash_clear(runnel_ghash_state *s);
/* Adds nblocks >= 1 blocks. */
void runnel_ghash_absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks);
/* Writes the sum, 16 bytes, and makes it zero again. */
void runnel_ghash_take_sum(runnel_ghash_state *s, uint8_t *sum);

#define KERNEL(on, name) extern const runnel_ghash_kernel runnel_ghash_##name;
#include "kernels.inc"

#endif
