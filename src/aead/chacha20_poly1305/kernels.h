/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fused kernels of ChaCha20-Poly1305, which authenticate in the loop in which they encrypt, on units of the processor that
 * the cipher leaves idle. Without one, or for what is left of a text, both kernels run one after the other. */
#ifndef RUNNEL_CHACHA20_POLY1305_KERNELS_H
#define RUNNEL_CHACHA20_POLY1305_KERNELS_H

#include "core/describe.h"

#include "chacha20_poly1305.h"

typedef struct runnel_chacha20_poly1305_fused {
    RUNNEL_KERNEL_HEAD
    const runnel_kernel *cipher; /* of ChaCha20: the fused one runs where this was chosen, and needs what it needs */
    size_t blocks;               /* it takes multiples of this many blocks of the cipher, or the end of a text */
    size_t least;                /* bytes: and no shorter text */
    /* Encrypts or decrypts a text from block number `counter` of the keystream on, and adds the ciphertext to the MAC, its
     * last block filled up with zeros. words: the cipher's state. out == in or no overlap. begun: 1 where begin has
     * encrypted the first `blocks`. Returns how many bytes it took: all of them, or whole blocks. */
    size_t (*crypt)(uint32_t *words, uint32_t counter, runnel_poly1305 *mac, uint8_t *out, const uint8_t *in,
                    size_t bytes, int begun, int decrypt);
    /* The first block of the keystream to `first`, and out = in XOR the `blocks` blocks after it. */
    void (*begin)(const uint32_t *words, uint8_t *first, uint8_t *out, const uint8_t *in);
} runnel_chacha20_poly1305_fused;

#define KERNEL(on, name) extern const runnel_chacha20_poly1305_fused runnel_chacha20_poly1305_##name;
#include "kernels.inc"

#endif
