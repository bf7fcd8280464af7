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

/* States after the first rounds, for counter mode (aes_x86_ctr.h); as secret as the key. Key set-up zeroes the first
 * 8 bytes; each part is undefined until they say otherwise. */
typedef struct runnel_aes_prefix {
    RUNNEL_ALIGNED uint16_t blocks; /* encrypted under this key in messages without two_rounds, until one_round_set */
    uint16_t filled;                /* entries of two_rounds that are defined, from the first on */
    uint8_t column_set;             /* column is defined */
    uint8_t two_rounds_used;        /* some of two_rounds was written under this key */
    uint8_t one_round_set;          /* one_round is defined */
    uint8_t phase;                  /* two_rounds[i] is for last byte phase + i modulo 256 */
    uint32_t column;                /* bytes 0, 5 and 10 of the counter blocks that two_rounds belongs to */
    RUNNEL_ALIGNED uint8_t two_rounds[256 + 32][16];
    uint8_t one_round[256 + 32][16]; /* [i] is for last byte i modulo 256 */
} runnel_aes_prefix;

typedef struct runnel_aes_ctr {
    runnel_ctr_head head;
    runnel_aes_schedule schedule;
#if RUNNEL_PREFIX
    runnel_aes_prefix prefix;
#endif
} runnel_aes_ctr;

RUNNEL_DECLARE_CTR_VERBS(aes_ctr)

#ifdef __cplusplus
}
#endif
#endif
