/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon: key and IV both of 16 bytes or both of 32, nothing else. At most 2^64 bits under one key and IV. Not
 * seekable. Distinguishers are published that need far more keystream than that; no key recovery. */
#ifndef RUNNEL_DRAGON_H
#define RUNNEL_DRAGON_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNNEL_DRAGON_REGISTER = 32, RUNNEL_DRAGON_ROOM = 16 };

typedef struct runnel_dragon_state {
    /* The register is the 32 words from `at` on. It moves towards the start of the array, and from there back to its
     * end. */
    RUNNEL_ALIGNED uint32_t words[RUNNEL_DRAGON_ROOM + RUNNEL_DRAGON_REGISTER];
    uint32_t high, low; /* the 64-bit memory M */
    uint32_t key[8];
    uint8_t at;
    uint8_t key_bytes;
    uint8_t reserved[2];
} runnel_dragon_state;

typedef struct runnel_dragon {
    runnel_stream stream;
    uint8_t leftover[8];
    runnel_dragon_state state;
} runnel_dragon;

RUNNEL_DECLARE_STREAM_VERBS(dragon)

#ifdef __cplusplus
}
#endif
#endif
