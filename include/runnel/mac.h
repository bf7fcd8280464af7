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

#include <runnel/detail/mac.h>
#include <runnel/stream.h>

/* RUNNEL_MAC_WORDS: 1 for arithmetic in words of 32 bits and more, 0 for arithmetic in bytes; it decides how contexts
 * are made up. Default: 0 where int has 16 bits. */
#ifndef RUNNEL_MAC_WORDS
#if UINT_MAX > 0xffff
#define RUNNEL_MAC_WORDS 1
#else
#define RUNNEL_MAC_WORDS 0
#endif
#endif

#endif
