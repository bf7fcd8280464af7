/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* DECIM v2: key of 10 bytes, IV of 8 bytes, or of 4, which is the same as 8 of which the last four are 0. Not
 * seekable.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_DECIM_H
#define RUNNEL_DECIM_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stages between the register and the keystream: decimation (ABSG), and the buffer that makes it regular. */
typedef struct runnel_decim_output {
    uint32_t buffer; /* the oldest bit lowest */
    uint32_t end;    /* the one bit that the next one goes to; 0: the buffer is full */
    uint8_t idle;    /* 1: the next bit is a target */
    uint8_t target;
    uint8_t seen; /* 1: the other bit was read since the target */
} runnel_decim_output;

typedef struct runnel_decim_state {
    RUNNEL_ALIGNED runnel_decim_output output;
    uint8_t cells[24]; /* the register, cell 0 in the lowest bit of the first byte */
    uint8_t key[10];
} runnel_decim_state;

typedef struct runnel_decim {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_decim_state state;
} runnel_decim;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_key(runnel_decim *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_key_kernel(runnel_decim *c, const uint8_t *key, size_t key_bytes,
                                                         const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_iv(runnel_decim *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_xor(runnel_decim *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_packet(runnel_decim *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
                                                     const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_seek(runnel_decim *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                   size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_xor_batch(runnel_decim *const *c, uint8_t *const *out,
                                                        const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_decim_iv_batch(runnel_decim *const *c, const uint8_t *const *ivs,
                                                       size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_decim_tell(const runnel_decim *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_decim_left(const runnel_decim *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_decim_kernel(const runnel_decim *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_decim_wipe(runnel_decim *c);

#ifdef __cplusplus
}
#endif
#endif
