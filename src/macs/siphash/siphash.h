/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash-2-4 (Aumasson, Bernstein 2012): key of 16 bytes, tag of 8 bytes (runnel_siphash) or 16 (runnel_siphash_128;
 * another function, whose first half is not the short tag). Byte order of tags is that of the reference code.
 *
 * The rules for all MACs are in <runnel/mac.h>. */
#ifndef RUNNEL_SIPHASH_H
#define RUNNEL_SIPHASH_H

#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_siphash {
    runnel_mac_context mac;
    uint8_t partial_block[8];
    uint8_t length; /* of the message so far, its lowest byte */
    uint8_t key[16];
    uint64_t words[4];
} runnel_siphash;

/* The same with tags of 16 bytes. */
typedef runnel_siphash runnel_siphash_128;

/* Sets a key and starts a message. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_key(runnel_siphash *c, const uint8_t *key, size_t key_bytes);
/* Adds the next `bytes` bytes of the message. Errors: NULL, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_update(runnel_siphash *c, const uint8_t *data, size_t bytes);
/* Writes the message's tag, tag_bytes bytes, to tag and starts the next message. Errors: NULL, STATE (no key),
 * TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_tag(runnel_siphash *c, uint8_t *tag, size_t tag_bytes);
/* As _tag, but compares the message's tag with the given one, in constant time. Errors also: TAG (they differ; the
 * next message has started even so). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_verify(runnel_siphash *c, const uint8_t *tag, size_t tag_bytes);
/* Computes the tag of one message: _key, _update, _tag and _wipe. Errors: NULL, KEY_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data, size_t bytes,
                                                     const uint8_t *key, size_t key_bytes);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_siphash_wipe(runnel_siphash *c);

/* Sets a key and starts a message. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_128_key(runnel_siphash_128 *c, const uint8_t *key, size_t key_bytes);
/* Adds the next `bytes` bytes of the message. Errors: NULL, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_128_update(runnel_siphash_128 *c, const uint8_t *data, size_t bytes);
/* Writes the message's tag, tag_bytes bytes, to tag and starts the next message. Errors: NULL, STATE (no key),
 * TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_128_tag(runnel_siphash_128 *c, uint8_t *tag, size_t tag_bytes);
/* As _tag, but compares the message's tag with the given one, in constant time. Errors also: TAG (they differ; the
 * next message has started even so). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_128_verify(runnel_siphash_128 *c, const uint8_t *tag, size_t tag_bytes);
/* Computes the tag of one message: _key, _update, _tag and _wipe. Errors: NULL, KEY_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_siphash_128_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data,
                                                         size_t bytes, const uint8_t *key, size_t key_bytes);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_siphash_128_wipe(runnel_siphash_128 *c);

#ifdef __cplusplus
}
#endif
#endif
