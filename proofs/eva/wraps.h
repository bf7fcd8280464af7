/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sums and differences that are meant to wrap, without an overflow: eva.py puts these where the code counts modulo 2 to the
 * width, so that an overflow anywhere else is an alarm. */
#ifndef RUNNEL_PROOFS_EVA_WRAPS_H
#define RUNNEL_PROOFS_EVA_WRAPS_H

#include <stdint.h>

/* Any sum: what is added to is a counter, which may be anything. */
/*@ assigns \result \from a, b; */
uint64_t any_sum(uint64_t a, uint64_t b);

static inline uint64_t wrapped_difference(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : UINT64_MAX - (b - a - 1);
}

/* Any difference: nothing is known of where two objects lie. */
/*@ assigns \result \from a, b; */
uint64_t any_difference(uintptr_t a, uintptr_t b);

#endif
