/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA-128, LEA-192 and LEA-256 (KS X 3246, ISO/IEC 29192-2), keys of 16, 24 or 32 bytes:
 *  - runnel_lea_ctr, counter mode (SP 800-38A 6.5). IV of 16 bytes: the whole first counter block; the counter is
 *    big-endian as in the published vectors, although LEA's own words are little-endian. Counter layouts: all be… and le…
 *    ones. Seekable.
 *  - runnel_lea_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_lea_blocks, the block cipher itself.
 *
 * Firmware names its kernel with RUNNEL_LEA_KERNEL and its longest key with RUNNEL_LEA_KEY_BITS (128, 192 or 256): it
 * decides the size of the context. */
#ifndef RUNNEL_LEA_H
#define RUNNEL_LEA_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_LEA_KEY_BITS
#define RUNNEL_LEA_KEY_BITS 256
#endif

/* Words of all round keys: 24 rounds of four, 28 or 32 of six. */
#if RUNNEL_LEA_KEY_BITS > 192
#define RUNNEL_LEA_SCHEDULE_WORDS (32 * 6)
#elif RUNNEL_LEA_KEY_BITS > 128
#define RUNNEL_LEA_SCHEDULE_WORDS (28 * 6)
#else
#define RUNNEL_LEA_SCHEDULE_WORDS (24 * 4)
#endif

/* The round keys, round by round: T0, T1, T2, T3 of a 128-bit key, whose T1 is used three times; all six words of the
 * others. */
typedef struct runnel_lea_schedule {
    RUNNEL_ALIGNED uint32_t words[RUNNEL_LEA_SCHEDULE_WORDS];
    uint8_t rounds; /* 24, 28 or 32 */
} runnel_lea_schedule;

typedef struct runnel_lea_ctr {
    runnel_ctr_head head;
    runnel_lea_schedule schedule;
} runnel_lea_ctr;

typedef struct runnel_lea_cfb {
    runnel_cfb_head head;
    runnel_lea_schedule schedule;
} runnel_lea_cfb;

typedef struct runnel_lea_blocks {
    runnel_blocks blocks;
    runnel_lea_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_lea_schedule decrypt;
#endif
} runnel_lea_blocks;

RUNNEL_DECLARE_CTR_VERBS(lea_ctr)
RUNNEL_DECLARE_DIRECTIONAL_VERBS(lea_cfb)
RUNNEL_DECLARE_BLOCKS_VERBS(lea_blocks)

#ifdef __cplusplus
}
#endif
#endif
