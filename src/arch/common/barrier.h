/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Value barriers: the compiler forgets what it knows about a value. A mask that comes out of one stays a mask, where
 * compilers might turn it into a branch on a secret; and what a pointer points to is loaded again, where they would
 * keep it through a loop that has no register for it. */
#ifndef RUNNEL_ARCH_COMMON_BARRIER_H
#define RUNNEL_ARCH_COMMON_BARRIER_H

#include <stdint.h>

#include <runnel/config.h>

/* MSan, with which the tests track secrets, would take each barrier for a use of a secret. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define RUNNEL_NO_BARRIERS
#endif
#endif

/* In place, for an integer or a pointer. */
#if defined(__GNUC__) && !defined(RUNNEL_NO_BARRIERS)
#define RUNNEL_VALUE_BARRIER(x) __asm__("" : "+r"(x))
#else
#define RUNNEL_VALUE_BARRIER(x) (void)(x)
#endif

static inline uint8_t runnel_value_barrier8(uint8_t x)
{
    RUNNEL_VALUE_BARRIER(x);
    return x;
}

static inline uint32_t runnel_value_barrier32(uint32_t x)
{
    RUNNEL_VALUE_BARRIER(x);
    return x;
}

static inline uint64_t runnel_value_barrier64(uint64_t x)
{
#if RUNNEL_WORD_BITS == 64
    RUNNEL_VALUE_BARRIER(x);
    return x;
#else
    return (uint64_t)runnel_value_barrier32((uint32_t)(x >> 32)) << 32 | runnel_value_barrier32((uint32_t)x);
#endif
}

#endif
