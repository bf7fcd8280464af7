/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The verbs, the same for every family of ciphers. A cipher's header defines its context, runnel_<family>, and declares
 * them; for AES in counter mode (family aes_ctr) they are:
 *
 *   int runnel_aes_ctr_key(runnel_aes_ctr *c, const uint8_t *key, size_t key_bytes);
 *       Key set-up. The key's length picks the cipher of the family, the CPU the kernel. An IV must follow.
 *       Errors: NULL, KEY_LENGTH. Constant-time in the key.
 *   int runnel_aes_ctr_key_kernel(runnel_aes_ctr *c, const uint8_t *key, size_t key_bytes, const char *kernel);
 *       The same with a kernel chosen by name. Errors also: KERNEL.
 *   int runnel_aes_ctr_iv(runnel_aes_ctr *c, const uint8_t *iv, size_t iv_bytes, int layout);
 *       Starts a message. In counter mode the IV is the whole first counter block and layout says where and how it
 *       counts (0: the cipher's default); other ciphers have no layout argument.
 *       Errors: NULL, IV_LENGTH, LAYOUT, STATE (no key).
 *   int runnel_aes_ctr_xor(runnel_aes_ctr *c, uint8_t *out, const uint8_t *in, size_t bytes);
 *   int runnel_aes_ctr_packet(runnel_aes_ctr *c, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
 *                             const uint8_t *in, size_t bytes);
 *       A new IV and its message in one call, as runnel_stream_packet; other ciphers have no layout argument.
 *   int runnel_aes_ctr_seek(runnel_aes_ctr *c, uint64_t position);
 *   uint64_t runnel_aes_ctr_tell(const runnel_aes_ctr *c);
 *   uint64_t runnel_aes_ctr_left(const runnel_aes_ctr *c);
 *   const char *runnel_aes_ctr_kernel(const runnel_aes_ctr *c);
 *   void runnel_aes_ctr_wipe(runnel_aes_ctr *c);
 *       As runnel_stream_xor and so on in <runnel/stream.h>.
 *   int runnel_aes_ctr_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key, size_t key_bytes,
 *                           const uint8_t *iv, size_t iv_bytes, int layout);
 *       Key set-up, IV set-up and xor of one message, and then a wipe, as runnel_stream_wipe does it. Errors: those of
 *       the three.
 *
 * On hosts, for several streams at once:
 *
 *   int runnel_rabbit_xor_batch(runnel_rabbit *const *c, uint8_t *const *out, const uint8_t *const *in,
 *                              const size_t *bytes, size_t count);
 *   int runnel_rabbit_iv_batch(runnel_rabbit *const *c, const uint8_t *const *ivs, size_t iv_bytes, size_t count);
 *       As runnel_stream_xor_batch and _iv_batch in <runnel/stream.h>; in counter mode, where a new IV costs nothing,
 *       without the latter. Keys are set at once by runnel_cipher_key_batch in <runnel/cipher.h>.
 *
 * Where encryption and decryption differ (family aes_cfb), instead of xor and seek:
 *
 *   int runnel_aes_cfb_encrypt(runnel_aes_cfb *c, uint8_t *out, const uint8_t *in, size_t bytes);
 *   int runnel_aes_cfb_decrypt(runnel_aes_cfb *c, uint8_t *out, const uint8_t *in, size_t bytes);
 *       As runnel_stream_encrypt and _decrypt; a message may be cut anywhere.
 *   int runnel_aes_cfb_encrypt_packet(runnel_aes_cfb *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
 *                                     const uint8_t *in, size_t bytes);
 *   int runnel_aes_cfb_decrypt_packet(...);
 *   int runnel_aes_cfb_encrypt_once(...), runnel_aes_cfb_decrypt_once(...);
 *
 * And for the block cipher itself (family aes_blocks), to build modes on:
 *
 *   int runnel_aes_blocks_key(runnel_aes_blocks *c, const uint8_t *key, size_t key_bytes);
 *   int runnel_aes_blocks_key_kernel(runnel_aes_blocks *c, const uint8_t *key, size_t key_bytes, const char *kernel);
 *       Key set-up for both directions, by default with a kernel that has both.
 *   int runnel_aes_blocks_encrypt(const runnel_aes_blocks *c, uint8_t *out, const uint8_t *in, size_t nblocks);
 *   int runnel_aes_blocks_decrypt(const runnel_aes_blocks *c, uint8_t *out, const uint8_t *in, size_t nblocks);
 *       Each block by itself (ECB); out == in or no overlap. Errors: NULL, STATE (no key), OVERLAP, and for decrypt
 *       KERNEL: the kernel named at key set-up only encrypts. Equal blocks stay equal: not a way to encrypt data. */
#ifndef RUNNEL_VERBS_H
#define RUNNEL_VERBS_H

#include <runnel/stream.h>

/* In the source the prototypes that families share are in runnel/verbs/, once for all. A cipher's header includes them
 * for each of its families, between
 *   #define RUNNEL_FAMILY(verb) runnel_aes_ctr##verb
 *   #undef RUNNEL_FAMILY
 * and names the functions beside it, so that they are found; in an installed header they are written out. */
#define RUNNEL_CONTEXT RUNNEL_FAMILY()

#endif
