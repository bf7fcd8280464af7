/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An independent library that has some of our ciphers: one file for each, with these. */
#ifndef RUNNEL_TESTS_PEER_H
#define RUNNEL_TESTS_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Its name and version. */
const char *peer_name(void);

/* Writes in XOR keystream, or where directions differ in encrypted, to out, which lies apart from in. cipher is our
 * name for it; in counter mode (be128, or be64 with blocks of 8 bytes) iv is the first counter block; other ciphers
 * start at block number `block` of their own. Returns 0, or -1 if the library has no such cipher, or no key or IV of this
 * length, or cannot start at that block. */
int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
             uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes);

/* A message to be sealed: ciphertext to out, which lies apart from in, and its tag. */
typedef struct peer_message {
    const uint8_t *key, *nonce, *aad, *in;
    uint8_t *out, *tag;
    size_t key_bytes, nonce_bytes, aad_bytes, bytes, tag_bytes;
} peer_message;

/* aead is our name for it. Returns 0, or -1 if the library has no such AEAD, or takes no nonce or tag of this length. */
int peer_seal(const char *aead, const peer_message *m);

#ifdef __cplusplus
}
#endif
#endif
