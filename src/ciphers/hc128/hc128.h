/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 (eSTREAM portfolio): key of 16 bytes, IV of 16 bytes; at most 2^64 bits of keystream from one IV. Not
 * seekable. The state is 4 KiB and key and IV enter it together: each IV costs as much as several KiB of keystream.
 * Never use an IV twice with one key; 16 random bytes are enough to be sure of that. */
#ifndef RUNNEL_HC128_H
#define RUNNEL_HC128_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_hc128_state {
    RUNNEL_ALIGNED uint32_t words[1024]; /* P, then Q, in the order of the kernel */
    uint8_t key[16];
} runnel_hc128_state;

typedef struct runnel_hc128 {
    runnel_stream stream;
    uint8_t leftover[64];
    RUNNEL_TO_LINE(sizeof(runnel_stream) + 64)
    runnel_hc128_state state;
} runnel_hc128;

RUNNEL_DECLARE_STREAM_VERBS(hc128)

#ifdef __cplusplus
}
#endif
#endif
