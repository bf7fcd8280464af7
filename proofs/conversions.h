/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Assumed: what C's conversions do, which WP leaves to tools that are not used here. */
#ifndef RUNNEL_PROOFS_CONVERSIONS_H
#define RUNNEL_PROOFS_CONVERSIONS_H

#include <stdint.h>

/*@ axiomatic conversions {
    axiom to_64: \forall integer x; 0 <= x < 0x20000000000000000 ==>
      (uint64_t)x == (x < 0x10000000000000000 ? x : x - 0x10000000000000000);
    axiom to_32: \forall integer x; 0 <= x ==> (uint32_t)x == x % 0x100000000;
} */

#endif
