/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef RUNNEL_ARIA_X86_RUN_H
#define RUNNEL_ARIA_X86_RUN_H

#include "arch/x86/target.h"

#if RUNNEL_X86_64

/* A run of 256 blocks in which only the last byte counts. That byte reaches seven bytes after the first round and all
 * after the second, so that two constant blocks hold what the rest of the first counter block does. Secret. */
typedef struct runnel_aria_run {
    __m128i first;  /* after round 1 and its key, without the last byte's part */
    __m128i second; /* after round 2 and its key, without the seven bytes' part */
} runnel_aria_run;

#endif

#endif
