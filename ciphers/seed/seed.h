/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED in counter mode (RFC 4269, ISO/IEC 18033-3). Key of 16 bytes, IV of 16 bytes: the whole first counter block.
 * Counter layouts: all be… and le… ones and be32-left. Seekable. */
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

RUNNEL_DECLARE_CTR_VERBS(seed_ctr)

#ifdef __cplusplus
}
#endif
#endif
