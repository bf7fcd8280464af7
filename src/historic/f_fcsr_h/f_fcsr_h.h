/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F-FCSR-H, broken: its state is found from some megabytes of keystream.
 *  - runnel_f_fcsr_h, version 2: key and IV of 10 bytes.
 *  - runnel_f_fcsr_h_v1, version 1: key and IV of 10 or 16 bytes, of which only the first 10 are read.
 * Not seekable.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_F_FCSR_H_H
#define RUNNEL_F_FCSR_H_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_f_fcsr_h_state {
    RUNNEL_ALIGNED uint32_t m[6]; /* the register, its lowest bits first; the last word is 0 */
    uint32_t c[5];                /* the carries */
    uint8_t key[10];
    uint8_t version; /* 1 or 2 */
    uint8_t reserved;
} runnel_f_fcsr_h_state;

typedef struct runnel_f_fcsr_h {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_f_fcsr_h_state state;
} runnel_f_fcsr_h;

typedef runnel_f_fcsr_h runnel_f_fcsr_h_v1;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_key(runnel_f_fcsr_h *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_key_kernel(runnel_f_fcsr_h *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_iv(runnel_f_fcsr_h *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_xor(runnel_f_fcsr_h *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_packet(runnel_f_fcsr_h *c, const uint8_t *iv, size_t iv_bytes,
                                                        uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_seek(runnel_f_fcsr_h *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                      size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_xor_batch(runnel_f_fcsr_h *const *c, uint8_t *const *out,
                                                           const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_iv_batch(runnel_f_fcsr_h *const *c, const uint8_t *const *ivs,
                                                          size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_f_fcsr_h_tell(const runnel_f_fcsr_h *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_f_fcsr_h_left(const runnel_f_fcsr_h *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_f_fcsr_h_kernel(const runnel_f_fcsr_h *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_f_fcsr_h_wipe(runnel_f_fcsr_h *c);

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_key(runnel_f_fcsr_h_v1 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_key_kernel(runnel_f_fcsr_h_v1 *c, const uint8_t *key,
                                                               size_t key_bytes, const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_iv(runnel_f_fcsr_h_v1 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_xor(runnel_f_fcsr_h_v1 *c, uint8_t *out, const uint8_t *in,
                                                        size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_packet(runnel_f_fcsr_h_v1 *c, const uint8_t *iv, size_t iv_bytes,
                                                           uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_seek(runnel_f_fcsr_h_v1 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                         const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                         size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_xor_batch(runnel_f_fcsr_h_v1 *const *c, uint8_t *const *out,
                                                              const uint8_t *const *in, const size_t *bytes,
                                                              size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_f_fcsr_h_v1_iv_batch(runnel_f_fcsr_h_v1 *const *c, const uint8_t *const *ivs,
                                                             size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_f_fcsr_h_v1_tell(const runnel_f_fcsr_h_v1 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_f_fcsr_h_v1_left(const runnel_f_fcsr_h_v1 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_f_fcsr_h_v1_kernel(const runnel_f_fcsr_h_v1 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_f_fcsr_h_v1_wipe(runnel_f_fcsr_h_v1 *c);

#ifdef __cplusplus
}
#endif
#endif
