/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Phelix without its tag and without associated data: key of 0 to 32 bytes, IV of 16. The length of the tag enters the
 * keystream whether there is one or not: phelix is for tags of 128 bits, phelix_96 and phelix_64 for shorter ones. The
 * plaintext is fed back, so encrypt and decrypt are different verbs; a message may be cut anywhere. Broken: the key is
 * found if IVs are reused, which its designers claimed to be safe. Less than 2^64 bytes for each IV. Not seekable.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_PHELIX_H
#define RUNNEL_PHELIX_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_phelix_state {
    RUNNEL_ALIGNED uint32_t active[5];
    uint32_t old[4];
    uint32_t key[8];   /* the working key */
    uint32_t mixed[8]; /* of key and IV */
    uint8_t key_bytes;
    uint8_t tag_bits; /* modulo 128, by the descriptor */
    uint8_t reserved[2];
} runnel_phelix_state;

typedef struct runnel_phelix {
    runnel_stream stream;
    uint8_t word[4]; /* within a word: its plaintext so far, then the remaining keystream */
    runnel_phelix_state state;
} runnel_phelix;

typedef runnel_phelix runnel_phelix_96;
typedef runnel_phelix runnel_phelix_64;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_key(runnel_phelix *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_key_kernel(runnel_phelix *c, const uint8_t *key, size_t key_bytes,
                                                          const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_iv(runnel_phelix *c, const uint8_t *iv, size_t iv_bytes);
/* Encrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_encrypt(runnel_phelix *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_encrypt_packet(runnel_phelix *c, const uint8_t *iv, size_t iv_bytes,
                                                              uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_encrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                            const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                            size_t iv_bytes);
/* Decrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_decrypt(runnel_phelix *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_decrypt_packet(runnel_phelix *c, const uint8_t *iv, size_t iv_bytes,
                                                              uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_decrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                            const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                            size_t iv_bytes);
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_phelix_tell(const runnel_phelix *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_phelix_left(const runnel_phelix *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_phelix_kernel(const runnel_phelix *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_phelix_wipe(runnel_phelix *c);

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_key(runnel_phelix_96 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_key_kernel(runnel_phelix_96 *c, const uint8_t *key, size_t key_bytes,
                                                             const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_iv(runnel_phelix_96 *c, const uint8_t *iv, size_t iv_bytes);
/* Encrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_encrypt(runnel_phelix_96 *c, uint8_t *out, const uint8_t *in,
                                                          size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_encrypt_packet(runnel_phelix_96 *c, const uint8_t *iv,
                                                                 size_t iv_bytes, uint8_t *out, const uint8_t *in,
                                                                 size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_encrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                               const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                               size_t iv_bytes);
/* Decrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_decrypt(runnel_phelix_96 *c, uint8_t *out, const uint8_t *in,
                                                          size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_decrypt_packet(runnel_phelix_96 *c, const uint8_t *iv,
                                                                 size_t iv_bytes, uint8_t *out, const uint8_t *in,
                                                                 size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_96_decrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                               const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                               size_t iv_bytes);
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_phelix_96_tell(const runnel_phelix_96 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_phelix_96_left(const runnel_phelix_96 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_phelix_96_kernel(const runnel_phelix_96 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_phelix_96_wipe(runnel_phelix_96 *c);

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_key(runnel_phelix_64 *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_key_kernel(runnel_phelix_64 *c, const uint8_t *key, size_t key_bytes,
                                                             const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_iv(runnel_phelix_64 *c, const uint8_t *iv, size_t iv_bytes);
/* Encrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_encrypt(runnel_phelix_64 *c, uint8_t *out, const uint8_t *in,
                                                          size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_encrypt_packet(runnel_phelix_64 *c, const uint8_t *iv,
                                                                 size_t iv_bytes, uint8_t *out, const uint8_t *in,
                                                                 size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_encrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                               const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                               size_t iv_bytes);
/* Decrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_decrypt(runnel_phelix_64 *c, uint8_t *out, const uint8_t *in,
                                                          size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_decrypt_packet(runnel_phelix_64 *c, const uint8_t *iv,
                                                                 size_t iv_bytes, uint8_t *out, const uint8_t *in,
                                                                 size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_phelix_64_decrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                               const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                               size_t iv_bytes);
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_phelix_64_tell(const runnel_phelix_64 *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_phelix_64_left(const runnel_phelix_64 *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_phelix_64_kernel(const runnel_phelix_64 *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_phelix_64_wipe(runnel_phelix_64 *c);

#ifdef __cplusplus
}
#endif
#endif
