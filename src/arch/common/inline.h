/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the compiler is told to put in its callers, and what not. */
#ifndef RUNNEL_ARCH_COMMON_INLINE_H
#define RUNNEL_ARCH_COMMON_INLINE_H

#if defined(__GNUC__)
#define RUNNEL_INLINE static inline __attribute__((always_inline))
#define RUNNEL_NOINLINE __attribute__((noinline))
#else
#define RUNNEL_INLINE static inline
#define RUNNEL_NOINLINE
#endif

/* For what is called in several places: inline, but one copy a file where flash is expensive. */
#if defined(__AVR__)
#define RUNNEL_AVR_NOINLINE __attribute__((noinline, unused))
#else
#define RUNNEL_AVR_NOINLINE inline
#endif

#endif
