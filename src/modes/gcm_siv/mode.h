/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What GCM-SIV asks of a kernel that has code of its own for it. */
#ifndef RUNNEL_AEAD_GCM_SIV_H
#define RUNNEL_AEAD_GCM_SIV_H

#include "core/aead.h"
#include "macs/ghash/kernels.h"

#if RUNNEL_HOSTED
/* The kernel keeps POLYVAL's key in hash as it likes, whose sum is not used; behind the powers there are zeros. */
typedef struct runnel_gcm_siv_functions {
    uint32_t cpu; /* RUNNEL_CPU_* bits, needed besides the kernel's */
    /* A message's keys, made of its nonce of 12 bytes under the schedule `master` of a key of the same length: the cipher's
     * into state, POLYVAL's into hash. */
    void (*begin)(const void *master, void *state, runnel_ghash_state *hash, const runnel_aead_message *m,
                  size_t key_bytes);
    /* After that: the tag of a message, whose plaintext is text. */
    void (*tag)(const void *state, runnel_ghash_state *hash, const runnel_aead_message *m, const uint8_t *text,
                uint8_t *tag);
} runnel_gcm_siv_functions;
#endif

#endif
