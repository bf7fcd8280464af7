/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit (eSTREAM portfolio, RFC 4503): key of 16 bytes, IV of 8 bytes or none. No IV (0 bytes) skips IV set-up, which
 * gives another keystream than an IV of zeros. Byte order is eSTREAM's: RFC 4503 and ISO/IEC 18033-4 write the key, the
 * IV and each 16-byte block of keystream with their bytes reversed. The limit of 2^64 blocks under one key cannot be
 * reached. Not seekable. Never use an IV twice with one key; 8 random bytes are too few to be sure of that, so count
 * messages instead.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_RABBIT_H
#define RUNNEL_RABBIT_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1: the context keeps the key, and no state except the running one, so that each IV also costs a key set-up. For
 * firmware, which names its kernel with RUNNEL_RABBIT_KERNEL, and for the kernels that are made so. */
#if defined(RUNNEL_RABBIT_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_RABBIT_KEEPS_KEY_OF_(kernel) RUNNEL_RABBIT_KEEPS_KEY_##kernel
#define RUNNEL_RABBIT_KEEPS_KEY_OF(kernel) RUNNEL_RABBIT_KEEPS_KEY_OF_(kernel)
#define RUNNEL_RABBIT_KEEPS_KEY RUNNEL_RABBIT_KEEPS_KEY_OF(RUNNEL_RABBIT_KERNEL)
#else
#define RUNNEL_RABBIT_KEEPS_KEY 0
#endif

typedef struct runnel_rabbit_state {
    uint64_t counters[4]; /* c1:c0, c3:c2, c5:c4, c7:c6 */
    uint32_t x[8];        /* in the order of the kernel */
    uint8_t carry;        /* 0 or 1, out of c7 into c0 */
} runnel_rabbit_state;

typedef struct runnel_rabbit_states {
    RUNNEL_ALIGNED runnel_rabbit_state now;
    union { /* where every IV begins */
        uint8_t key[16];
#if !RUNNEL_RABBIT_KEEPS_KEY
        runnel_rabbit_state master; /* after key set-up */
#endif
    };
} runnel_rabbit_states;

typedef struct runnel_rabbit {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_rabbit_states states;
} runnel_rabbit;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_key(runnel_rabbit *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_key_kernel(runnel_rabbit *c, const uint8_t *key, size_t key_bytes,
                                                          const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_iv(runnel_rabbit *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_xor(runnel_rabbit *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_packet(runnel_rabbit *c, const uint8_t *iv, size_t iv_bytes,
                                                      uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_seek(runnel_rabbit *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                    size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_xor_batch(runnel_rabbit *const *c, uint8_t *const *out,
                                                         const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_rabbit_iv_batch(runnel_rabbit *const *c, const uint8_t *const *ivs,
                                                        size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_rabbit_tell(const runnel_rabbit *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_rabbit_left(const runnel_rabbit *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_rabbit_kernel(const runnel_rabbit *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_rabbit_wipe(runnel_rabbit *c);

#ifdef __cplusplus
}
#endif
#endif
