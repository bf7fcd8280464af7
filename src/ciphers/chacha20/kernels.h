/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of ChaCha20, each in the file of its name. All have the same state, the 16 words of the context, and so
 * the same key and IV set-up. */
#ifndef RUNNEL_CHACHA20_KERNELS_H
#define RUNNEL_CHACHA20_KERNELS_H

#include "arch/common/bytes.h"
#include "core/kernel.h"
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

void runnel_chacha20_set_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_chacha20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes);

/* Derives a key of 32 bytes from a key of 32 and a nonce of 16, for XChaCha20. */
void runnel_hchacha20(uint8_t *out, const uint8_t *key, const uint8_t *nonce);

/* The portable kernel, for single blocks that other kernels do not take. */
void runnel_chacha20_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks);

#define KERNEL(on, name) extern const runnel_kernel runnel_chacha20_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
