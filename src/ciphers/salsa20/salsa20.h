/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 with 20 rounds, and with 12 and 8: key of 32 (recommended) or 16 bytes, IV of 8 bytes, blocks of 64 bytes, a
 * 64-bit block counter that begins at 0. No limit that can be reached (2^70 bytes for each IV). Seekable. Never use an IV
 * twice with one key; 8 random bytes are too few to be sure of that, so count messages instead.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_SALSA20_H
#define RUNNEL_SALSA20_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_salsa20_state {
    uint32_t words[16]; /* constants, key, IV (6, 7), counter (8, 9; always 0 here) in the specification's order */
    uint8_t rounds;     /* 20, 12 or 8, by the descriptor */
} runnel_salsa20_state;

typedef struct runnel_salsa20 {
    runnel_stream stream;
    uint8_t leftover[64 + RUNNEL_AHEAD_BYTES];
    RUNNEL_ALIGNED runnel_salsa20_state state;
} runnel_salsa20;

/* With fewer rounds, otherwise the same. */
typedef runnel_salsa20 runnel_salsa20_12;
typedef runnel_salsa20 runnel_salsa20_8;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_key(runnel_salsa20 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_key_kernel(runnel_salsa20 *c, const uint8_t *key, size_t key_bytes,
                                                           const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_iv(runnel_salsa20 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_xor(runnel_salsa20 *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_packet(runnel_salsa20 *c, const uint8_t *iv, size_t iv_bytes,
                                                       uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_seek(runnel_salsa20 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                     size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_xor_batch(runnel_salsa20 *const *c, uint8_t *const *out,
                                                          const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_iv_batch(runnel_salsa20 *const *c, const uint8_t *const *ivs,
                                                         size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_salsa20_tell(const runnel_salsa20 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_salsa20_left(const runnel_salsa20 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_salsa20_kernel(const runnel_salsa20 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_salsa20_wipe(runnel_salsa20 *c);

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_key(runnel_salsa20_12 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_key_kernel(runnel_salsa20_12 *c, const uint8_t *key,
                                                              size_t key_bytes, const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_iv(runnel_salsa20_12 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_xor(runnel_salsa20_12 *c, uint8_t *out, const uint8_t *in,
                                                       size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_packet(runnel_salsa20_12 *c, const uint8_t *iv, size_t iv_bytes,
                                                          uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_seek(runnel_salsa20_12 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                        const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                        size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_xor_batch(runnel_salsa20_12 *const *c, uint8_t *const *out,
                                                             const uint8_t *const *in, const size_t *bytes,
                                                             size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_12_iv_batch(runnel_salsa20_12 *const *c, const uint8_t *const *ivs,
                                                            size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_salsa20_12_tell(const runnel_salsa20_12 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_salsa20_12_left(const runnel_salsa20_12 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_salsa20_12_kernel(const runnel_salsa20_12 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_salsa20_12_wipe(runnel_salsa20_12 *c);

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_key(runnel_salsa20_8 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_key_kernel(runnel_salsa20_8 *c, const uint8_t *key, size_t key_bytes,
                                                             const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_iv(runnel_salsa20_8 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_xor(runnel_salsa20_8 *c, uint8_t *out, const uint8_t *in,
                                                      size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_packet(runnel_salsa20_8 *c, const uint8_t *iv, size_t iv_bytes,
                                                         uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_seek(runnel_salsa20_8 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                       const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                       size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_xor_batch(runnel_salsa20_8 *const *c, uint8_t *const *out,
                                                            const uint8_t *const *in, const size_t *bytes,
                                                            size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_salsa20_8_iv_batch(runnel_salsa20_8 *const *c, const uint8_t *const *ivs,
                                                           size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_salsa20_8_tell(const runnel_salsa20_8 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_salsa20_8_left(const runnel_salsa20_8 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_salsa20_8_kernel(const runnel_salsa20_8 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_salsa20_8_wipe(runnel_salsa20_8 *c);

#ifdef __cplusplus
}
#endif
#endif
