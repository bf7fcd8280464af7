/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit (eSTREAM portfolio, RFC 4503): key of 16 bytes, IV of 8 bytes or none. No IV (0 bytes) skips IV set-up, which
 * gives another keystream than an IV of zeros. Byte order is eSTREAM's: RFC 4503 and ISO/IEC 18033-4 write the key, the
 * IV and each 16-byte block of keystream with their bytes reversed. The limit of 2^64 blocks under one key cannot be
 * reached. Not seekable. Never use an IV twice with one key; 8 random bytes are too few to be sure of that, so count
 * messages instead. */
#ifndef RUNNEL_RABBIT_H
#define RUNNEL_RABBIT_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1: the context keeps the key and no state beside the one that runs, so that each IV costs a key set-up as well. For
 * firmware, which names its kernel with RUNNEL_RABBIT_KERNEL, and for the kernels that are made so. */
#if defined(RUNNEL_RABBIT_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_RABBIT_KEEPS_KEY_OF_(kernel) RUNNEL_RABBIT_KEEPS_KEY_##kernel
#define RUNNEL_RABBIT_KEEPS_KEY_OF(kernel) RUNNEL_RABBIT_KEEPS_KEY_OF_(kernel)
#define RUNNEL_RABBIT_KEEPS_KEY RUNNEL_RABBIT_KEEPS_KEY_OF(RUNNEL_RABBIT_KERNEL)
#else
#define RUNNEL_RABBIT_KEEPS_KEY 0
#endif

typedef struct runnel_rabbit_state {
    uint64_t counters[4]; /* c1:c0, c3:c2, c5:c4, c7:c6 */
    uint32_t x[8];        /* in the order of the kernel */
    uint8_t carry;        /* 0 or 1, out of c7 into c0 */
} runnel_rabbit_state;

typedef struct runnel_rabbit_states {
    RUNNEL_ALIGNED runnel_rabbit_state now;
    union { /* where every IV begins */
        uint8_t key[16];
#if !RUNNEL_RABBIT_KEEPS_KEY
        runnel_rabbit_state master; /* after key set-up */
#endif
    };
} runnel_rabbit_states;

typedef struct runnel_rabbit {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_rabbit_states states;
} runnel_rabbit;

RUNNEL_DECLARE_STREAM_VERBS(rabbit)

#ifdef __cplusplus
}
#endif
#endif
