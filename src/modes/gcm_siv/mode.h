/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM-SIV (RFC 8452): what it decides of a cipher's descriptor, and what it asks of a kernel that has code of its own for
 * it. */
#ifndef RUNNEL_MODES_GCM_SIV_H
#define RUNNEL_MODES_GCM_SIV_H

#include <runnel/detail/modes.h>

#include "core/aead.h"
#include "macs/ghash/kernels.h"

extern const runnel_aead_mode runnel_gcm_siv_mode;

/* Members of a block cipher's descriptor that the mode decides. */
#define RUNNEL_GCM_SIV_MODE(folder, bits)                                                                              \
    .family = RUNNEL_TEXT(#folder "_gcm_siv"), .mode = &runnel_gcm_siv_mode, .tag_default = 16, .key_bytes = bits / 8, \
    .context_bytes = sizeof(runnel_##folder##_gcm_siv), .mode_offset = offsetof(runnel_##folder##_gcm_siv, part),      \
    .cipher_offset = offsetof(runnel_##folder##_gcm_siv, cipher), .ciphers = runnel_##folder##_ctr_family,             \
    .nonce_random = 1, .nonce_default = 12, .nonce_min = 12, .nonce_max = 12, .tag_set = RUNNEL_TAG(16),               \
    .plaintext_max = RUNNEL_TEXT_MOST((uint64_t)1 << 36, 16, 0), .aad_max = (uint64_t)1 << 36,                         \
    .messages = (uint64_t)1 << 32,                                                                                     \
    .nonce_reuse = RUNNEL_TEXT("shows whether both messages and their associated data are the same, and no more"),     \
    .remark = RUNNEL_TEXT("for devices without a good source of random numbers; reads a message twice")

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
