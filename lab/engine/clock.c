/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#endif
#include "clock.h"

#include <stdint.h>
#include <time.h>

double clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One addition, one cycle: it waits for the one before. Both operands are registers, because some cores add small
 * constants for nothing. */
#define ADD(x, y)                                                                                                      \
    x += y;                                                                                                            \
    __asm__ volatile("" : "+r"(x));
#define ADD_8(x, y) ADD(x, y) ADD(x, y) ADD(x, y) ADD(x, y) ADD(x, y) ADD(x, y) ADD(x, y) ADD(x, y)
#define ADD_64(x, y) ADD_8(x, y) ADD_8(x, y) ADD_8(x, y) ADD_8(x, y) ADD_8(x, y) ADD_8(x, y) ADD_8(x, y) ADD_8(x, y)

double clock_core_ghz(void)
{
    enum { LOOPS = 1600 };
    uint64_t x = 1, y = 3;
    __asm__ volatile("" : "+r"(x), "+r"(y));
    double start = clock_ns();
    for (int i = 0; i < LOOPS; i++) {
        ADD_64(x, y)
    }
    return LOOPS * 64 / (clock_ns() - start);
}
