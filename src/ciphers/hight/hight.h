/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT (TTAS.KO-12.0040, ISO/IEC 18033-3), blocks of 8 bytes, key of 16 bytes:
 *  - runnel_hight_ctr, counter mode (SP 800-38A 6.5). IV of 8 bytes: the whole first counter block. Counter layouts:
 *    be64 (the default, as in the published vectors), be32, be16, le64 and le32. Seekable.
 *  - runnel_hight_cfb, cipher feedback of whole blocks of 8 bytes (SP 800-38A 6.3). IV of 8 bytes, unpredictable.
 *  - runnel_hight_blocks, the block cipher itself.
 *
 * Byte order: byte 0 of key, block and IV is MK0, P0, X0, as in KISA's code, its vectors and Crypto++. The paper and
 * ISO/IEC 18033-3 print the byte of the highest index first: reverse their strings.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_HIGHT_H
#define RUNNEL_HIGHT_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Firmware names its kernel with RUNNEL_HIGHT_KERNEL. A bit-sliced one also keeps the keys in that form, 2 KiB. */
#if defined(RUNNEL_HIGHT_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_HIGHT_SLICES_OF_(kernel) RUNNEL_HIGHT_SLICES_##kernel
#define RUNNEL_HIGHT_SLICES_OF(kernel) RUNNEL_HIGHT_SLICES_OF_(kernel)
#define RUNNEL_HIGHT_SLICED_WORDS RUNNEL_HIGHT_SLICES_OF(RUNNEL_HIGHT_KERNEL)
#elif defined(__riscv) && __riscv_xlen == 32
#define RUNNEL_HIGHT_SLICED_WORDS 528
#else
#define RUNNEL_HIGHT_SLICED_WORDS 0
#endif

typedef struct runnel_hight_schedule {
    RUNNEL_ALIGNED uint8_t whitening[8]; /* WK0 … WK7 */
    uint8_t subkeys[128];                /* SK0 … SK127: four a round */
#if RUNNEL_HIGHT_SLICED_WORDS
    RUNNEL_ALIGNED uint32_t sliced[RUNNEL_HIGHT_SLICED_WORDS];
#endif
} runnel_hight_schedule;

typedef struct runnel_hight_ctr {
    runnel_ctr_head head;
    runnel_hight_schedule schedule;
} runnel_hight_ctr;

typedef struct runnel_hight_cfb {
    runnel_cfb_head head;
    runnel_hight_schedule schedule;
} runnel_hight_cfb;

typedef struct runnel_hight_blocks {
    runnel_blocks blocks;
    runnel_hight_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_hight_schedule decrypt;
#endif
} runnel_hight_blocks;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_key(runnel_hight_ctr *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_key_kernel(runnel_hight_ctr *c, const uint8_t *key, size_t key_bytes,
                                                             const char *kernel);
/* Sets the IV, the whole first counter block, and starts a message at position 0. layout, RUNNEL_BE… or RUNNEL_LE…,
 * says which part of the block counts (0: the cipher's default). Errors: NULL, IV_LENGTH, LAYOUT, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_iv(runnel_hight_ctr *c, const uint8_t *iv, size_t iv_bytes,
                                                     int layout);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_xor(runnel_hight_ctr *c, uint8_t *out, const uint8_t *in,
                                                      size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_packet(runnel_hight_ctr *c, const uint8_t *iv, size_t iv_bytes,
                                                         int layout, uint8_t *out, const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_seek(runnel_hight_ctr *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                       const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                       size_t iv_bytes, int layout);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_ctr_xor_batch(runnel_hight_ctr *const *c, uint8_t *const *out,
                                                            const uint8_t *const *in, const size_t *bytes,
                                                            size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_hight_ctr_tell(const runnel_hight_ctr *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_hight_ctr_left(const runnel_hight_ctr *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_hight_ctr_kernel(const runnel_hight_ctr *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_hight_ctr_wipe(runnel_hight_ctr *c);

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_key(runnel_hight_cfb *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_key_kernel(runnel_hight_cfb *c, const uint8_t *key, size_t key_bytes,
                                                             const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_iv(runnel_hight_cfb *c, const uint8_t *iv, size_t iv_bytes);
/* Encrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_encrypt(runnel_hight_cfb *c, uint8_t *out, const uint8_t *in,
                                                          size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_encrypt_packet(runnel_hight_cfb *c, const uint8_t *iv,
                                                                 size_t iv_bytes, uint8_t *out, const uint8_t *in,
                                                                 size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_encrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                               const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                               size_t iv_bytes);
/* Decrypts `bytes` bytes; a message may be split anywhere and has one direction. Timing class: the kernel's. Errors:
 * STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_decrypt(runnel_hight_cfb *c, uint8_t *out, const uint8_t *in,
                                                          size_t bytes);
/* Sets the IV and processes its message, checked once. Errors: those of both. See runnel_stream_encrypt_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_decrypt_packet(runnel_hight_cfb *c, const uint8_t *iv,
                                                                 size_t iv_bytes, uint8_t *out, const uint8_t *in,
                                                                 size_t bytes);
/* Sets key and IV, processes one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_cfb_decrypt_once(uint8_t *out, const uint8_t *in, size_t bytes,
                                                               const uint8_t *key, size_t key_bytes, const uint8_t *iv,
                                                               size_t iv_bytes);
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_hight_cfb_tell(const runnel_hight_cfb *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_hight_cfb_left(const runnel_hight_cfb *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_hight_cfb_kernel(const runnel_hight_cfb *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_hight_cfb_wipe(runnel_hight_cfb *c);

/* Key set-up for both directions, by default with a kernel that has both. Constant-time in the key. Errors: NULL,
 * KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_blocks_key(runnel_hight_blocks *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name. Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_blocks_key_kernel(runnel_hight_blocks *c, const uint8_t *key,
                                                                size_t key_bytes, const char *kernel);
/* Encrypts nblocks blocks, each by itself (ECB); out == in or no overlap. Equal blocks stay equal: not a way to
 * encrypt data. Timing class: the kernel's. Errors: NULL, STATE (no key), OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_blocks_encrypt(const runnel_hight_blocks *c, uint8_t *out,
                                                             const uint8_t *in, size_t nblocks);
/* Decrypts likewise. Errors also: KERNEL (the kernel named at key set-up only encrypts). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hight_blocks_decrypt(const runnel_hight_blocks *c, uint8_t *out,
                                                             const uint8_t *in, size_t nblocks);
/* Returns the name of the kernel, NULL without a key. */
RUNNEL_API const char *runnel_hight_blocks_kernel(const runnel_hight_blocks *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_hight_blocks_wipe(runnel_hight_blocks *c);

#ifdef __cplusplus
}
#endif
#endif
