/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 with 20 rounds, and with 12 and 8: key of 32 (recommended) or 16 bytes, IV of 8 bytes, blocks of 64 bytes, a 64-bit block
 * counter that begins at 0. No limit that can be reached (2^70 bytes for each IV). Seekable. Never use an IV twice with
 * one key; 8 random bytes are too few to be sure of that, so count messages instead. */
#ifndef RUNNEL_SALSA20_H
#define RUNNEL_SALSA20_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_salsa20_state {
    uint32_t words[16]; /* constants, key, IV (6, 7), counter (8, 9; always 0 here) in the specification's order */
    uint8_t rounds;     /* 20, 12 or 8, by the descriptor */
} runnel_salsa20_state;

typedef struct runnel_salsa20 {
    runnel_stream stream;
    uint8_t leftover[64];
    RUNNEL_ALIGNED runnel_salsa20_state state;
} runnel_salsa20;

/* With fewer rounds, otherwise the same. */
typedef runnel_salsa20 runnel_salsa20_12;
typedef runnel_salsa20 runnel_salsa20_8;

RUNNEL_DECLARE_STREAM_VERBS(salsa20)
RUNNEL_DECLARE_STREAM_VERBS(salsa20_12)
RUNNEL_DECLARE_STREAM_VERBS(salsa20_8)

#ifdef __cplusplus
}
#endif
#endif
