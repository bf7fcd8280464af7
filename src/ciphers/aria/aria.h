/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA-128, ARIA-192 and ARIA-256 (RFC 5794, KS X 1213), keys of 16, 24 or 32 bytes:
 *  - runnel_aria_ctr, counter mode (SP 800-38A 6.5; RFC 8269 for SRTP). IV of 16 bytes: the whole first counter block.
 *    Counter layouts: all be… and le… ones. Seekable.
 *  - runnel_aria_cfb, cipher feedback of whole blocks (CFB128, SP 800-38A 6.3). IV of 16 bytes, unpredictable.
 *  - runnel_aria_blocks, the block cipher itself.
 *
 * Firmware names its kernel with RUNNEL_ARIA_KERNEL and its longest key with RUNNEL_ARIA_KEY_BITS (128, 192 or 256): it
 * decides the size of the context. */
#ifndef RUNNEL_ARIA_H
#define RUNNEL_ARIA_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_ARIA_KEY_BITS
#define RUNNEL_ARIA_KEY_BITS 256
#endif

/* The round keys ek1 … ek13, ek15 or ek17, byte x0 first. */
typedef struct runnel_aria_schedule {
    RUNNEL_ALIGNED uint8_t keys[RUNNEL_ARIA_KEY_BITS / 32 + 9][16];
#if defined(__x86_64__)
    RUNNEL_ALIGNED uint8_t folded[RUNNEL_ARIA_KEY_BITS / 32 + 9][16]; /* as kernels that slice by bytes add them */
#endif
    uint8_t rounds; /* 12, 14 or 16 */
} runnel_aria_schedule;

typedef struct runnel_aria_ctr {
    runnel_ctr_head head;
    runnel_aria_schedule schedule;
} runnel_aria_ctr;

typedef struct runnel_aria_cfb {
    runnel_cfb_head head;
    runnel_aria_schedule schedule;
} runnel_aria_cfb;

typedef struct runnel_aria_blocks {
    runnel_blocks blocks;
    runnel_aria_schedule encrypt;
#if RUNNEL_DECRYPT
    runnel_aria_schedule decrypt;
#endif
} runnel_aria_blocks;

RUNNEL_DECLARE_CTR_VERBS(aria_ctr)
RUNNEL_DECLARE_DIRECTIONAL_VERBS(aria_cfb)
RUNNEL_DECLARE_BLOCKS_VERBS(aria_blocks)

#ifdef __cplusplus
}
#endif
#endif
