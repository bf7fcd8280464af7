/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ranges of memory: the test behind RUNNEL_ERR_OVERLAP, for anyone who checks arguments before the library does. */
#ifndef RUNNEL_RANGES_H
#define RUNNEL_RANGES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define RUNNEL_ADDRESS_(p) reinterpret_cast<uintptr_t>(p)
#else
#define RUNNEL_ADDRESS_(p) ((uintptr_t)(p))
#endif

/* Tells whether p lies in the `bytes` bytes from start on. */
static inline int runnel_range_has(const void *start, size_t bytes, const void *p)
{
    return RUNNEL_ADDRESS_(p) - RUNNEL_ADDRESS_(start) < bytes;
}

/* Tells whether two ranges share a byte. */
static inline int runnel_ranges_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return a_bytes > 0 && b_bytes > 0 && (runnel_range_has(b, b_bytes, a) || runnel_range_has(a, a_bytes, b));
}

/* Tells whether output and input of one length share a byte without being the same, which is allowed. */
static inline int runnel_partial_overlap(const void *out, const void *in, size_t bytes)
{
    return out != in && (runnel_range_has(in, bytes, out) || runnel_range_has(out, bytes, in));
}

#endif
