/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA-128, ARIA-192 and ARIA-256 (RFC 5794, KS X 1213), keys of 16, 24 or 32 bytes:
 *  - runnel_aria_ctr, counter mode (SP 800-38A 6.5; RFC 8269 for SRTP). IV of 16 bytes: the whole first counter block.
 *    Counter layouts: all be… and le… ones. Seekable.
 *  - runnel_aria_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_aria_blocks, the block cipher itself.
 *  - runnel_aria_gcm, authenticated encryption (GCM, SP 800-38D). Nonces of at least 1 byte, preferably 12; tags of 4,
 *    8 or 12 to 16 bytes, 4 and 8 for special uses only. A message has up to 2^36 - 32 bytes.
 *  - runnel_aria_ccm, authenticated encryption (CCM, SP 800-38C). Nonces of 7 to 13 bytes; tags of 4, 6, 8 … 16 bytes.
 *    Under a nonce of n bytes a message has up to 2^(120 - 8 n) - 1 bytes.
 *
 * Firmware names its kernel with RUNNEL_ARIA_KERNEL and its longest key with RUNNEL_ARIA_KEY_BITS (128, 192 or 256): it
 * decides the size of the context.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>,
 * and what holds for AEADs in <runnel/aead.h>. */
#ifndef RUNNEL_ARIA_H
#define RUNNEL_ARIA_H

#include <runnel/aead.h>
#include <runnel/detail/modes.h>
#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_ARIA_KEY_BITS
#define RUNNEL_ARIA_KEY_BITS 256
#endif

/* The round keys ek1 … ek13, ek15 or ek17, byte x0 first. */
typedef struct runnel_aria_schedule {
    RUNNEL_ALIGNED uint8_t keys[RUNNEL_ARIA_KEY_BITS / 32 + 9][16];
#if defined(__x86_64__)
    RUNNEL_ALIGNED uint8_t folded[RUNNEL_ARIA_KEY_BITS / 32 + 9][16]; /* as kernels that slice by bytes add them */
#endif
    uint8_t rounds; /* 12, 14 or 16 */
} runnel_aria_schedule;

typedef struct runnel_aria_ctr {
    runnel_ctr_head head;
    runnel_aria_schedule schedule;
} runnel_aria_ctr;

typedef struct runnel_aria_cfb {
    runnel_cfb_head head;
    runnel_aria_schedule schedule;
} runnel_aria_cfb;

typedef struct runnel_aria_blocks {
    runnel_blocks blocks;
    runnel_aria_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_aria_schedule decrypt;
#endif
} runnel_aria_blocks;

typedef struct runnel_aria_gcm {
    RUNNEL_GCM_CONTEXT(runnel_aria_ctr)
} runnel_aria_gcm;

typedef struct runnel_aria_ccm {
    RUNNEL_CCM_CONTEXT(runnel_aria_ctr)
} runnel_aria_ccm;

