/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of ChaCha20, each in the file of its name. All have the same state, the 16 words of the context, and so
 * the same key and IV set-up. */
#ifndef RUNNEL_CHACHA20_KERNELS_H
#define RUNNEL_CHACHA20_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "chacha20.h"

enum { CHACHA20_ROUNDS = 20, CHACHA20_BLOCK = 64 };

#define CHACHA20_QUARTER_ROUND(a, b, c, d)                                                                             \
    do {                                                                                                               \
        a += b;                                                                                                        \
        d = runnel_rotl32(d ^ a, 16);                                                                                  \
        c += d;                                                                                                        \
        b = runnel_rotl32(b ^ c, 12);                                                                                  \
        a += b;                                                                                                        \
        d = runnel_rotl32(d ^ a, 8);                                                                                   \
        c += d;                                                                                                        \
        b = runnel_rotl32(b ^ c, 7);                                                                                   \
    } while (0)

/* Half a round each, on sixteen words x0 to x15. */
#define CHACHA20_COLUMNS_01                                                                                            \
    CHACHA20_QUARTER_ROUND(x0, x4, x8, x12);                                                                           \
    CHACHA20_QUARTER_ROUND(x1, x5, x9, x13)
#define CHACHA20_COLUMNS_23                                                                                            \
    CHACHA20_QUARTER_ROUND(x2, x6, x10, x14);                                                                          \
    CHACHA20_QUARTER_ROUND(x3, x7, x11, x15)
#define CHACHA20_DIAGONALS_01                                                                                          \
    CHACHA20_QUARTER_ROUND(x0, x5, x10, x15);                                                                          \
    CHACHA20_QUARTER_ROUND(x1, x6, x11, x12)
#define CHACHA20_DIAGONALS_23                                                                                          \
    CHACHA20_QUARTER_ROUND(x2, x7, x8, x13);                                                                           \
    CHACHA20_QUARTER_ROUND(x3, x4, x9, x14)

void runnel_chacha20_set_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_chacha20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes);

/* Derives a key of 32 bytes from a key of 32 and a nonce of 16, for XChaCha20. */
void runnel_hchacha20(uint8_t *out, const uint8_t *key, const uint8_t *nonce);

#if RUNNEL_X86_64
/* Kernel avx2: block 0 of the keystream, and out = in XOR the eight blocks after it. */
void runnel_chacha20_avx2_begin(const uint32_t *w, uint8_t *first, uint8_t *out, const uint8_t *in);

/* Kernel avx512: one block, for out or leftover, on 128-bit registers; wider ones take longer on some processors. */
void runnel_chacha20_avx512_xor_row(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    uint8_t *leftover);
#endif

/* The portable kernel, for single blocks that other kernels do not take. */
void runnel_chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

#define KERNEL(on, name) extern const runnel_kernel runnel_chacha20_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
