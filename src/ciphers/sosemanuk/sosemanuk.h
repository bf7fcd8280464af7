/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK (eSTREAM portfolio): key of 1 to 32 bytes, at least 16 for 128-bit security, which longer keys do not
 * raise; IV of 0 to 16 bytes, padded with zeros: two IVs that differ only in zeros at the end are the same. No limit
 * that can be reached. Not seekable. Never use an IV twice with one key; 16 random bytes are enough to be sure of
 * that.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_SOSEMANUK_H
#define RUNNEL_SOSEMANUK_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Firmware names its kernel with RUNNEL_SOSEMANUK_KERNEL; the context has what that kernel needs. RING, 1: the shift
 * register is a ring. FUSED, 1: the key is kept instead of the subkeys. */
#if defined(RUNNEL_SOSEMANUK_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_SOSEMANUK_ASK_(what, kernel) RUNNEL_SOSEMANUK_##what##_##kernel
#define RUNNEL_SOSEMANUK_ASK(what, kernel) RUNNEL_SOSEMANUK_ASK_(what, kernel)
#define RUNNEL_SOSEMANUK_RING RUNNEL_SOSEMANUK_ASK(RING, RUNNEL_SOSEMANUK_KERNEL)
#define RUNNEL_SOSEMANUK_FUSED RUNNEL_SOSEMANUK_ASK(FUSED, RUNNEL_SOSEMANUK_KERNEL)
#elif defined(__AVR__)
#define RUNNEL_SOSEMANUK_RING 1
#define RUNNEL_SOSEMANUK_FUSED 0
#else
#define RUNNEL_SOSEMANUK_RING 0
#define RUNNEL_SOSEMANUK_FUSED 0
#endif

typedef struct runnel_sosemanuk_state {
#if RUNNEL_SOSEMANUK_RING
    RUNNEL_ALIGNED uint32_t s[12]; /* the shift register: after IV set-up the oldest word first, later in a ring */
    uint32_t f[3];                 /* for the kernel */
    uint32_t r1, r2;
    uint8_t block; /* where in the ring the next block begins */
#else
    RUNNEL_ALIGNED uint32_t s[10]; /* the shift register, the oldest word first */
    uint32_t r1, r2;
#endif
    union {              /* where every IV begins */
        uint8_t key[32]; /* padded */
#if !RUNNEL_SOSEMANUK_FUSED
        uint32_t subkeys[100]; /* of the key alone */
#endif
    };
} runnel_sosemanuk_state;

typedef struct runnel_sosemanuk {
    runnel_stream stream;
    uint8_t leftover[16 + RUNNEL_AHEAD_BYTES];
    runnel_sosemanuk_state state;
} runnel_sosemanuk;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_key(runnel_sosemanuk *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_key_kernel(runnel_sosemanuk *c, const uint8_t *key, size_t key_bytes,
                                                             const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_iv(runnel_sosemanuk *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_xor(runnel_sosemanuk *c, uint8_t *out, const uint8_t *in,
                                                      size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_packet(runnel_sosemanuk *c, const uint8_t *iv, size_t iv_bytes,
                                                         uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_seek(runnel_sosemanuk *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                       const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                       size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_xor_batch(runnel_sosemanuk *const *c, uint8_t *const *out,
                                                            const uint8_t *const *in, const size_t *bytes,
                                                            size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_sosemanuk_iv_batch(runnel_sosemanuk *const *c, const uint8_t *const *ivs,
                                                           size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_sosemanuk_tell(const runnel_sosemanuk *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_sosemanuk_left(const runnel_sosemanuk *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_sosemanuk_kernel(const runnel_sosemanuk *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_sosemanuk_wipe(runnel_sosemanuk *c);

#ifdef __cplusplus
}
#endif
#endif
