/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Programs of the campaign that continue until their seconds are over. */
#ifndef RUNNEL_TESTS_LONG_RUN_H
#define RUNNEL_TESTS_LONG_RUN_H

#include <stdlib.h>
#include <time.h>

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
