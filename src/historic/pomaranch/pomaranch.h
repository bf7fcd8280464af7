/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pomaranch, version 1, broken: key of 16 bytes, IV of 1 to 14 bytes. Not seekable.
 *
 * Firmware names its kernel with RUNNEL_POMARANCH_KERNEL; `table` does without the 512 bytes that `portable` keeps for
 * a key.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_POMARANCH_H
#define RUNNEL_POMARANCH_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of 16 bits that a kernel keeps for a key. */
#ifdef RUNNEL_POMARANCH_KERNEL
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_POMARANCH_WORDS_OF_(kernel) RUNNEL_POMARANCH_WORDS_##kernel
#define RUNNEL_POMARANCH_WORDS_OF(kernel) RUNNEL_POMARANCH_WORDS_OF_(kernel)
#define RUNNEL_POMARANCH_WORDS RUNNEL_POMARANCH_WORDS_OF(RUNNEL_POMARANCH_KERNEL)
#else
#define RUNNEL_POMARANCH_WORDS 256
#endif

typedef struct runnel_pomaranch_v1_state {
#if RUNNEL_POMARANCH_WORDS
    /* The jump function of each of the sections 1 to 8 with its part of the key, as 512 bits: word i of section j at
     * 8i + j, so that the words of all sections stand side by side. */
    RUNNEL_ALIGNED uint16_t jumps[RUNNEL_POMARANCH_WORDS];
#endif
    RUNNEL_ALIGNED uint16_t sections[9];
    uint16_t master[9]; /* the sections after key set-up: where every IV begins */
    uint16_t key[8];
    uint16_t reserved;
} runnel_pomaranch_v1_state;

typedef struct runnel_pomaranch_v1 {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_pomaranch_v1_state state;
} runnel_pomaranch_v1;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_key(runnel_pomaranch_v1 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_key_kernel(runnel_pomaranch_v1 *c, const uint8_t *key,
                                                                size_t key_bytes, const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_iv(runnel_pomaranch_v1 *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_xor(runnel_pomaranch_v1 *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_packet(runnel_pomaranch_v1 *c, const uint8_t *iv, size_t iv_bytes,
                                                            uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_seek(runnel_pomaranch_v1 *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                          const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                          size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_xor_batch(runnel_pomaranch_v1 *const *c, uint8_t *const *out,
                                                               const uint8_t *const *in, const size_t *bytes,
                                                               size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_pomaranch_v1_iv_batch(runnel_pomaranch_v1 *const *c, const uint8_t *const *ivs,
                                                              size_t iv_bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_pomaranch_v1_tell(const runnel_pomaranch_v1 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_pomaranch_v1_left(const runnel_pomaranch_v1 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_pomaranch_v1_kernel(const runnel_pomaranch_v1 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_pomaranch_v1_wipe(runnel_pomaranch_v1 *c);

#ifdef __cplusplus
}
#endif
#endif
