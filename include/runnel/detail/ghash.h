/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH inside the contexts of GCM and GCM-SIV. */
#ifndef RUNNEL_DETAIL_GHASH_H
#define RUNNEL_DETAIL_GHASH_H

#include <stdint.h>

#include <runnel/config.h>

/* Powers of GHASH's key that kernels keep: as many as blocks are multiplied at once. */
#if RUNNEL_HOSTED && defined(__x86_64__)
#define RUNNEL_GHASH_POWERS 64
#elif RUNNEL_HOSTED && defined(__aarch64__)
#define RUNNEL_GHASH_POWERS 8
#else
#define RUNNEL_GHASH_POWERS 0
#endif

/* 1: the sums of the powers' halves are kept too, for three products of halves for each block instead of four. */
#if RUNNEL_HOSTED && defined(__x86_64__)
#define RUNNEL_GHASH_HALVES 1
#else
#define RUNNEL_GHASH_HALVES 0
#endif

/* GHASH's key and sum. */
typedef struct runnel_ghash_state {
#if RUNNEL_GHASH_POWERS
    /* powers[RUNNEL_GHASH_POWERS - n] is the key to the n, in the form of the kernel; behind them zeros */
    RUNNEL_ALIGNED uint8_t powers[RUNNEL_GHASH_POWERS + 4][16];
#if RUNNEL_GHASH_HALVES
    uint8_t halves[RUNNEL_GHASH_POWERS + 4][16]; /* the XOR of each power's halves, in its lower half */
#endif
    const struct runnel_ghash_kernel *kernel;
    uint32_t ready; /* how many powers have been made */
#endif
    uint32_t h[4], y[4]; /* the key and the sum, the first word of their bytes last */
} runnel_ghash_state;

#endif
