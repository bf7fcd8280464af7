/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 (eSTREAM phase 3): key of 16 bytes, IV of 12 bytes. Bytes are numbered as in eSTREAM: the first bit of the
 * key, the IV and the keystream is the least significant bit of byte 0; the design paper prints it as the most
 * significant. Not seekable. Never use an IV twice with one key.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_GRAIN128_H
#define RUNNEL_GRAIN128_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the kernel needs beside the registers: the kernel that firmware names, or the one that needs most. */
#if defined(RUNNEL_GRAIN128_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_GRAIN128_MORE_OF_(kernel) RUNNEL_GRAIN128_MORE_##kernel
#define RUNNEL_GRAIN128_MORE_OF(kernel) RUNNEL_GRAIN128_MORE_OF_(kernel)
#define RUNNEL_GRAIN128_MORE RUNNEL_GRAIN128_MORE_OF(RUNNEL_GRAIN128_KERNEL)
#elif defined(__AVR__)
#define RUNNEL_GRAIN128_MORE 41
#else
#define RUNNEL_GRAIN128_MORE 0
#endif

/* Bit i of a register is bit i % 32 of word i / 32; bit 0 leaves first. */
typedef struct runnel_grain128_registers {
    RUNNEL_ALIGNED uint32_t b[4]; /* the nonlinear one */
    uint32_t s[4];                /* the linear one */
#if RUNNEL_GRAIN128_MORE
    uint8_t more[RUNNEL_GRAIN128_MORE];
#endif
} runnel_grain128_registers;

typedef struct runnel_grain128_state {
    runnel_grain128_registers now;
    uint8_t key[16];
} runnel_grain128_state;

typedef struct runnel_grain128 {
    runnel_stream stream;
    uint8_t leftover[4];
    runnel_grain128_state state;
} runnel_grain128;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_key(runnel_grain128 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_key_kernel(runnel_grain128 *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_iv(runnel_grain128 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_xor(runnel_grain128 *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_packet(runnel_grain128 *c, const uint8_t *iv, size_t iv_bytes,
                                                        uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_seek(runnel_grain128 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                      size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_xor_batch(runnel_grain128 *const *c, uint8_t *const *out,
                                                           const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_grain128_iv_batch(runnel_grain128 *const *c, const uint8_t *const *ivs,
                                                          size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_grain128_tell(const runnel_grain128 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_grain128_left(const runnel_grain128 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_grain128_kernel(const runnel_grain128 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_grain128_wipe(runnel_grain128 *c);

#ifdef __cplusplus
}
#endif
#endif
