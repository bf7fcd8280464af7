/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2 without its MAC: key of 1 to 16 bytes, IV of 0 to 16. eSTREAM's version has keys of 10 and 16 bytes and IVs of
 * 4, 8, 12 and 16. 2^48 words under one key and IV, after which a counter repeats. Not seekable. A distinguisher from
 * 2^74 words is published; no key recovery.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_NLS_H
#define RUNNEL_NLS_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNNEL_NLS_REGISTER = 17, RUNNEL_NLS_ROOM = 16 };

typedef struct runnel_nls_state {
    /* The register is the 17 words from `at` on. It moves towards the end of the array, and from there back to its
     * start. */
    RUNNEL_ALIGNED uint32_t words[RUNNEL_NLS_REGISTER + RUNNEL_NLS_ROOM];
    uint32_t konst;
    uint32_t master[RUNNEL_NLS_REGISTER]; /* the register after key set-up */
    uint8_t at;
    uint8_t reserved[3];
} runnel_nls_state;

typedef struct runnel_nls {
    runnel_stream stream;
    uint8_t leftover[4];
    runnel_nls_state state;
} runnel_nls;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_key(runnel_nls *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_key_kernel(runnel_nls *c, const uint8_t *key, size_t key_bytes,
                                                       const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_iv(runnel_nls *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_xor(runnel_nls *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_packet(runnel_nls *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
                                                   const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_seek(runnel_nls *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                 size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_xor_batch(runnel_nls *const *c, uint8_t *const *out,
                                                      const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_nls_iv_batch(runnel_nls *const *c, const uint8_t *const *ivs, size_t iv_bytes,
                                                     size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_nls_tell(const runnel_nls *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_nls_left(const runnel_nls *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_nls_kernel(const runnel_nls *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_nls_wipe(runnel_nls *c);

#ifdef __cplusplus
}
#endif
#endif
