/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 as in RFC 8439: key of 32 bytes, IV (the RFC's nonce) of 12 bytes, blocks of 64 bytes, a 32-bit block
 * counter that begins at 0: what the RFC encrypts from counter 1 begins at position 64. 2^32 blocks (256 GiB) for each
 * IV, then RUNNEL_ERR_LIMIT. Seekable. Never use an IV twice with one key. */
#ifndef RUNNEL_CHACHA20_H
#define RUNNEL_CHACHA20_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_chacha20 {
    runnel_stream stream;
    uint8_t leftover[64];
    RUNNEL_ALIGNED uint32_t words[16]; /* constants, key, counter (always 0 here), nonce: RFC 8439 2.3 */
} runnel_chacha20;

RUNNEL_DECLARE_STREAM_VERBS(chacha20)

#ifdef __cplusplus
}
#endif
#endif
