/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 (eSTREAM portfolio): key of 16 bytes, IV of 16 bytes; at most 2^64 bits of keystream from one IV. Not
 * seekable. The state is 4 KiB and key and IV enter it together: each IV costs as much as several KiB of keystream.
 * Never use an IV twice with one key; 16 random bytes are enough to be sure of that.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_HC128_H
#define RUNNEL_HC128_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_hc128_state {
    RUNNEL_ALIGNED uint32_t words[1024]; /* P, then Q, in the order of the kernel */
    uint8_t key[16];
} runnel_hc128_state;

/* More than RUNNEL_AHEAD_BYTES: a call of a kernel begins with look-ups that nothing runs beside. */
#if RUNNEL_HOSTED
#define RUNNEL_HC128_AHEAD_BYTES 960
#else
#define RUNNEL_HC128_AHEAD_BYTES 0
#endif

typedef struct runnel_hc128 {
    runnel_stream stream;
    uint8_t leftover[64 + RUNNEL_HC128_AHEAD_BYTES];
    RUNNEL_TO_LINE(sizeof(runnel_stream) + 64 + RUNNEL_HC128_AHEAD_BYTES)
    runnel_hc128_state state;
} runnel_hc128;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_key(runnel_hc128 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_key_kernel(runnel_hc128 *c, const uint8_t *key, size_t key_bytes,
                                                         const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_iv(runnel_hc128 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_xor(runnel_hc128 *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_packet(runnel_hc128 *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
                                                     const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_seek(runnel_hc128 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                   size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_xor_batch(runnel_hc128 *const *c, uint8_t *const *out,
                                                        const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hc128_iv_batch(runnel_hc128 *const *c, const uint8_t *const *ivs,
                                                       size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_hc128_tell(const runnel_hc128 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_hc128_left(const runnel_hc128 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_hc128_kernel(const runnel_hc128 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_hc128_wipe(runnel_hc128 *c);

#ifdef __cplusplus
}
#endif
#endif
