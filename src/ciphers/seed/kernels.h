/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of SEED, each in the file of its name, and what their key set-ups share. */
#ifndef RUNNEL_SEED_KERNELS_H
#define RUNNEL_SEED_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "arch/common/wipe.h"
#include "seed.h"

/* The ciphers in counter mode, by the length of their keys; ends with NULL. */
extern runnel_cipher_list runnel_seed_ctr_family;

#define KERNEL(on, name) extern const runnel_kernel runnel_seed_##name;
#define PAPER KERNEL
#include "kernels.inc"

/* Writes what goes through G to become the round keys, in their order (RFC 4269). The 32 words do not
 * depend on one another's G. */
static inline void runnel_seed_key_words(uint32_t words[32], const uint8_t *key)
{
    uint64_t left = runnel_load64be(key), right = runnel_load64be(key + 8);
    uint32_t constant = 0x9e3779b9;
    for (unsigned i = 0; i < 16; i++) {
        words[2 * i] = (uint32_t)(left >> 32) + (uint32_t)(right >> 32) - constant;
        words[2 * i + 1] = (uint32_t)left - (uint32_t)right + constant;
        constant = runnel_rotl32(constant, 1);
        if (i % 2 == 0)
            left = left >> 8 | left << 56;
        else
            right = right << 8 | right >> 56;
    }
}

/* Decryption is encryption with the round keys in reverse order, for every kernel. */
static inline void runnel_seed_reverse(void *state)
{
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    for (unsigned i = 0, j = 30; i < j; i += 2, j -= 2)
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t word = words[i + k];
            words[i + k] = words[j + k];
            words[j + k] = word;
        }
}

#endif
