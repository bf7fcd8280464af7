/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* And with messages in pieces. Included by the headers of ciphers, as <runnel/verbs.h> says. */

/* Starts a message in pieces: lengths, aad, then encrypt and tag, or decrypt and verify; see runnel_aead_start.
 * Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_start)(RUNNEL_CONTEXT *c, const uint8_t *nonce, size_t nonce_bytes,
                                                       size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes; optional, except in CCM, where they come
 * before the first piece. The pieces must then add up to them. Errors: NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_lengths)(RUNNEL_CONTEXT *c, uint64_t aad_bytes, uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE (no start, or the text has begun), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_aad)(RUNNEL_CONTEXT *c, const uint8_t *aad, size_t bytes);
/* Encrypts the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_encrypt)(RUNNEL_CONTEXT *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Decrypts likewise; do not use what it writes before verify has returned RUNNEL_OK. Errors: as encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_decrypt)(RUNNEL_CONTEXT *c, uint8_t *unverified, const uint8_t *in,
                                                         size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_tag)(RUNNEL_CONTEXT *c, uint8_t *tag, size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag, and TAG: then destroy all that
 * decrypt wrote. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_verify)(RUNNEL_CONTEXT *c, const uint8_t *tag, size_t tag_bytes);
