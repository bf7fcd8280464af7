/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon: key and IV both of 16 bytes or both of 32, nothing else. At most 2^64 bits under one key and IV. Not
 * seekable. Distinguishers are published that need far more keystream than that; no key recovery.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_DRAGON_H
#define RUNNEL_DRAGON_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNNEL_DRAGON_REGISTER = 32, RUNNEL_DRAGON_ROOM = 16 };

typedef struct runnel_dragon_state {
    /* The register is the 32 words from `at` on. It moves towards the start of the array, and from there back to its
     * end. */
    RUNNEL_ALIGNED uint32_t words[RUNNEL_DRAGON_ROOM + RUNNEL_DRAGON_REGISTER];
    uint32_t high, low; /* the 64-bit memory M */
    uint32_t key[8];
    uint8_t at;
    uint8_t key_bytes;
    uint8_t reserved[2];
} runnel_dragon_state;

typedef struct runnel_dragon {
    runnel_stream stream;
    uint8_t leftover[8];
    runnel_dragon_state state;
} runnel_dragon;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_key(runnel_dragon *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_key_kernel(runnel_dragon *c, const uint8_t *key, size_t key_bytes,
                                                          const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_iv(runnel_dragon *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_xor(runnel_dragon *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_packet(runnel_dragon *c, const uint8_t *iv, size_t iv_bytes,
                                                      uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_seek(runnel_dragon *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                    size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_xor_batch(runnel_dragon *const *c, uint8_t *const *out,
                                                         const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_dragon_iv_batch(runnel_dragon *const *c, const uint8_t *const *ivs,
                                                        size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_dragon_tell(const runnel_dragon *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_dragon_left(const runnel_dragon *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_dragon_kernel(const runnel_dragon *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_dragon_wipe(runnel_dragon *c);

#ifdef __cplusplus
}
#endif
#endif
