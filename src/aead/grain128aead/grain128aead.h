/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128AEADv2, finalist of NIST's lightweight competition: key of 16 bytes, nonce of 12, tag of 8. Not version 1,
 * whose initialisation was another. Messages of less than 2^61 bytes, associated data of less than 2^32.
 *
 * The rules for all functions (nonces, overlap, errors, unverified output) are in <runnel/aead.h>. */
#ifndef RUNNEL_GRAIN128AEAD_H
#define RUNNEL_GRAIN128AEAD_H

#include <runnel/aead.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_grain128aead {
    runnel_aead_context head;
#if defined(__AVR_HAVE_MUL__) /* which the assembly needs */
    uint8_t registers[73];    /* both, with room to slide: a grain128_avr_state */
#else
    RUNNEL_ALIGNED uint64_t nfsr[2]; /* bits 0 to 63, 64 to 127 */
    uint64_t lfsr[2];
#endif
    uint64_t sum, shift; /* the MAC's accumulator and shift register */
    uint64_t key[2];
} runnel_grain128aead;

/* Key set-up. Constant-time in the key. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_key(runnel_grain128aead *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_key_kernel(runnel_grain128aead *c, const uint8_t *key,
                                                                size_t key_bytes, const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_seal(runnel_grain128aead *c, const uint8_t *nonce,
                                                          size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                                                          uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag,
                                                          size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_open(runnel_grain128aead *c, const uint8_t *nonce,
                                                          size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                                                          uint8_t *out, const uint8_t *in, size_t bytes,
                                                          const uint8_t *tag, size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_seal_batch(runnel_grain128aead *c, runnel_aead_packet *packets,
                                                                size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_open_batch(runnel_grain128aead *c, runnel_aead_packet *packets,
                                                                size_t count);
#endif
/* Starts a message in pieces: lengths, aad, then encrypt and tag, or decrypt and verify; see runnel_aead_start.
 * Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_start(runnel_grain128aead *c, const uint8_t *nonce,
                                                           size_t nonce_bytes, size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes. It comes before them: the length of
 * the associated data is authenticated first. The pieces must add up to them. Errors: NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_lengths(runnel_grain128aead *c, uint64_t aad_bytes,
                                                             uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE (no start, or the text has begun), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_aad(runnel_grain128aead *c, const uint8_t *aad, size_t bytes);
/* Encrypts the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_encrypt(runnel_grain128aead *c, uint8_t *out, const uint8_t *in,
                                                             size_t bytes);
/* Decrypts likewise; do not use what it writes before verify has returned RUNNEL_OK. Errors: as encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_decrypt(runnel_grain128aead *c, uint8_t *unverified,
                                                             const uint8_t *in, size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_tag(runnel_grain128aead *c, uint8_t *tag, size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag, and TAG: then destroy all that
 * decrypt wrote. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128aead_verify(runnel_grain128aead *c, const uint8_t *tag,
                                                            size_t tag_bytes);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_grain128aead_kernel(const runnel_grain128aead *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_grain128aead_wipe(runnel_grain128aead *c);

#ifdef __cplusplus
}
#endif
#endif
