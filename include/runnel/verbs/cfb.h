/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions of a block cipher in cipher feedback mode. Included by the headers of ciphers, as <runnel/verbs.h> says. */

/* Key set-up: the key's length picks the cipher, the CPU the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_key)(RUNNEL_CONTEXT *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_key_kernel)(RUNNEL_CONTEXT *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_iv)(RUNNEL_CONTEXT *c, const uint8_t *iv, size_t iv_bytes);
/* Encrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_encrypt)(RUNNEL_CONTEXT *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_encrypt_packet)(RUNNEL_CONTEXT *c, const uint8_t *iv, size_t iv_bytes,
                                                                uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_encrypt_once)(uint8_t *out, const uint8_t *in, size_t bytes,
                                                              const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                              size_t iv_bytes);
/* Decrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_decrypt)(RUNNEL_CONTEXT *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_decrypt_packet)(RUNNEL_CONTEXT *c, const uint8_t *iv, size_t iv_bytes,
                                                                uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_decrypt_once)(uint8_t *out, const uint8_t *in, size_t bytes,
                                                              const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                              size_t iv_bytes);
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t RUNNEL_FAMILY(_tell)(const RUNNEL_CONTEXT *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t RUNNEL_FAMILY(_left)(const RUNNEL_CONTEXT *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *RUNNEL_FAMILY(_kernel)(const RUNNEL_CONTEXT *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void RUNNEL_FAMILY(_wipe)(RUNNEL_CONTEXT *c);
