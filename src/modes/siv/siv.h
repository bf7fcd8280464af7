/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-SIV (RFC 5297): two AES keys of 16, 24 or 32 bytes in one, the tag of 16 bytes comes before the ciphertext. The
 * nonce, of any length, is the last string that is authenticated; one of 0 bytes is no string at all, and equal messages
 * with equal associated data then have equal ciphertexts. Associated data are always a string, empty or not. A message
 * comes whole, because it is read twice. Firmware names its AES kernel and its longest key as <runnel/aes.h> says.
 *
 * The rules for all functions (nonces, overlap, errors) are in <runnel/aead.h>. */
#ifndef RUNNEL_SIV_H
#define RUNNEL_SIV_H

#include <runnel/aead.h>

#include "aes_cmac.h" /* lies beside this file where it is installed, and in a folder of its own in the source tree */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_aes_siv {
    runnel_aead_context head;
    RUNNEL_ALIGNED runnel_aes_cmac mac;
    uint8_t zero[16]; /* the CMAC of 16 zeros, with which every message begins */
#if RUNNEL_HOSTED
    uint8_t no_aad[16]; /* the sum after associated data that are empty */
#endif
    RUNNEL_ALIGNED runnel_aes_ctr cipher;
} runnel_aes_siv;

/* Key set-up: the first half of the key is the MAC's, the second the cipher's. Constant-time in the key if the kernel is.
 * Errors: NULL, KEY_LENGTH (32, 48 and 64 bytes). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_siv_key(runnel_aes_siv *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above) for the encryption. Timing class: the kernel's. Errors also:
 * KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_siv_key_kernel(runnel_aes_siv *c, const uint8_t *key, size_t key_bytes,
                                                           const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_siv_seal(runnel_aes_siv *c, const uint8_t *nonce, size_t nonce_bytes,
                                                     const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                     const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_siv_open(runnel_aes_siv *c, const uint8_t *nonce, size_t nonce_bytes,
                                                     const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                     const uint8_t *in, size_t bytes, const uint8_t *tag,
                                                     size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_siv_seal_batch(runnel_aes_siv *c, runnel_aead_packet *packets,
                                                           size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_siv_open_batch(runnel_aes_siv *c, runnel_aead_packet *packets,
                                                           size_t count);
#endif
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_aes_siv_kernel(const runnel_aes_siv *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aes_siv_wipe(runnel_aes_siv *c);

#ifdef __cplusplus
}
#endif
#endif
