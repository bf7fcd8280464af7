/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The time-stamp counter: ticks at a constant rate, between instructions that are done. */
#ifndef LAB_TSC_H
#define LAB_TSC_H

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>

/* Everything before is done; nothing after has begun. */
static inline uint64_t tsc_begin(void)
{
    _mm_mfence();
    _mm_lfence();
    const uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
}

static inline uint64_t tsc_end(void)
{
    unsigned processor;
    const uint64_t now = __rdtscp(&processor);
    _mm_lfence();
    return now;
}
#else /* nanoseconds: the results say at how many MHz the counter ticks */
#include <time.h>

static inline uint64_t tsc_begin(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline uint64_t tsc_end(void)
{
    return tsc_begin();
}
#endif

#endif