/* Key set-up: the key's length picks the cipher, the CPU the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_key(runnel_aria_ctr *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_key_kernel(runnel_aria_ctr *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Sets the IV, the whole first counter block, and starts a message at position 0. layout, RUNNEL_BE… or RUNNEL_LE…,
 * says which part of the block counts (0: the cipher's default). Errors: NULL, IV_LENGTH, LAYOUT, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_iv(runnel_aria_ctr *c, const uint8_t *iv, size_t iv_bytes, int layout);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_xor(runnel_aria_ctr *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_packet(runnel_aria_ctr *c, const uint8_t *iv, size_t iv_bytes,
                                                        int layout, uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_seek(runnel_aria_ctr *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                      size_t key_bytes, const uint8_t *iv, size_t iv_bytes, int layout);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ctr_xor_batch(runnel_aria_ctr *const *c, uint8_t *const *out,
                                                           const uint8_t *const *in, const size_t *bytes, size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_aria_ctr_tell(const runnel_aria_ctr *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_aria_ctr_left(const runnel_aria_ctr *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_aria_ctr_kernel(const runnel_aria_ctr *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aria_ctr_wipe(runnel_aria_ctr *c);

/* Key set-up: the key's length picks the cipher, the CPU the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_key(runnel_aria_cfb *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_key_kernel(runnel_aria_cfb *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_iv(runnel_aria_cfb *c, const uint8_t *iv, size_t iv_bytes);
/* Encrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_encrypt(runnel_aria_cfb *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_encrypt_packet(runnel_aria_cfb *c, const uint8_t *iv, size_t iv_bytes,
                                                                uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_encrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                              const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                              size_t iv_bytes);
/* Decrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_decrypt(runnel_aria_cfb *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_decrypt_packet(runnel_aria_cfb *c, const uint8_t *iv, size_t iv_bytes,
                                                                uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_cfb_decrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                              const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                              size_t iv_bytes);
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_aria_cfb_tell(const runnel_aria_cfb *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_aria_cfb_left(const runnel_aria_cfb *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_aria_cfb_kernel(const runnel_aria_cfb *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aria_cfb_wipe(runnel_aria_cfb *c);

/* Key set-up for both directions, by default with a kernel that has both. Constant-time in the key. Errors: NULL,
 * KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_blocks_key(runnel_aria_blocks *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name. Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_blocks_key_kernel(runnel_aria_blocks *c, const uint8_t *key,
                                                               size_t key_bytes, const char *kernel);
/* Encrypts nblocks blocks, each by itself (ECB); out == in or no overlap. Equal blocks stay equal: not a way to
 * encrypt data. Timing class: the kernel's. Errors: NULL, STATE (no key), OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_blocks_encrypt(const runnel_aria_blocks *c, uint8_t *out,
                                                            const uint8_t *in, size_t nblocks);
/* Decrypts likewise. Errors also: KERNEL (the kernel named at key set-up only encrypts). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_blocks_decrypt(const runnel_aria_blocks *c, uint8_t *out,
                                                            const uint8_t *in, size_t nblocks);
/* Returns the name of the kernel, NULL without a key. */
RUNNEL_API const char *runnel_aria_blocks_kernel(const runnel_aria_blocks *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aria_blocks_wipe(runnel_aria_blocks *c);

/* Key set-up: the key's length picks the cipher, the CPU the kernel. Constant-time in the key. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_key(runnel_aria_gcm *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_key_kernel(runnel_aria_gcm *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_seal(runnel_aria_gcm *c, const uint8_t *nonce, size_t nonce_bytes,
                                                      const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                      const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_open(runnel_aria_gcm *c, const uint8_t *nonce, size_t nonce_bytes,
                                                      const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                      const uint8_t *in, size_t bytes, const uint8_t *tag,
                                                      size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_seal_batch(runnel_aria_gcm *c, runnel_aead_packet *packets,
                                                            size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_open_batch(runnel_aria_gcm *c, runnel_aead_packet *packets,
                                                            size_t count);
#endif
/* Starts a message in pieces: lengths, aad, then encrypt and tag, or decrypt and verify; see runnel_aead_start.
 * Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_start(runnel_aria_gcm *c, const uint8_t *nonce, size_t nonce_bytes,
                                                       size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes; optional. The pieces must then add up to them.
 * Errors: NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_lengths(runnel_aria_gcm *c, uint64_t aad_bytes, uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE (no start, or the text has begun), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_aad(runnel_aria_gcm *c, const uint8_t *aad, size_t bytes);
/* Encrypts the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_encrypt(runnel_aria_gcm *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Decrypts likewise; do not use what it writes before verify has returned RUNNEL_OK. Errors: as encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_decrypt(runnel_aria_gcm *c, uint8_t *unverified, const uint8_t *in,
                                                         size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_tag(runnel_aria_gcm *c, uint8_t *tag, size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag, and TAG: then destroy all that
 * decrypt wrote. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_gcm_verify(runnel_aria_gcm *c, const uint8_t *tag, size_t tag_bytes);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_aria_gcm_kernel(const runnel_aria_gcm *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aria_gcm_wipe(runnel_aria_gcm *c);

/* Key set-up: the key's length picks the cipher, the CPU the kernel. Constant-time in the key. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_key(runnel_aria_ccm *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_key_kernel(runnel_aria_ccm *c, const uint8_t *key, size_t key_bytes,
                                                            const char *kernel);
/* Seals a message: `bytes` bytes of ciphertext to out, tag_bytes bytes to tag. Timing class: the kernel's. See
 * runnel_aead_seal. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_seal(runnel_aria_ccm *c, const uint8_t *nonce, size_t nonce_bytes,
                                                      const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                      const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes);
/* Opens a message: `bytes` bytes to out, zeros if it is not authentic. Timing class: the kernel's. See
 * runnel_aead_open. Errors: as seal, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_open(runnel_aria_ccm *c, const uint8_t *nonce, size_t nonce_bytes,
                                                      const uint8_t *aad, size_t aad_bytes, uint8_t *out,
                                                      const uint8_t *in, size_t bytes, const uint8_t *tag,
                                                      size_t tag_bytes);
#if RUNNEL_HOSTED
/* Seal or open `count` messages under one key; see runnel_aead_seal_batch. Errors: as for one message. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_seal_batch(runnel_aria_ccm *c, runnel_aead_packet *packets,
                                                            size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_open_batch(runnel_aria_ccm *c, runnel_aead_packet *packets,
                                                            size_t count);
#endif
/* Starts a message in pieces: lengths, aad, then encrypt and tag, or decrypt and verify; see runnel_aead_start.
 * Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_start(runnel_aria_ccm *c, const uint8_t *nonce, size_t nonce_bytes,
                                                       size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes; required before the first piece. The pieces must
 * add up to them. Errors: NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_lengths(runnel_aria_ccm *c, uint64_t aad_bytes, uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE (no start, or the text has begun), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_aad(runnel_aria_ccm *c, const uint8_t *aad, size_t bytes);
/* Encrypts the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_encrypt(runnel_aria_ccm *c, uint8_t *out, const uint8_t *in,
                                                         size_t bytes);
/* Decrypts likewise; do not use what it writes before verify has returned RUNNEL_OK. Errors: as encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_decrypt(runnel_aria_ccm *c, uint8_t *unverified, const uint8_t *in,
                                                         size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_tag(runnel_aria_ccm *c, uint8_t *tag, size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag, and TAG: then destroy all that
 * decrypt wrote. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aria_ccm_verify(runnel_aria_ccm *c, const uint8_t *tag, size_t tag_bytes);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_aria_ccm_kernel(const runnel_aria_ccm *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aria_ccm_wipe(runnel_aria_ccm *c);

#ifdef __cplusplus
}
#endif
#endif
