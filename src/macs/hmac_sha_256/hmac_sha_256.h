/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC-SHA-256 (RFC 2104, FIPS 180-4): key of any length (32 bytes are best; keys longer than 64 are hashed first),
 * tag of 16 to 32 bytes. Key set-up hashes the two blocks of the padded key in advance, so that a short message takes
 * two blocks. In firmware a message has less than 2^38 bytes.
 *
 * The rules for all MACs are in <runnel/mac.h>. */
#ifndef RUNNEL_HMAC_SHA_256_H
#define RUNNEL_HMAC_SHA_256_H

#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_hmac_sha_256 {
    runnel_mac_context mac;
    uint8_t partial_block[64];
    runnel_count blocks; /* of the hash so far */
    uint32_t state[8];
    uint32_t inner[8], outer[8]; /* the state after a block of the key */
} runnel_hmac_sha_256;

/* Sets a key and starts a message. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_256_key(runnel_hmac_sha_256 *c, const uint8_t *key, size_t key_bytes);
/* Adds the next `bytes` bytes of the message. Errors: NULL, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_256_update(runnel_hmac_sha_256 *c, const uint8_t *data, size_t bytes);
/* Writes the message's tag, tag_bytes bytes, to tag and starts the next message. Errors: NULL, STATE (no key),
 * TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_256_tag(runnel_hmac_sha_256 *c, uint8_t *tag, size_t tag_bytes);
/* As _tag, but compares the message's tag with the given one, in constant time. Errors also: TAG (they differ; the
 * next message has started even so). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_256_verify(runnel_hmac_sha_256 *c, const uint8_t *tag,
                                                            size_t tag_bytes);
/* Computes the tag of one message: _key, _update, _tag and _wipe. Errors: NULL, KEY_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_256_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data,
                                                          size_t bytes, const uint8_t *key, size_t key_bytes);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_hmac_sha_256_wipe(runnel_hmac_sha_256 *c);

#if RUNNEL_HOSTED
/* One message of several. */
typedef struct runnel_hmac_sha_256_message {
    const uint8_t *data;
    uint8_t *tag; /* written by tag_batch, only read by verify_batch */
    size_t bytes, tag_bytes;
    int result; /* of this message: RUNNEL_OK or RUNNEL_ERR_TAG */
} runnel_hmac_sha_256_message;

/* Write, or compare in constant time, the tags of several messages under one key, side by side: with 16 long ones in less
 * than half the time of that many calls (x86-64 with AVX-512). Messages may have any lengths and may share memory that is
 * only read; a tag that is written must not overlap a message. The message that c is in the middle of, if any, is left as it
 * is, so that several threads may use one context for this at a time. Any error except TAG is decided before anything is
 * written, and then no result is set. verify_batch compares all messages; it returns RUNNEL_ERR_TAG if one tag is wrong,
 * and each message's result says which. Errors: NULL, STATE (no key), TAG_LENGTH, TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_256_tag_batch(const runnel_hmac_sha_256 *c,
                                                               runnel_hmac_sha_256_message *messages, size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_256_verify_batch(const runnel_hmac_sha_256 *c,
                                                                  runnel_hmac_sha_256_message *messages, size_t count);
#endif

#ifdef __cplusplus
}
#endif
#endif
