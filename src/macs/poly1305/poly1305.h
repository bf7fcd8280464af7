/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 (RFC 8439 2.5): key of 32 bytes for one message and no more, tag of 16 bytes. After the tag the key is gone,
 * and the next message needs a new one: RFC 8439 takes it from the cipher's keystream. */
#ifndef RUNNEL_POLY1305_H
#define RUNNEL_POLY1305_H

#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_poly1305 {
    runnel_mac mac;
    uint8_t waiting[16];
    uint8_t s[16]; /* added at the end */
#if RUNNEL_MAC_WORDS
    uint32_t r[4], h[5]; /* the factor and the sum, the least significant word first */
#else
    uint8_t r[16], h[17];
#endif
} runnel_poly1305;

RUNNEL_DECLARE_MAC_VERBS(poly1305)

#ifdef __cplusplus
}
#endif
#endif
