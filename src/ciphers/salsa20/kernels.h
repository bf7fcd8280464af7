/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Salsa20, each in the file of its name. All have the same state and so the same key and IV set-up. They
 * read the number of rounds from the state, where the descriptor's variant is. */
#ifndef RUNNEL_SALSA20_KERNELS_H
#define RUNNEL_SALSA20_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
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

/* Half a round each, on sixteen words x0 to x15. */
#define SALSA20_COLUMNS_01                                                                                             \
    SALSA20_QUARTER_ROUND(x0, x4, x8, x12);                                                                            \
    SALSA20_QUARTER_ROUND(x5, x9, x13, x1)
#define SALSA20_COLUMNS_23                                                                                             \
    SALSA20_QUARTER_ROUND(x10, x14, x2, x6);                                                                           \
    SALSA20_QUARTER_ROUND(x15, x3, x7, x11)
#define SALSA20_ROWS_01                                                                                                \
    SALSA20_QUARTER_ROUND(x0, x1, x2, x3);                                                                             \
    SALSA20_QUARTER_ROUND(x5, x6, x7, x4)
#define SALSA20_ROWS_23                                                                                                \
    SALSA20_QUARTER_ROUND(x10, x11, x8, x9);                                                                           \
    SALSA20_QUARTER_ROUND(x15, x12, x13, x14)

void runnel_salsa20_set_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_salsa20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes);

#if RUNNEL_X86_64
/* Kernel avx512: one block, for out or leftover, on 128-bit registers; wider ones take longer on some processors. */
void runnel_salsa20_avx512_xor_row(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                   size_t nblocks, uint8_t *leftover);
#endif

/* The portable kernel, for single blocks that other kernels do not take. */
void runnel_salsa20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

#define KERNEL(on, name) extern const runnel_kernel runnel_salsa20_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
