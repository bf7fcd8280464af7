/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128, AES-192 and AES-256 in counter mode (FIPS 197, SP 800-38A 6.5). Keys of 16, 24 or 32 bytes, IV of 16
 * bytes: the whole first counter block. Counter layouts: all be… and le… ones. Seekable. */
#ifndef RUNNEL_AES_H
#define RUNNEL_AES_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The expanded key, in the form of the kernel that made it. */
typedef struct runnel_aes_schedule {
    RUNNEL_ALIGNED uint32_t rounds; /* 10, 12 or 14 */
    RUNNEL_ALIGNED union {
        uint8_t bytes[15][16];
        uint64_t sliced[15][8];
    } keys;
} runnel_aes_schedule;

typedef struct runnel_aes_ctr {
    runnel_ctr_head head;
    runnel_aes_schedule schedule;
} runnel_aes_ctr;

RUNNEL_DECLARE_CTR_VERBS(aes_ctr)

#ifdef __cplusplus
}
#endif
#endif
