/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* XAES-256-GCM (C2SP): AES-256-GCM under a key that is derived of the first half of a nonce of 24 bytes, so that nonces may
 * be drawn at random for as many messages as anybody sends. Keys of 32 bytes, tags of 16. A message has up to 2^36 - 32
 * bytes. The derived key stays in the context for further nonces with the same first half. Firmware names its AES kernel
 * as <runnel/aes.h> says.
 *
 * The rules for all functions (nonces, overlap, errors, unverified output) are in <runnel/aead.h>, the verbs in
 * <runnel/verbs.h>. */
#ifndef RUNNEL_XAES_256_GCM_H
#define RUNNEL_XAES_256_GCM_H

#include <runnel/verbs.h>

#include "aes.h" /* lies beside this file where it is installed, and in a folder of its own in the source tree */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_xaes_256_gcm {
    RUNNEL_GCM_CONTEXT(runnel_aes_ctr) /* under the derived key */
#if RUNNEL_HOSTED
    runnel_aes_schedule master; /* of the key itself */
#else
    uint8_t key[32];
#endif
    uint8_t subkey[16]; /* CMAC's first */
    uint8_t half[12];   /* of the nonce, to which the derived key belongs */
    uint8_t derived;    /* 1: there is one */
} runnel_xaes_256_gcm;

/* runnel_xaes_256_gcm_key, runnel_xaes_256_gcm_key_kernel, runnel_xaes_256_gcm_seal, runnel_xaes_256_gcm_open,
 * runnel_xaes_256_gcm_seal_batch, runnel_xaes_256_gcm_open_batch, runnel_xaes_256_gcm_kernel,
 * runnel_xaes_256_gcm_wipe, runnel_xaes_256_gcm_start, runnel_xaes_256_gcm_lengths, runnel_xaes_256_gcm_aad,
 * runnel_xaes_256_gcm_encrypt, runnel_xaes_256_gcm_decrypt, runnel_xaes_256_gcm_tag, runnel_xaes_256_gcm_verify. */
#define RUNNEL_FAMILY(verb) runnel_xaes_256_gcm##verb
#include <runnel/verbs/aead.h>
#include <runnel/verbs/aead_pieces.h>
#undef RUNNEL_FAMILY

#ifdef __cplusplus
}
#endif
#endif
