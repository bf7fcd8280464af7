/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH (NIST SP 800-38D 6.4): key of 16 bytes, the hash subkey; result of 16 bytes. It is the universal hash of GCM
 * and GMAC and no MAC by itself: its result must be encrypted before it is sent. The input is whole blocks (GCM pads
 * its own and appends the lengths); a partial last block is padded with zeros.
 *
 * The rules for all MACs are in <runnel/mac.h>. */
#ifndef RUNNEL_GHASH_H
#define RUNNEL_GHASH_H

#include <runnel/detail/ghash.h>
#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_ghash {
    runnel_mac_context mac;
    uint8_t partial_block[16];
    runnel_ghash_state state;
} runnel_ghash;

/* Sets a key and starts a message. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ghash_key(runnel_ghash *c, const uint8_t *key, size_t key_bytes);
/* Adds the next `bytes` bytes of the message. Errors: NULL, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ghash_update(runnel_ghash *c, const uint8_t *data, size_t bytes);
/* Writes the message's tag, tag_bytes bytes, to tag and starts the next message. Errors: NULL, STATE (no key),
 * TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ghash_tag(runnel_ghash *c, uint8_t *tag, size_t tag_bytes);
/* As _tag, but compares the message's tag with the given one, in constant time. Errors also: TAG (they differ; the
 * next message has started even so). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ghash_verify(runnel_ghash *c, const uint8_t *tag, size_t tag_bytes);
/* Computes the tag of one message: _key, _update, _tag and _wipe. Errors: NULL, KEY_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_ghash_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data, size_t bytes,
                                                   const uint8_t *key, size_t key_bytes);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_ghash_wipe(runnel_ghash *c);

#ifdef __cplusplus
}
#endif
#endif
