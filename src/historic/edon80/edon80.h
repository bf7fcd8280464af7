/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Edon80: key of 10 bytes, IV of 8 bytes, at most 2^45 bytes from one IV. Not seekable. */
#ifndef RUNNEL_EDON80_H
#define RUNNEL_EDON80_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__AVR__)
typedef uint8_t runnel_edon80_word;
#elif UINTPTR_MAX > 0xffffffff
typedef uint64_t runnel_edon80_word;
#else
typedef uint32_t runnel_edon80_word;
#endif

/* Bits of as many stages as a word has; stage 0 in bit 0 of the first of these. */
typedef struct runnel_edon80_stages {
    runnel_edon80_word high, low;               /* their symbols */
    runnel_edon80_word number_high, number_low; /* the numbers of their quasigroups */
} runnel_edon80_stages;

typedef struct runnel_edon80_state {
    RUNNEL_ALIGNED runnel_edon80_stages stages[(80 + 8 * sizeof(runnel_edon80_word) - 1) /
                                               (8 * sizeof(runnel_edon80_word))];
    uint8_t key[10];
    uint8_t reserved[2];
} runnel_edon80_state;

typedef struct runnel_edon80 {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_edon80_state state;
} runnel_edon80;

RUNNEL_DECLARE_STREAM_VERBS(edon80)

#ifdef __cplusplus
}
#endif
#endif
