/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC-SHA-1 (RFC 2104, FIPS 180-4; vectors: RFC 2202): key of any length (20 bytes are usual; keys longer than 64 are
 * hashed first), tag of 4 to 20 bytes. Key set-up hashes the two blocks of the padded key in advance, so that a short
 * message takes two blocks. In firmware a message has less than 2^38 bytes.
 *
 * Legacy: collisions of SHA-1 can be made, which HMAC's proof does not need to rule out, so that no forgery of HMAC-SHA-1
 * is known; it is here for protocols that fix it, as SRTP does (RFC 3711). Tags of less than 10 bytes are for SRTP's
 * 32-bit profiles alone. New designs take HMAC-SHA-256.
 *
 * The rules for all MACs are in <runnel/mac.h>. */
#ifndef RUNNEL_HMAC_SHA_1_H
#define RUNNEL_HMAC_SHA_1_H

#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The expanded key: the states after its two blocks. */
typedef struct runnel_hmac_sha_1_pads {
    uint32_t inner[5], outer[5];
} runnel_hmac_sha_1_pads;

typedef struct runnel_hmac_sha_1 {
    runnel_mac_context mac;
    uint8_t partial_block[64];
    runnel_count blocks; /* of the hash so far */
    uint32_t state[5];
    runnel_hmac_sha_1_pads pads;
#if RUNNEL_HOSTED
    const struct runnel_hmac_sha_1_kernel *kernel;
#endif
} runnel_hmac_sha_1;

/* Sets a key and starts a message. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_1_key(runnel_hmac_sha_1 *c, const uint8_t *key, size_t key_bytes);
/* Adds the next `bytes` bytes of the message. Errors: NULL, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_1_update(runnel_hmac_sha_1 *c, const uint8_t *data, size_t bytes);
/* Writes the message's tag, tag_bytes bytes, to tag and starts the next message. Errors: NULL, STATE (no key),
 * TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_1_tag(runnel_hmac_sha_1 *c, uint8_t *tag, size_t tag_bytes);
/* As _tag, but compares the message's tag with the given one, in constant time. Errors also: TAG (they differ; the
 * next message has started even so). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_1_verify(runnel_hmac_sha_1 *c, const uint8_t *tag, size_t tag_bytes);
/* Computes the tag of one message: _key, _update, _tag and _wipe. Errors: NULL, KEY_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_hmac_sha_1_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data,
                                                        size_t bytes, const uint8_t *key, size_t key_bytes);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_hmac_sha_1_wipe(runnel_hmac_sha_1 *c);

#ifdef __cplusplus
}
#endif
#endif
