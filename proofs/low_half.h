/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Assumed: what C's shifts do. */
#include "conversions.h"

/*@ axiomatic shifts {
    axiom halves: \forall uint64_t x; \forall uint32_t low;
      (low | (uint64_t)((x >> 32) << 32)) == (x / 0x100000000) * 0x100000000 + low;
} */

/* The low half of x + n, under the high half of x. */
/*@ ensures \result == (x / 0x100000000) * 0x100000000 + (x + n) % 0x100000000;
    assigns \nothing; */
static inline uint64_t counter_add_to_low_half(uint64_t x, runnel_count n);
