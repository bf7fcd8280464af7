/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 (RFC 8439 2.5): key of 32 bytes for one message and no more, tag of 16 bytes. The tag ends the key's use,
 * and the next message needs a new one: RFC 8439 takes it from the cipher's keystream.
 *
 * The rules for all MACs are in <runnel/mac.h>. */
#ifndef RUNNEL_POLY1305_H
#define RUNNEL_POLY1305_H

#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words for the powers of the factor, which kernels for many blocks keep; 0: none. */
#if !RUNNEL_MAC_WORDS || !RUNNEL_HOSTED
#define RUNNEL_POLY1305_POWERS 0
#elif defined(__x86_64__)
#define RUNNEL_POLY1305_POWERS 45
#else
#define RUNNEL_POLY1305_POWERS 25
#endif

typedef struct runnel_poly1305 {
    runnel_mac_context mac;
    uint8_t partial_block[16];
    uint8_t s[16]; /* added at the end */
#if RUNNEL_MAC_WORDS
    uint32_t r[4], h[5]; /* the factor and the sum, the least significant word first */
#else
#if defined(__AVR__)
    uint8_t wrapped[8]; /* 5/4 of the factor's upper half, which stands for what lies above 2^128 */
#endif
    uint8_t r[16], h[17];
#endif
#if RUNNEL_POLY1305_POWERS
    const struct runnel_poly1305_kernel *keeper; /* whose powers these are; NULL: there are none */
    uint64_t powers[RUNNEL_POLY1305_POWERS];     /* in its form */
#endif
} runnel_poly1305;

/* Sets a key and starts a message. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_poly1305_key(runnel_poly1305 *c, const uint8_t *key, size_t key_bytes);
/* Adds the next `bytes` bytes of the message. Errors: NULL, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_poly1305_update(runnel_poly1305 *c, const uint8_t *data, size_t bytes);
/* Writes the message's tag, tag_bytes bytes, to tag; the key is gone then. Errors: NULL, STATE (no key), TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_poly1305_tag(runnel_poly1305 *c, uint8_t *tag, size_t tag_bytes);
/* As _tag, but compares the message's tag with the given one, in constant time. Errors also: TAG (they differ; the key
 * is gone even so). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_poly1305_verify(runnel_poly1305 *c, const uint8_t *tag, size_t tag_bytes);
/* Computes the tag of one message: _key, _update, _tag and _wipe. Errors: NULL, KEY_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_poly1305_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data, size_t bytes,
                                                      const uint8_t *key, size_t key_bytes);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_poly1305_wipe(runnel_poly1305 *c);

#ifdef __cplusplus
}
#endif
#endif
