/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 (NIST SP 800-232): key and nonce of 16 bytes, tags of 4 to 16 bytes (less than 8 only after a risk
 * analysis), of one length for all messages under a key. Up to 2^54 bytes under a key, all messages together. Not the
 * Ascon-128 of the competition, whose words were big-endian.
 *
 * The rules for all functions (nonces, overlap, errors, unverified output) are in <runnel/aead.h>. */
#ifndef RUNNEL_ASCON_H
#define RUNNEL_ASCON_H

#include <runnel/aead.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef RUNNEL_IN_FLASH struct runnel_ascon_kernel runnel_ascon_kernel;

typedef struct runnel_ascon_aead128 {
    runnel_aead_context head;
    const runnel_ascon_kernel *kernel;
    RUNNEL_ALIGNED uint64_t s[5]; /* the state, in the kernel's form */
    uint64_t key[2];              /* as the kernel keeps it */
} runnel_ascon_aead128;

/* Key set-up: the CPU picks the kernel. Constant-time in the key. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_key(runnel_ascon_aead128 *c, const uint8_t *key,
                                                          size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_key_kernel(runnel_ascon_aead128 *c, const uint8_t *key,
                                                                 size_t key_bytes, const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_seal(runnel_ascon_aead128 *c, const uint8_t *nonce,
                                                           size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                                                           uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag,
                                                           size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_open(runnel_ascon_aead128 *c, const uint8_t *nonce,
                                                           size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                                                           uint8_t *out, const uint8_t *in, size_t bytes,
                                                           const uint8_t *tag, size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_seal_batch(runnel_ascon_aead128 *c, runnel_aead_packet *packets,
                                                                 size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_open_batch(runnel_ascon_aead128 *c, runnel_aead_packet *packets,
                                                                 size_t count);
#endif
/* Starts a message in pieces: lengths, aad, then encrypt and tag, or decrypt and verify; see runnel_aead_start.
 * Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_start(runnel_ascon_aead128 *c, const uint8_t *nonce,
                                                            size_t nonce_bytes, size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes; optional. The pieces must then add up to them.
 * Errors: NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_lengths(runnel_ascon_aead128 *c, uint64_t aad_bytes,
                                                              uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE (no start, or the text has begun), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_aad(runnel_ascon_aead128 *c, const uint8_t *aad, size_t bytes);
/* Encrypts the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_encrypt(runnel_ascon_aead128 *c, uint8_t *out, const uint8_t *in,
                                                              size_t bytes);
/* Decrypts likewise; do not use what it writes before verify has returned RUNNEL_OK. Errors: as encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_decrypt(runnel_ascon_aead128 *c, uint8_t *unverified,
                                                              const uint8_t *in, size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_tag(runnel_ascon_aead128 *c, uint8_t *tag, size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag, and TAG: then destroy all that
 * decrypt wrote. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ascon_aead128_verify(runnel_ascon_aead128 *c, const uint8_t *tag,
                                                             size_t tag_bytes);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_ascon_aead128_kernel(const runnel_ascon_aead128 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_ascon_aead128_wipe(runnel_ascon_aead128 *c);

#ifdef __cplusplus
}
#endif
#endif
