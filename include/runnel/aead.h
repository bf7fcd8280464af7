/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Authenticated encryption with associated data (AEAD): a message is sealed under a key and a nonce into a ciphertext of
 * the same length and a tag, which also covers associated data that are not encrypted. Opening it gives the message, or
 * RUNNEL_ERR_TAG where key, nonce, associated data, ciphertext and tag do not belong together.
 *
 * A program that knows its AEAD uses the AEAD's own header (<runnel/aes.h> has runnel_aes_gcm …): the same verbs, on a
 * context of known size. The verbs here take any of them by name.
 *
 * The rules of <runnel/stream.h> hold, and for every function here:
 *  - a nonce is for one message under a key; runnel_aead.nonce_reuse says what reuse costs;
 *  - out == in is allowed; out may not overlap in otherwise, nor the nonce, aad or tag (OVERLAP). Nonce and tag lengths
 *    that the AEAD does not take are IV_LENGTH and TAG_LENGTH, messages that are too long LIMIT;
 *  - errors are decided before the first output byte: then output and context are as they were. RUNNEL_ERR_TAG is the
 *    only exception: out is then filled with zeros, in place too, and the key stays set;
 *  - tags are compared in constant time. Timing depends on lengths, the nonce and whether a tag is right, and on nothing
 *    else if the kernel is constant-time. */
#ifndef RUNNEL_AEAD_H
#define RUNNEL_AEAD_H

#include <runnel/cipher.h>
#include <runnel/detail/aead.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The length of the longest tag of any AEAD, in bytes; that of 32 is AEGIS's. */
enum { RUNNEL_AEAD_TAG_MAX = RUNNEL_HOSTED ? 32 : 16 };

/* An AEAD describes itself in one of these; everything else reads it. */
typedef RUNNEL_IN_FLASH struct runnel_aead {
    const char *name;        /* as on the command line: "aes-128-gcm" */
    const char *family;      /* as in the functions of its own header: "aes_gcm" in runnel_aes_gcm_key */
    const char *title;       /* as in a text: "AES-128 in Galois/Counter Mode" */
    const char *source;      /* the specification: "FIPS 197; SP 800-38D" */
    const char *remark;      /* what a user must know (a limit, a discouraged choice), or NULL */
    const char *nonce_reuse; /* what two messages under one key and nonce cost: one clause */
    uint8_t status;          /* RUNNEL_RECOMMENDED, RUNNEL_LEGACY or RUNNEL_BROKEN */
    uint8_t commits;         /* 1: no ciphertext and tag open under two keys */
    uint8_t multipart;       /* 1: a message may come in pieces, see runnel_aead_start */
    uint8_t lengths_first;   /* 1: runnel_aead_lengths must come before the pieces */
    uint8_t tag_first;       /* 1: the tag comes before the ciphertext on the wire */
    uint8_t two_keys;        /* 1: the key is two keys of the cipher inside, one behind the other */
    uint8_t tag_default;     /* bytes of its standard's full tag */
    uint8_t nonce_random;    /* 1: nonces of nonce_default bytes may be drawn at random, for `messages` messages */
    uint8_t nonce_default;   /* bytes of the preferred nonce */
    uint16_t nonce_min;      /* bytes of the shortest nonce */
    uint16_t nonce_max;      /* bytes of the longest; UINT16_MAX: of any length */
    uint32_t tag_set;        /* bit n: tags of n bytes; bit 0: of 32 */
    uint16_t key_bytes;
    uint64_t plaintext_max; /* bytes of a message; with short-counter nonces (CCM) fewer: runnel_aead_plaintext_max */
    uint64_t aad_max;       /* bytes of associated data; UINT64_MAX: any */
    uint64_t messages;      /* messages under a key with random nonces, or with any if nonce_random is 0; 0: no limit
                           that anybody reaches */
    uint32_t context_bytes;
    uint16_t mode_offset;   /* where the mode's part of the context is */
    uint16_t cipher_offset; /* where the cipher inside has its context; 0: none */
    uint16_t ahead_offset;  /* where there is a runnel_keystream; 0: nowhere */
    const RUNNEL_IN_FLASH struct runnel_aead_mode *mode;
    const runnel_cipher *const RUNNEL_IN_FLASH
        *ciphers; /* the cipher inside, by the length of its key; ends with NULL */
} runnel_aead;

/* Some of them; ends with NULL. */
typedef const runnel_aead *const RUNNEL_IN_FLASH runnel_aead_list[];

