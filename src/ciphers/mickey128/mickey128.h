/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 2.0 (eSTREAM phase 3): key of 16 bytes, IV of up to 16 bytes; all IVs under one key must have the same
 * length. The first bit of the key, the IV and the keystream is the most significant bit of byte 0. The limit of 2^64
 * bits under one IV cannot be reached. Not seekable. Never use an IV twice with one key. */
#ifndef RUNNEL_MICKEY128_H
#define RUNNEL_MICKEY128_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#if UINTPTR_MAX > 0xffffffffu
typedef uint64_t runnel_mickey128_word;
#define RUNNEL_MICKEY128_WORDS 3
#else
typedef uint32_t runnel_mickey128_word;
#define RUNNEL_MICKEY128_WORDS 5
#endif

/* Stage i of a register of 160 is the bit of that number, counted from the lowest of word 0. */
typedef struct runnel_mickey128_registers {
    RUNNEL_ALIGNED runnel_mickey128_word r[RUNNEL_MICKEY128_WORDS]; /* the linear one */
    runnel_mickey128_word s[RUNNEL_MICKEY128_WORDS];                /* the nonlinear one */
} runnel_mickey128_registers;

typedef struct runnel_mickey128_state {
    runnel_mickey128_registers now;
    uint8_t key[16];
} runnel_mickey128_state;

typedef struct runnel_mickey128 {
    runnel_stream stream;
    uint8_t leftover[4];
    runnel_mickey128_state state;
} runnel_mickey128;

RUNNEL_DECLARE_STREAM_VERBS(mickey128)

#ifdef __cplusplus
}
#endif
#endif
