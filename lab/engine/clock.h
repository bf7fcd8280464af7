/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Time, and the frequency of the core that runs us: the time-stamp counter has one of its own. */
#ifndef RUNNEL_BENCH_CLOCK_H
#define RUNNEL_BENCH_CLOCK_H

/* Returns a monotonic time in nanoseconds. */
double clock_ns(void);

/* Measures the core's clock once, in about 30 microseconds, and gives GHz. A reading that was disturbed is too low. */
double clock_core_ghz(void);

#endif
