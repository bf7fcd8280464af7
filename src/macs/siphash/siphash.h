/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash-2-4 (Aumasson, Bernstein 2012): key of 16 bytes, tag of 8 bytes (runnel_siphash) or 16 (runnel_siphash_128;
 * another function, whose first half is not the short tag). Byte order of tags is that of the reference code. */
#ifndef RUNNEL_SIPHASH_H
#define RUNNEL_SIPHASH_H

#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_siphash {
    runnel_mac mac;
    uint8_t waiting[8];
    uint8_t length; /* of the message so far, its lowest byte */
    uint8_t key[16];
    uint64_t words[4];
} runnel_siphash;

/* The same with tags of 16 bytes. */
typedef runnel_siphash runnel_siphash_128;

RUNNEL_DECLARE_MAC_VERBS(siphash)
RUNNEL_DECLARE_MAC_VERBS(siphash_128)

#ifdef __cplusplus
}
#endif
#endif
