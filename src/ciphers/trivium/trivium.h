/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium (eSTREAM portfolio, ISO/IEC 29192-3): key of 10 bytes, IV of up to 10 bytes. Bytes are numbered as in
 * eSTREAM: the first bit of the key, the IV and the keystream is the least significant bit of byte 0. A shorter IV
 * gives the same keystream as one with zero bytes put before it: use one length under one key. The limit of 2^64 bits
 * under one IV cannot be reached. Not seekable. Never use an IV twice with one key.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_TRIVIUM_H
#define RUNNEL_TRIVIUM_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As many steps at once as a word has bits. */
#if RUNNEL_WORD_BITS == 64
typedef uint64_t runnel_trivium_word;
#define RUNNEL_TRIVIUM_WORDS(bits) (((bits) + 63) / 64)
#else
typedef uint32_t runnel_trivium_word;
#define RUNNEL_TRIVIUM_WORDS(bits) (((bits) + 31) / 32)
#endif

/* The three registers. Word 0 holds the oldest bits, the lowest bit of a word is its oldest, and the newest bit is the
 * highest of the last word; below the oldest bit of a register lie bits that have left it. */
typedef struct runnel_trivium_registers {
    RUNNEL_ALIGNED runnel_trivium_word a[RUNNEL_TRIVIUM_WORDS(93)];
    runnel_trivium_word b[RUNNEL_TRIVIUM_WORDS(84)];
    runnel_trivium_word c[RUNNEL_TRIVIUM_WORDS(111)];
} runnel_trivium_registers;

typedef struct runnel_trivium_state {
    runnel_trivium_registers now;
    uint8_t key[10];
} runnel_trivium_state;

typedef struct runnel_trivium {
    runnel_stream stream;
    uint8_t leftover[8];
    runnel_trivium_state state;
} runnel_trivium;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_key(runnel_trivium *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_key_kernel(runnel_trivium *c, const uint8_t *key, size_t key_bytes,
                                                           const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_iv(runnel_trivium *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_xor(runnel_trivium *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_packet(runnel_trivium *c, const uint8_t *iv, size_t iv_bytes,
                                                       uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_seek(runnel_trivium *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                     size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_xor_batch(runnel_trivium *const *c, uint8_t *const *out,
                                                          const uint8_t *const *in, const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_trivium_iv_batch(runnel_trivium *const *c, const uint8_t *const *ivs,
                                                         size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_trivium_tell(const runnel_trivium *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_trivium_left(const runnel_trivium *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_trivium_kernel(const runnel_trivium *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_trivium_wipe(runnel_trivium *c);

#ifdef __cplusplus
}
#endif
#endif
