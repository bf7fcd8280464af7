/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 as in RFC 8439: key of 32 bytes, IV (the RFC's nonce) of 12 bytes, blocks of 64 bytes, a 32-bit block
 * counter that begins at 0: what the RFC encrypts from counter 1 begins at position 64. 2^32 blocks (256 GiB) for each
 * IV, then RUNNEL_ERR_LIMIT. Seekable. Never use an IV twice with one key.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_CHACHA20_H
#define RUNNEL_CHACHA20_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_chacha20 {
    runnel_stream stream;
    uint8_t leftover[64 + RUNNEL_AHEAD_BYTES];
    RUNNEL_ALIGNED uint32_t words[16]; /* constants, key, counter (always 0 here), nonce: RFC 8439 2.3 */
} runnel_chacha20;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_key(runnel_chacha20 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_key_kernel(runnel_chacha20 *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_iv(runnel_chacha20 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_xor(runnel_chacha20 *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_packet(runnel_chacha20 *c, const uint8_t *iv, size_t iv_bytes,
                                                        uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_seek(runnel_chacha20 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                      size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_xor_batch(runnel_chacha20 *const *c, uint8_t *const *out,
                                                           const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_chacha20_iv_batch(runnel_chacha20 *const *c, const uint8_t *const *ivs,
                                                          size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_chacha20_tell(const runnel_chacha20 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_chacha20_left(const runnel_chacha20 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_chacha20_kernel(const runnel_chacha20 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_chacha20_wipe(runnel_chacha20 *c);

#ifdef __cplusplus
}
#endif
#endif
