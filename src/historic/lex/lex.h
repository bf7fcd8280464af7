/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX, version 2: key and IV of 16 bytes. Broken: the key is found from about 2^36 bytes of keystream under one key, in
 * 2^112 operations, or from 2^40 bytes in 2^100. Here to read and to measure what exists; use AES-128 in counter mode.
 * No limit is enforced; the designer asked for a new IV after 20,000 bytes. Not seekable. */
#ifndef RUNNEL_LEX_H
#define RUNNEL_LEX_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_lex_state {
    RUNNEL_ALIGNED uint8_t text[16]; /* the state of AES, after an even round */
    uint8_t odd[16];                 /* and after odd rounds, in kernels in C */
    uint8_t keys[11 * 16];           /* the round keys of AES-128 */
    uint8_t pair;                    /* which two rounds of ten come next, from 0 */
    uint8_t reserved[3];
} runnel_lex_state;

typedef struct runnel_lex {
    runnel_stream stream;
    uint8_t leftover[8];
    runnel_lex_state state;
} runnel_lex;

RUNNEL_DECLARE_STREAM_VERBS(lex)

#ifdef __cplusplus
}
#endif
#endif
