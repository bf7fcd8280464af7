/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX, version 2: key and IV of 16 bytes. Broken: the key is found from about 2^36 bytes of keystream under one key in
 * 2^112 operations, or from 2^40 bytes in 2^100. It is here for old data and for measurements; use AES-128 in counter
 * mode. No limit is enforced; the designer asked for a new IV after 20,000 bytes. Not seekable.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_LEX_H
#define RUNNEL_LEX_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_lex_state {
    RUNNEL_ALIGNED uint8_t text[16]; /* the state of AES, after an even round */
    uint8_t odd[16];                 /* and after odd rounds, in kernels in C */
    uint8_t keys[11 * 16];           /* the round keys of AES-128 */
    uint8_t pair;                    /* which two rounds of ten come next, from 0 */
    uint8_t reserved[3];
} runnel_lex_state;

typedef struct runnel_lex {
    runnel_stream stream;
    uint8_t leftover[8];
    runnel_lex_state state;
} runnel_lex;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_key(runnel_lex *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_key_kernel(runnel_lex *c, const uint8_t *key, size_t key_bytes,
                                                       const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_iv(runnel_lex *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_xor(runnel_lex *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_packet(runnel_lex *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
                                                   const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_seek(runnel_lex *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                 size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_xor_batch(runnel_lex *const *c, uint8_t *const *out,
                                                      const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_lex_iv_batch(runnel_lex *const *c, const uint8_t *const *ivs, size_t iv_bytes,
                                                     size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_lex_tell(const runnel_lex *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_lex_left(const runnel_lex *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_lex_kernel(const runnel_lex *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_lex_wipe(runnel_lex *c);

#ifdef __cplusplus
}
#endif
#endif
