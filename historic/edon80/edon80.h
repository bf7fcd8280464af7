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

/* A two-bit symbol for each of the 80 stages, its bits in two planes; stage 0 in bit 0 of the first word. */
typedef struct runnel_edon80_symbols {
    runnel_edon80_word high[(80 + 8 * sizeof(runnel_edon80_word) - 1) / (8 * sizeof(runnel_edon80_word))];
    runnel_edon80_word low[(80 + 8 * sizeof(runnel_edon80_word) - 1) / (8 * sizeof(runnel_edon80_word))];
} runnel_edon80_symbols;

typedef struct runnel_edon80_state {
    RUNNEL_ALIGNED runnel_edon80_symbols stages;
    runnel_edon80_symbols key; /* the number of each stage's quasigroup */
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