/* Returns how many AEADs there are. */
RUNNEL_API size_t runnel_aead_count(void);
/* Returns the AEAD number index (from 0, in order of name), or NULL past the last. */
RUNNEL_API const runnel_aead *runnel_aead_at(size_t index);
/* Returns the AEAD of that name, or NULL. */
RUNNEL_API const runnel_aead *runnel_aead_find(const char *name);
/* Describes kernel number index of an AEAD; if there is a cipher inside, that cipher's. Errors: KERNEL past the last,
 * NULL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_kernel_at(const runnel_aead *aead, size_t index, runnel_kernel_info *info);
/* Return 1 if the AEAD, which must not be NULL, takes a nonce, or a tag, of that many bytes, else 0. */
RUNNEL_API int runnel_aead_takes_nonce(const runnel_aead *aead, size_t nonce_bytes);
RUNNEL_API int runnel_aead_takes_tag(const runnel_aead *aead, size_t tag_bytes);
/* Returns the length in bytes of the longest message under a nonce of that length; aead must not be NULL. */
RUNNEL_API uint64_t runnel_aead_plaintext_max(const runnel_aead *aead, size_t nonce_bytes);

/* Sets a key in a context of aead->context_bytes bytes, aligned to RUNNEL_ALIGN as memory from malloc is, or better to
 * RUNNEL_RECOMMENDED_ALIGN. kernel names the kernel to run, NULL lets the library choose: the fastest constant-time one
 * that this CPU has. Errors: NULL, KEY_LENGTH, KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key,
                                                 size_t key_bytes, const char *kernel);
/* Returns the name of the kernel, NULL without a key. */
RUNNEL_API const char *runnel_aead_kernel(const runnel_aead_context *c);
/* Clears the context of the AEAD whose key it has and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aead_wipe(runnel_aead_context *c);

/* Seals a message: out gets the ciphertext, `bytes` bytes like the message, tag its tag_bytes bytes. Ends a message in
 * pieces that was not finished. Errors: NULL, STATE (no key), IV_LENGTH, TAG_LENGTH, LIMIT, OVERLAP. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_seal(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                                  const uint8_t *aad, size_t aad_bytes, uint8_t *out, const uint8_t *in,
                                                  size_t bytes, uint8_t *tag, size_t tag_bytes);
/* Opens a message: out gets its `bytes` bytes, or zeros with RUNNEL_ERR_TAG. During the call out may hold
 * unauthenticated data. Errors: as above, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_open(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                                  const uint8_t *aad, size_t aad_bytes, uint8_t *out, const uint8_t *in,
                                                  size_t bytes, const uint8_t *tag, size_t tag_bytes);

#if RUNNEL_HOSTED
/* One message of several. */
typedef struct runnel_aead_packet {
    const uint8_t *nonce;
    const uint8_t *aad;
    const uint8_t *in;
    uint8_t *out;
    uint8_t *tag; /* written by seal_batch, only read by open_batch */
    size_t nonce_bytes, aad_bytes, bytes, tag_bytes;
    int result; /* of this packet: RUNNEL_OK or RUNNEL_ERR_TAG */
} runnel_aead_packet;

/* Seal or open several messages under one key: the same as that many calls, side by side where that is faster. Any
 * error except TAG is decided before anything is written, and then no packet's result is set. Buffers of different
 * packets must not overlap, which is not checked. open_batch opens every packet that is authentic; it returns
 * RUNNEL_ERR_TAG if one is not, and each packet's result says which. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_seal_batch(runnel_aead_context *c, runnel_aead_packet *packets,
                                                        size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_open_batch(runnel_aead_context *c, runnel_aead_packet *packets,
                                                        size_t count);
#endif

/* A message in pieces, for messages that do not fit into memory: start; lengths, where the AEAD has lengths_first; aad
 * any number of times; then encrypt any number of times and tag, or decrypt and verify. Pieces may have any length.
 * After tag and verify the next message may start.
 *
 * What decrypt writes is UNVERIFIED: do not act on it before verify returns RUNNEL_OK, and destroy it if verify fails.
 * Where the message fits into memory, use runnel_aead_open. Errors: STATE if the order is not kept, ONE_SHOT for an
 * AEAD that is not multipart. */

/* Starts a message whose tag has tag_bytes bytes. Errors: NULL, STATE (no key), ONE_SHOT, IV_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes,
                                                   size_t tag_bytes);
/* Announces the lengths of associated data and message, in bytes; the pieces must then add up to exactly that. Errors:
 * NULL, STATE, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_lengths(runnel_aead_context *c, uint64_t aad_bytes, uint64_t text_bytes);
/* Adds the next `bytes` bytes of associated data. Errors: NULL, STATE, LIMIT (also: more than announced). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_aad(runnel_aead_context *c, const uint8_t *aad, size_t bytes);
/* Encrypt or decrypt the next `bytes` bytes of the message from in to out. Errors: NULL, STATE, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_encrypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in,
                                                     size_t bytes);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_decrypt(runnel_aead_context *c, uint8_t *unverified, const uint8_t *in,
                                                     size_t bytes);
/* Ends an encrypted message and writes its tag; tag_bytes as given to start. Errors: NULL, STATE (also: less than
 * lengths announced, and after decrypt), TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_tag(runnel_aead_context *c, uint8_t *tag, size_t tag_bytes);
/* Ends a decrypted message and compares its tag, in constant time. Errors: as tag (STATE after encrypt), and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aead_verify(runnel_aead_context *c, const uint8_t *tag, size_t tag_bytes);

#ifdef __cplusplus
}
#endif
#endif
