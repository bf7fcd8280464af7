/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions of a family of raw blocks. Included by the headers of ciphers, as <runnel/verbs.h> says. */

/* Key set-up for both directions, by default with a kernel that has both. Constant-time in the key. Errors: NULL,
 * KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_key)(RUNNEL_CONTEXT *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name. Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_key_kernel)(RUNNEL_CONTEXT *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Encrypts nblocks blocks, each by itself (ECB); out == in or no overlap. Equal blocks stay equal: not a way to
 * encrypt data. Timing class: the kernel's. Errors: NULL, STATE (no key), OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_encrypt)(const RUNNEL_CONTEXT *c, uint8_t *out, const uint8_t *in,
                                                         size_t nblocks);
/* Decrypts likewise. Errors also: KERNEL (the kernel named at key set-up only encrypts). */
RUNNEL_API RUNNEL_MUST_CHECK int RUNNEL_FAMILY(_decrypt)(const RUNNEL_CONTEXT *c, uint8_t *out, const uint8_t *in,
                                                         size_t nblocks);
/* Returns the name of the kernel, NULL without a key. */
RUNNEL_API const char *RUNNEL_FAMILY(_kernel)(const RUNNEL_CONTEXT *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void RUNNEL_FAMILY(_wipe)(RUNNEL_CONTEXT *c);
