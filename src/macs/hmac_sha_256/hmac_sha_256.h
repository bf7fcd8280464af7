/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC-SHA-256 (RFC 2104, FIPS 180-4): key of any length (32 bytes are best; keys longer than 64 are hashed first),
 * tag of 16 to 32 bytes. Key set-up does what every message would begin and end with, so that a short message takes
 * two blocks. In firmware a message has less than 2^38 bytes. */
#ifndef RUNNEL_HMAC_SHA_256_H
#define RUNNEL_HMAC_SHA_256_H

#include <runnel/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_hmac_sha_256 {
    runnel_mac mac;
    uint8_t waiting[64];
    runnel_count blocks; /* of the hash so far */
    uint32_t state[8];
    uint32_t inner[8], outer[8]; /* the state after a block of the key */
} runnel_hmac_sha_256;

RUNNEL_DECLARE_MAC_VERBS(hmac_sha_256)

#ifdef __cplusplus
}
#endif
#endif
