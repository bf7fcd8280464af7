/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED (RFC 4269, ISO/IEC 18033-3), key of 16 bytes:
 *  - runnel_seed_ctr, counter mode (SP 800-38A 6.5). IV of 16 bytes: the whole first counter block. Counter layouts: all
 *    be… and le… ones and be32-left. Seekable.
 *  - runnel_seed_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_seed_blocks, the block cipher itself. */
#ifndef RUNNEL_SEED_H
#define RUNNEL_SEED_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The round keys K(1,0), K(1,1), K(2,0) … K(16,1), the same for every kernel. */
typedef struct runnel_seed_schedule {
    RUNNEL_ALIGNED uint32_t words[32];
} runnel_seed_schedule;

typedef struct runnel_seed_ctr {
    runnel_ctr_head head;
    runnel_seed_schedule schedule;
} runnel_seed_ctr;

typedef struct runnel_seed_cfb {
    runnel_cfb_head head;
    runnel_seed_schedule schedule;
} runnel_seed_cfb;

typedef struct runnel_seed_blocks {
    runnel_blocks blocks;
    runnel_seed_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_seed_schedule decrypt;
#endif
} runnel_seed_blocks;

RUNNEL_DECLARE_CTR_VERBS(seed_ctr)
RUNNEL_DECLARE_DIRECTIONAL_VERBS(seed_cfb)
RUNNEL_DECLARE_BLOCKS_VERBS(seed_blocks)

#ifdef __cplusplus
}
#endif
#endif
