/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A toy, for test_adding.py alone: keystream byte i is i XOR byte i mod 16 of key and IV. Key and IV of 16 bytes; seekable. */
#ifndef RUNNEL_TOY_H
#define RUNNEL_TOY_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_toy_state {
    uint8_t key[16], iv[16];
} runnel_toy_state;

typedef struct runnel_toy {
    runnel_stream stream;
    uint8_t leftover[16];
    RUNNEL_ALIGNED runnel_toy_state state;
} runnel_toy;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_key(runnel_toy *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_key_kernel(runnel_toy *c, const uint8_t *key, size_t key_bytes,
                                                       const char *kernel);
/* Starts a message. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_iv(runnel_toy *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out (in == NULL: the keystream); encrypts and decrypts. Timing class: the kernel's.
 * Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_xor(runnel_toy *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* A new IV and its message in one call, checked once; errors are those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_packet(runnel_toy *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
                                                   const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_seek(runnel_toy *c, uint64_t position);
/* Key set-up, IV set-up and xor of one message, and then a wipe. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                 size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* xor for count streams at once, see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_xor_batch(runnel_toy *const *c, uint8_t *const *out,
                                                      const uint8_t *const *in, const size_t *bytes, size_t count);
/* IVs for count streams at once, see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_toy_iv_batch(runnel_toy *const *c, const uint8_t *const *ivs, size_t iv_bytes,
                                                     size_t count);
#endif
/* Returns the position in bytes from the IV; UINT64_MAX also for positions beyond it. 0 without an IV. */
RUNNEL_API uint64_t runnel_toy_tell(const runnel_toy *c);
/* Returns how many bytes may still be asked for; UINT64_MAX also for more than that. 0 without an IV. */
RUNNEL_API uint64_t runnel_toy_left(const runnel_toy *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_toy_kernel(const runnel_toy *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_toy_wipe(runnel_toy *c);

#ifdef __cplusplus
}
#endif
#endif
