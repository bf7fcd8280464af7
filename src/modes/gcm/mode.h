/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What GCM asks of a kernel that has code of its own for it: the cipher and GHASH at once. */
#ifndef RUNNEL_AEAD_GCM_H
#define RUNNEL_AEAD_GCM_H

#include "core/aead.h"
#include "macs/ghash/kernels.h"

#if RUNNEL_HOSTED
/* state and prefix are as for ctr32; a context uses these functions or ctr32, never both. hash is keyed by the best
 * kernel of GHASH, whose form these functions know. The counter's last word wraps without a carry. */
typedef struct runnel_gcm_functions {
    uint32_t cpu; /* RUNNEL_CPU_* bits, needed besides the kernel's */
    /* nblocks >= 1 whole blocks, the first with this counter block; their ciphertext goes into the sum. */
    void (*blocks)(const void *state, void *prefix, runnel_ghash_state *hash, const uint8_t *block, uint8_t *out,
                   const uint8_t *in, size_t nblocks, int decrypt);
    /* A message with a nonce of 12 bytes, all of it: associated data, text and lengths. The sum is zero before and
     * after. */
    void (*message)(const void *state, void *prefix, runnel_ghash_state *hash, const runnel_aead_message *m,
                    uint8_t *tag);
} runnel_gcm_functions;
#endif

#endif
