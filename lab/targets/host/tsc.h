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

/* The same between two instructions CPUID. */
static inline uint64_t tsc_between_cpuids(void)
{
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d)::"memory");
    const uint64_t now = __rdtsc();
    a = c = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d)::"memory");
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

static inline uint64_t tsc_between_cpuids(void)
{
    return tsc_begin();
}
#endif

#endif
