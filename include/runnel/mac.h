/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Message authentication codes: what all of them share. Each has a header of its own (<runnel/poly1305.h>,
 * <runnel/aes_cmac.h> …) with these functions on a complete context:
 *
 *   runnel_NAME_key(c, key, key_bytes)        sets a key and starts a message
 *   runnel_NAME_update(c, data, bytes)        the next bytes of the message, in pieces of any length
 *   runnel_NAME_tag(c, tag, tag_bytes)        the message's tag; the next message starts, under the same key, except
 *                                             for Poly1305, whose key is gone
 *   runnel_NAME_verify(c, tag, tag_bytes)     the same, and compares in constant time: RUNNEL_ERR_TAG if it is another
 *   runnel_NAME_once(tag, tag_bytes, data, bytes, key, key_bytes)     all of it, and wipe
 *   runnel_NAME_wipe(c)                       clears the context and the stack, as runnel_stream_wipe
 *
 * The rules of <runnel/stream.h> hold: nothing is allocated, contexts may be copied, NULL with a length of 0 is
 * allowed, errors are decided before anything changes. Errors: NULL, KEY_LENGTH, STATE (no key), TAG_LENGTH, TAG.
 * Everything is constant-time in key, message and tag, except for their lengths, wherever the processor's multiplication
 * and, for AES-CMAC, the AES kernel are. Where a processor has no multiplication, additions take its place. */
#ifndef RUNNEL_MAC_H
#define RUNNEL_MAC_H

#include <limits.h>

#include <runnel/cipher.h>
#include <runnel/detail/mac.h>

/* RUNNEL_MAC_WORDS: 1 for arithmetic in words of 32 bits and more, 0 for arithmetic in bytes; it decides how contexts
 * are made up. Default: 0 where int has 16 bits. */
#ifndef RUNNEL_MAC_WORDS
#if UINT_MAX > 0xffff
#define RUNNEL_MAC_WORDS 1
#else
#define RUNNEL_MAC_WORDS 0
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef RUNNEL_IN_FLASH struct runnel_mac runnel_mac;

/* The length of the longest tag of any MAC, in bytes. */
enum { RUNNEL_MAC_TAG_MAX = 32 };

/* MACs by name, for bindings and tools, as <runnel/cipher.h> has ciphers. */

/* Returns the MAC number index (from 0, in order of name), or NULL past the last. */
RUNNEL_API const runnel_mac *runnel_mac_at(size_t index);
/* Returns the MAC of that name, or NULL. */
RUNNEL_API const runnel_mac *runnel_mac_find(const char *name);

#if RUNNEL_HOSTED
/* Properties of a MAC. */
typedef struct runnel_mac_info {
    const char *name;         /* "hmac-sha-256"; with _ for - as in the functions of its own header */
    runnel_lengths key_bytes; /* last UINT16_MAX: no limit */
    runnel_lengths tag_bytes;
    uint16_t context_bytes;
    uint8_t block_bytes;
    uint8_t single_use; /* 1: a key is for one message */
    uint8_t component;  /* 1: a part of another algorithm; who sees a result of it by itself learns the key */
} runnel_mac_info;

/* Describes a MAC. Errors: NULL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mac_describe(const runnel_mac *mac, runnel_mac_info *info);
/* Describes kernel number index of a MAC; if there is a cipher inside, that cipher's. Of a MAC that has only its portable
 * implementation there is none. `chosen` is the one that takes long messages one by one. Errors: KERNEL past the last,
 * NULL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mac_kernel_at(const runnel_mac *mac, size_t index, runnel_kernel_info *info);
#endif

/* The functions above, of a MAC that is not NULL and a context of context_bytes bytes, aligned to RUNNEL_ALIGN as memory
 * from malloc is, or better to RUNNEL_RECOMMENDED_ALIGN. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mac_key(const runnel_mac *mac, runnel_mac_context *c, const uint8_t *key,
                                                size_t key_bytes);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mac_update(const runnel_mac *mac, runnel_mac_context *c, const uint8_t *data,
                                                   size_t bytes);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mac_tag(const runnel_mac *mac, runnel_mac_context *c, uint8_t *tag,
                                                size_t tag_bytes);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_mac_verify(const runnel_mac *mac, runnel_mac_context *c, const uint8_t *tag,
                                                   size_t tag_bytes);
RUNNEL_API void runnel_mac_wipe(const runnel_mac *mac, runnel_mac_context *c);

#ifdef __cplusplus
}
#endif
#endif
