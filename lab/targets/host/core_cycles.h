/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cycles of the core from ticks of the time-stamp counter, which has a rate of its own. A virtual machine has no other
 * counter, so that the core's clock is taken from a chain of additions, again and again, for it changes. */
#ifndef LAB_CORE_CYCLES_H
#define LAB_CORE_CYCLES_H

#include "../../engine/clock.h"
#include "tsc.h"

/* Returns cycles of the core a tick, as they were within the last milliseconds. Takes some 30 microseconds when that is to
 * be found out anew; a reading that was disturbed is too low, and the highest of the last few counts. */
static inline double core_cycles_a_tick(void)
{
    enum { READINGS = 8 };
    static double ghz[READINGS], ticks_a_ns, since;
    static uint64_t first, last;
    static unsigned next;
    uint64_t now = tsc_begin();
    if (next == 0) {
        since = clock_ns();
        first = now;
        while (clock_ns() - since < 2e6) /* two milliseconds tell the counter's rate well enough */
            ;
    } else if ((double)(now - last) < 1e6 * ticks_a_ns) {
        double highest = 0;
        for (unsigned i = 0; i < READINGS; i++)
            highest = ghz[i] > highest ? ghz[i] : highest;
        return highest / ticks_a_ns;
    }
    do
        ghz[next++ % READINGS] = clock_core_ghz();
    while (next < READINGS);
    last = now = tsc_begin();
    ticks_a_ns = (double)(now - first) / (clock_ns() - since);
    return core_cycles_a_tick();
}

#endif
