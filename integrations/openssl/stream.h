/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The context of a keystream. */
#ifndef RUNNEL_OPENSSL_STREAM_H
#define RUNNEL_OPENSSL_STREAM_H

#include "kinds.h"

/* An IV waits until the first bytes are asked for: it may come before the key, and a message that comes in one call is
 * then one packet for the library. */
enum { IV_NONE, IV_WAITS, IV_USED };

typedef struct stream_context {
    const provider_context *provider;
    const algorithm *algorithm;
    uint64_t first; /* ChaCha20: number of the block that is the library's block 0 */
    uint8_t iv_state;
    uint8_t given[16]; /* the IV as the program gave it */
    uint8_t iv[16];    /* from which block 0 counts */
    uint8_t shown[2]
                 [16]; /* the IV with which it would continue: as the program sees it by pointer, and as it was shown */
    uint8_t watched;   /* 1: the program has that pointer, and may write there */
    _Alignas(RUNNEL_RECOMMENDED_ALIGN) runnel_keystream ahead;
    _Alignas(RUNNEL_RECOMMENDED_ALIGN) uint8_t context[]; /* algorithm->context_bytes bytes, the library's */
} stream_context;

static inline runnel_stream *library_stream(stream_context *c)
{
    return (void *)c->context;
}

/* ChaCha20 with OpenSSL's counter of 64 bits, whose lower half is the library's: _packet starts a message under the IV that
 * was set, _xor continues it, also where the lower half wraps. Return the library's errors. */
int chacha20_packet(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes);
int chacha20_xor(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Writes a block's number into the IV. */
void chacha20_set_counter(uint8_t iv[16], uint64_t block);

#endif
