/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pomaranch, version 1, broken: key of 16 bytes, IV of 1 to 14 bytes. Not seekable.
 *
 * Firmware names its kernel with RUNNEL_POMARANCH_KERNEL; `table` does without the 512 bytes that `portable` keeps for
 * a key. */
#ifndef RUNNEL_POMARANCH_H
#define RUNNEL_POMARANCH_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of 16 bits that a kernel keeps for a key. */
#ifdef RUNNEL_POMARANCH_KERNEL
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_POMARANCH_WORDS_OF_(kernel) RUNNEL_POMARANCH_WORDS_##kernel
#define RUNNEL_POMARANCH_WORDS_OF(kernel) RUNNEL_POMARANCH_WORDS_OF_(kernel)
#define RUNNEL_POMARANCH_WORDS RUNNEL_POMARANCH_WORDS_OF(RUNNEL_POMARANCH_KERNEL)
#else
#define RUNNEL_POMARANCH_WORDS 256
#endif

typedef struct runnel_pomaranch_v1_state {
#if RUNNEL_POMARANCH_WORDS
    /* The jump function of each of the sections 1 to 8 with its part of the key, as 512 bits: word i of section j at
     * 8i + j, so that the words of all sections stand side by side. */
    RUNNEL_ALIGNED uint16_t jumps[RUNNEL_POMARANCH_WORDS];
#endif
    RUNNEL_ALIGNED uint16_t sections[9];
    uint16_t master[9]; /* the sections after key set-up: where every IV begins */
    uint16_t key[8];
    uint16_t reserved;
} runnel_pomaranch_v1_state;

typedef struct runnel_pomaranch_v1 {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_pomaranch_v1_state state;
} runnel_pomaranch_v1;

RUNNEL_DECLARE_STREAM_VERBS(pomaranch_v1)

#ifdef __cplusplus
}
#endif
#endif
