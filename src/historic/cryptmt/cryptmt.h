/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CryptMT version 3: key of 16, 32 … 256 bytes, IV of 16, 32 … 256 bytes. Not seekable. Free for non-commercial use,
 * its designers stated; see README.md.
 *
 * Firmware sets its longest key with RUNNEL_CRYPTMT_KEY_BITS and its longest IV with RUNNEL_CRYPTMT_IV_BITS, multiples of
 * 128: they decide the size of the context. Without them 2048 for both; on AVR 256 and 128.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_CRYPTMT_H
#define RUNNEL_CRYPTMT_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_CRYPTMT_KEY_BITS
#ifdef __AVR__
#define RUNNEL_CRYPTMT_KEY_BITS 256
#else
#define RUNNEL_CRYPTMT_KEY_BITS 2048
#endif
#endif
#ifndef RUNNEL_CRYPTMT_IV_BITS
#ifdef __AVR__
#define RUNNEL_CRYPTMT_IV_BITS 128
#else
#define RUNNEL_CRYPTMT_IV_BITS 2048
#endif
#endif

/* Four lanes. */
typedef struct runnel_cryptmt_vector {
    uint32_t lane[4];
} runnel_cryptmt_vector;

typedef struct runnel_cryptmt_state {
    /* The generator's 156 vectors. Until each has been used once, those from `next` on are the booter's, two for each
     * 16 bytes of key and IV. */
    RUNNEL_ALIGNED runnel_cryptmt_vector v[156 + (RUNNEL_CRYPTMT_KEY_BITS + RUNNEL_CRYPTMT_IV_BITS) / 64];
    runnel_cryptmt_vector filter, accumulator;
    uint8_t key[RUNNEL_CRYPTMT_KEY_BITS / 8];
    uint8_t key_blocks;
    uint8_t booter; /* its vectors; 0: all 156 were used */
    uint8_t next;
    uint8_t reserved;
} runnel_cryptmt_state;

typedef struct runnel_cryptmt {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_cryptmt_state state;
} runnel_cryptmt;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_key(runnel_cryptmt *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_key_kernel(runnel_cryptmt *c, const uint8_t *key, size_t key_bytes,
                                                           const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_iv(runnel_cryptmt *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_xor(runnel_cryptmt *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_packet(runnel_cryptmt *c, const uint8_t *iv, size_t iv_bytes,
                                                       uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_seek(runnel_cryptmt *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                     size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_xor_batch(runnel_cryptmt *const *c, uint8_t *const *out,
                                                          const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_cryptmt_iv_batch(runnel_cryptmt *const *c, const uint8_t *const *ivs,
                                                         size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_cryptmt_tell(const runnel_cryptmt *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_cryptmt_left(const runnel_cryptmt *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_cryptmt_kernel(const runnel_cryptmt *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_cryptmt_wipe(runnel_cryptmt *c);

#ifdef __cplusplus
}
#endif
#endif
