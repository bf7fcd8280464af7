/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 2.0 (eSTREAM phase 3): key of 16 bytes, IV of up to 16 bytes; all IVs under one key must have the same
 * length. The first bit of the key, the IV and the keystream is the most significant bit of byte 0. The limit of 2^64
 * bits under one IV cannot be reached. Not seekable. Never use an IV twice with one key.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_MICKEY128_H
#define RUNNEL_MICKEY128_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#if RUNNEL_WORD_BITS == 64
typedef uint64_t runnel_mickey128_word;
#define RUNNEL_MICKEY128_WORDS 3
#else
typedef uint32_t runnel_mickey128_word;
#define RUNNEL_MICKEY128_WORDS 5
#endif

/* Stage i of a register of 160 is the bit of that number, counted from the lowest of word 0. */
typedef struct runnel_mickey128_registers {
    RUNNEL_ALIGNED runnel_mickey128_word r[RUNNEL_MICKEY128_WORDS]; /* the linear one */
    runnel_mickey128_word s[RUNNEL_MICKEY128_WORDS];                /* the nonlinear one */
} runnel_mickey128_registers;

typedef struct runnel_mickey128_state {
    runnel_mickey128_registers now;
    uint8_t key[16];
} runnel_mickey128_state;

typedef struct runnel_mickey128 {
    runnel_stream stream;
    uint8_t leftover[4];
    runnel_mickey128_state state;
} runnel_mickey128;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_key(runnel_mickey128 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_key_kernel(runnel_mickey128 *c, const uint8_t *key, size_t key_bytes,
                                                             const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_iv(runnel_mickey128 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_xor(runnel_mickey128 *c, uint8_t *out, const uint8_t *in,
                                                      size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_packet(runnel_mickey128 *c, const uint8_t *iv, size_t iv_bytes,
                                                         uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_seek(runnel_mickey128 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                       const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                       size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_xor_batch(runnel_mickey128 *const *c, uint8_t *const *out,
                                                            const uint8_t *const *in, const size_t *bytes,
                                                            size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mickey128_iv_batch(runnel_mickey128 *const *c, const uint8_t *const *ivs,
                                                           size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_mickey128_tell(const runnel_mickey128 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_mickey128_left(const runnel_mickey128 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_mickey128_kernel(const runnel_mickey128 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_mickey128_wipe(runnel_mickey128 *c);

#ifdef __cplusplus
}
#endif
#endif
