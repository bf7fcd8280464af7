/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CMAC (NIST SP 800-38B, RFC 4493): key of 16, 24 or 32 bytes, tag of 4 to 16 bytes. Read SP 800-38B, appendix A,
 * before taking less than 8. The key is good for 2^48 messages; firmware names its AES kernel and its longest key as
 * <runnel/aes.h> says.
 *
 * The rules for all MACs are in <runnel/mac.h>. */
#ifndef RUNNEL_AES_CMAC_H
#define RUNNEL_AES_CMAC_H

#include <runnel/mac.h>

#include "aes.h" /* lies beside this file where it is installed, and in a folder of its own in the source tree */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_aes_cmac {
    runnel_mac_context mac;
    uint8_t partial_block[16];
    uint8_t chain[16];  /* the last block's encryption */
    uint8_t subkey[16]; /* for a whole last block; for a partial one, this doubled */
    runnel_aes_blocks aes;
} runnel_aes_cmac;

/* Sets a key and starts a message. Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_cmac_key(runnel_aes_cmac *c, const uint8_t *key, size_t key_bytes);
/* Adds the next `bytes` bytes of the message. Errors: NULL, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_cmac_update(runnel_aes_cmac *c, const uint8_t *data, size_t bytes);
/* Writes the message's tag, tag_bytes bytes, to tag and starts the next message. Errors: NULL, STATE (no key),
 * TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_cmac_tag(runnel_aes_cmac *c, uint8_t *tag, size_t tag_bytes);
/* As _tag, but compares the message's tag with the given one, in constant time. Errors also: TAG (they differ; the
 * next message has started even so). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_cmac_verify(runnel_aes_cmac *c, const uint8_t *tag, size_t tag_bytes);
/* Computes the tag of one message: _key, _update, _tag and _wipe. Errors: NULL, KEY_LENGTH, TAG_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_aes_cmac_once(uint8_t *tag, size_t tag_bytes, const uint8_t *data, size_t bytes,
                                                      const uint8_t *key, size_t key_bytes);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_aes_cmac_wipe(runnel_aes_cmac *c);

#ifdef __cplusplus
}
#endif
#endif
