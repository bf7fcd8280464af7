/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM (SP 800-38D): what it decides of a cipher's descriptor, and what it asks of a kernel that has code of its own for
 * it, the cipher and GHASH at once. */
#ifndef RUNNEL_MODES_GCM_H
#define RUNNEL_MODES_GCM_H

#include "core/aead.h"
#include "macs/ghash/kernels.h"
#include "modes/block_cipher_aead.h"

extern const runnel_aead_mode runnel_gcm_mode;

/* Functions of that mode, as runnel_aead_mode says, for modes over GCM. */
void runnel_gcm_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes);
void runnel_gcm_aad(runnel_aead_context *c, const uint8_t *data, size_t bytes);
void runnel_gcm_text(runnel_aead_context *c);
void runnel_gcm_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt);
void runnel_gcm_tag(runnel_aead_context *c, uint8_t *longest);
#if RUNNEL_HOSTED
void runnel_gcm_keystream(runnel_aead_context *c, uint8_t *out, size_t bytes);
void runnel_gcm_absorb_ahead(runnel_aead_context *c, const uint8_t *ciphertext, size_t bytes);
void runnel_gcm_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *longest);
/* All of key set-up but the cipher's and GHASH's own: chooses the kernel, and its code for GCM. Errors as
 * runnel_aead_mode.key. */
int runnel_gcm_begin(const runnel_aead *aead, runnel_aead_context *c, const char *kernel);
#define RUNNEL_GCM_MADE_AHEAD , .keystream = runnel_gcm_keystream, .absorb = runnel_gcm_absorb_ahead, .small = 320
#else
#define RUNNEL_GCM_MADE_AHEAD
#endif
#define RUNNEL_GCM_PIECES                                                                                              \
    .aad = runnel_gcm_aad, .text = runnel_gcm_text, .crypt = runnel_gcm_crypt,                                         \
    .tag = runnel_gcm_tag RUNNEL_GCM_MADE_AHEAD

/* Members of a block cipher's descriptor that the mode decides. */
#define RUNNEL_GCM_TAGS (RUNNEL_TAG(4) | RUNNEL_TAG(8) | (uint32_t)0x1f << 12)
#define RUNNEL_GCM_MODE(folder, bits)                                                                                  \
    RUNNEL_AEAD_OVER(folder, gcm, bits),                                                                               \
        RUNNEL_AHEAD_AT(offsetof(runnel_##folder##_gcm, part) + offsetof(runnel_gcm, ahead))                           \
            .nonce_random = 1,                                                                                         \
     .nonce_default = 12, .nonce_min = 1, .nonce_max = UINT16_MAX, .tag_set = RUNNEL_GCM_TAGS,                         \
     .plaintext_max = ((uint64_t)1 << 36) - 32, .aad_max = ((uint64_t)1 << 61) - 1, .messages = (uint64_t)1 << 32,     \
     .nonce_reuse = RUNNEL_TEXT("shows the XOR of both messages and lets anyone forge any message under the key"),     \
     .remark = RUNNEL_TEXT("nonces of 12 bytes and tags of 16; tags of 4 and 8 bytes only where a protocol counts "    \
                           "failures and bounds lengths (SP 800-38D, appendix C)")

#if RUNNEL_HOSTED
/* state and prefix are as for ctr32; a context uses these functions or ctr32, never both. hash is keyed by the best
 * kernel of GHASH, whose form these functions know. The counter's last word wraps without a carry. */
typedef struct runnel_gcm_functions {
    uint32_t cpu;                                 /* RUNNEL_CPU_* bits, needed besides the kernel's */
    const struct runnel_gcm_functions *otherwise; /* where these cannot run; NULL: the mode's own code */
    /* nblocks >= 1 whole blocks, the first with this counter block; their ciphertext goes into the sum. */
    void (*blocks)(const void *state, void *prefix, runnel_ghash_state *hash, const uint8_t *block, uint8_t *out,
                   const uint8_t *in, size_t nblocks, int decrypt);
    /* A message with a nonce of 12 bytes, all of it: associated data, text and lengths. The sum is zero before and
     * after. */
    void (*message)(const void *state, void *prefix, runnel_ghash_state *hash, const runnel_aead_message *m,
                    uint8_t *tag);
    /* The same of several such messages, all sealed or all opened. May be NULL: one after another. */
    void (*batch)(const void *state, void *prefix, runnel_ghash_state *hash, const runnel_aead_message *m,
                  uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG], size_t count);
} runnel_gcm_functions;
#endif

#endif
