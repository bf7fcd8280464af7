/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions of a family of AEADs on whole messages. Included by the headers of ciphers, as <runnel/verbs.h> says. */

/* Key set-up: the key's length picks the cipher, the CPU the kernel. Constant-time in the key. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_key)(RUNNEL_CONTEXT *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_key_kernel)(RUNNEL_CONTEXT *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_seal)(RUNNEL_CONTEXT *c, const uint8_t *nonce, size_t nonce_bytes,
                                                      const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                      const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_open)(RUNNEL_CONTEXT *c, const uint8_t *nonce, size_t nonce_bytes,
                                                      const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                      const uint8_t *in, size_t bytes, const uint8_t *tag,
                                                      size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_seal_batch)(RUNNEL_CONTEXT *c, runnel_aead_packet *packets,
                                                            size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_open_batch)(RUNNEL_CONTEXT *c, runnel_aead_packet *packets,
                                                            size_t count);
#endif
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *RUNNEL_FAMILY(_kernel)(const RUNNEL_CONTEXT *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void RUNNEL_FAMILY(_wipe)(RUNNEL_CONTEXT *c);
