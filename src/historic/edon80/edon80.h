/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Edon80: key of 10 bytes, IV of 8 bytes, at most 2^45 bytes from one IV. Not seekable.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_EDON80_H
#define RUNNEL_EDON80_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__AVR__)
typedef uint8_t runnel_edon80_word;
#elif RUNNEL_WORD_BITS == 64
typedef uint64_t runnel_edon80_word;
#else
typedef uint32_t runnel_edon80_word;
#endif

/* Bits of as many stages as a word has; stage 0 in bit 0 of the first of these. */
typedef struct runnel_edon80_stages {
    runnel_edon80_word high, low;               /* their symbols */
    runnel_edon80_word number_high, number_low; /* the numbers of their quasigroups */
} runnel_edon80_stages;

typedef struct runnel_edon80_state {
    RUNNEL_ALIGNED runnel_edon80_stages
        stages[(80 + 8 * sizeof(runnel_edon80_word) - 1) / (8 * sizeof(runnel_edon80_word))];
    uint8_t key[10];
    uint8_t reserved[2];
} runnel_edon80_state;

typedef struct runnel_edon80 {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_edon80_state state;
} runnel_edon80;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_key(runnel_edon80 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_key_kernel(runnel_edon80 *c, const uint8_t *key, size_t key_bytes,
                                                          const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_iv(runnel_edon80 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_xor(runnel_edon80 *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_packet(runnel_edon80 *c, const uint8_t *iv, size_t iv_bytes,
                                                      uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_seek(runnel_edon80 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                    size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_xor_batch(runnel_edon80 *const *c, uint8_t *const *out,
                                                         const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_edon80_iv_batch(runnel_edon80 *const *c, const uint8_t *const *ivs,
                                                        size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_edon80_tell(const runnel_edon80 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_edon80_left(const runnel_edon80 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_edon80_kernel(const runnel_edon80 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_edon80_wipe(runnel_edon80 *c);

#ifdef __cplusplus
}
#endif
#endif
