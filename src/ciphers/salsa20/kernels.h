/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Salsa20, each in the file of its name. All have the same state and so the same key and IV set-up. They
 * read the number of rounds from the state, where the descriptor's variant is. */
#ifndef RUNNEL_SALSA20_KERNELS_H
#define RUNNEL_SALSA20_KERNELS_H

#include "arch/common/bytes.h"
#include "core/kernel.h"
#include "places.h"
#include "salsa20.h"

enum { SALSA20_BLOCK = 64 };

#define SALSA20_QUARTER_ROUND(a, b, c, d)                                                                              \
    do {                                                                                                               \
        b ^= runnel_rotl32(a + d, 7);                                                                                  \
        c ^= runnel_rotl32(b + a, 9);                                                                                  \
        d ^= runnel_rotl32(c + b, 13);                                                                                 \
        a ^= runnel_rotl32(d + c, 18);                                                                                 \
    } while (0)

void runnel_salsa20_set_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_salsa20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes);

/* The portable kernel, for single blocks that other kernels do not take. */
void runnel_salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

#define KERNEL(on, name) extern const runnel_kernel runnel_salsa20_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
