/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), keys of 32 bytes, tags of 16:
 *  - runnel_chacha20_poly1305, nonces of 12 bytes: counted, or drawn at random for up to 2^32 messages.
 *  - runnel_xchacha20_poly1305, nonces of 24 bytes, which may always be drawn at random.
 * A message has up to 2^38 - 64 bytes. Neither commits to its key.
 *
 * The rules for all functions (nonces, overlap, errors, unverified output) are in <runnel/aead.h>. */
#ifndef RUNNEL_CHACHA20_POLY1305_H
#define RUNNEL_CHACHA20_POLY1305_H

#include <runnel/aead.h>

#include "chacha20.h" /* these lie beside this file where it is installed, and in folders of their own in the source tree */
#include "poly1305.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_chacha20_poly1305 {
    runnel_aead_context head;
    runnel_poly1305 mac; /* its key is the start of the message's keystream */
#if RUNNEL_HOSTED
    runnel_keystream ahead; /* for small pieces */
#endif
    runnel_chacha20 cipher;
} runnel_chacha20_poly1305;

typedef struct runnel_xchacha20_poly1305 {
    runnel_chacha20_poly1305 inner; /* under the key that the message's nonce gives */
    uint8_t key[32];
} runnel_xchacha20_poly1305;

/* Key set-up: the CPU picks the kernel. Constant-time in the key. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_key(runnel_chacha20_poly1305 *c, const uint8_t *key,
                                                              size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_key_kernel(runnel_chacha20_poly1305 *c, const uint8_t *key,
                                                                     size_t key_bytes, const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_seal(runnel_chacha20_poly1305 *c, const uint8_t *nonce,
                                                               size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                                                               uint8_t *out, const uint8_t *in, size_t bytes,
                                                               uint8_t *tag, size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_open(runnel_chacha20_poly1305 *c, const uint8_t *nonce,
                                                               size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                                                               uint8_t *out, const uint8_t *in, size_t bytes,
                                                               const uint8_t *tag, size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_seal_batch(runnel_chacha20_poly1305 *c,
                                                                     runnel_aead_packet *packets, size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_open_batch(runnel_chacha20_poly1305 *c,
                                                                     runnel_aead_packet *packets, size_t count);
#endif
/* Starts a message in pieces: lengths, aad, then encrypt and tag, or decrypt and verify; see runnel_aead_start.
 * Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_start(runnel_chacha20_poly1305 *c, const uint8_t *nonce,
                                                                size_t nonce_bytes, size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes; optional. The pieces must then add up to them.
 * Errors: NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_lengths(runnel_chacha20_poly1305 *c, uint64_t aad_bytes,
                                                                  uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE (no start, or the text has begun), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_aad(runnel_chacha20_poly1305 *c, const uint8_t *aad,
                                                              size_t bytes);
/* Encrypts the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_encrypt(runnel_chacha20_poly1305 *c, uint8_t *out,
                                                                  const uint8_t *in, size_t bytes);
/* Decrypts likewise; do not use what it writes before verify has returned RUNNEL_OK. Errors: as encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_decrypt(runnel_chacha20_poly1305 *c, uint8_t *unverified,
                                                                  const uint8_t *in, size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_tag(runnel_chacha20_poly1305 *c, uint8_t *tag,
                                                              size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag, and TAG: then destroy all that
 * decrypt wrote. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_poly1305_verify(runnel_chacha20_poly1305 *c, const uint8_t *tag,
                                                                 size_t tag_bytes);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_chacha20_poly1305_kernel(const runnel_chacha20_poly1305 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_chacha20_poly1305_wipe(runnel_chacha20_poly1305 *c);

/* Key set-up: the CPU picks the kernel. Constant-time in the key. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_key(runnel_xchacha20_poly1305 *c, const uint8_t *key,
                                                               size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_key_kernel(runnel_xchacha20_poly1305 *c, const uint8_t *key,
                                                                      size_t key_bytes, const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_seal(runnel_xchacha20_poly1305 *c, const uint8_t *nonce,
                                                                size_t nonce_bytes, const uint8_t *aad,
                                                                size_t aad_bytes, uint8_t *out, const uint8_t *in,
                                                                size_t bytes, uint8_t *tag, size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_open(runnel_xchacha20_poly1305 *c, const uint8_t *nonce,
                                                                size_t nonce_bytes, const uint8_t *aad,
                                                                size_t aad_bytes, uint8_t *out, const uint8_t *in,
                                                                size_t bytes, const uint8_t *tag, size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_seal_batch(runnel_xchacha20_poly1305 *c,
                                                                      runnel_aead_packet *packets, size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_open_batch(runnel_xchacha20_poly1305 *c,
                                                                      runnel_aead_packet *packets, size_t count);
#endif
/* Starts a message in pieces: lengths, aad, then encrypt and tag, or decrypt and verify; see runnel_aead_start.
 * Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_start(runnel_xchacha20_poly1305 *c, const uint8_t *nonce,
                                                                 size_t nonce_bytes, size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes; optional. The pieces must then add up to them.
 * Errors: NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_lengths(runnel_xchacha20_poly1305 *c, uint64_t aad_bytes,
                                                                   uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE (no start, or the text has begun), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_aad(runnel_xchacha20_poly1305 *c, const uint8_t *aad,
                                                               size_t bytes);
/* Encrypts the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_encrypt(runnel_xchacha20_poly1305 *c, uint8_t *out,
                                                                   const uint8_t *in, size_t bytes);
/* Decrypts likewise; do not use what it writes before verify has returned RUNNEL_OK. Errors: as encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_decrypt(runnel_xchacha20_poly1305 *c, uint8_t *unverified,
                                                                   const uint8_t *in, size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_tag(runnel_xchacha20_poly1305 *c, uint8_t *tag,
                                                               size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag, and TAG: then destroy all that
 * decrypt wrote. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_xchacha20_poly1305_verify(runnel_xchacha20_poly1305 *c, const uint8_t *tag,
                                                                  size_t tag_bytes);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_xchacha20_poly1305_kernel(const runnel_xchacha20_poly1305 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_xchacha20_poly1305_wipe(runnel_xchacha20_poly1305 *c);

#ifdef __cplusplus
}
#endif
#endif
