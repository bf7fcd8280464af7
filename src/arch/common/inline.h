/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Attributes: functions to inline, and not to inline. */
#ifndef RUNNEL_ARCH_COMMON_INLINE_H
#define RUNNEL_ARCH_COMMON_INLINE_H

#if defined(__GNUC__)
#define RUNNEL_INLINE static inline __attribute__((always_inline))
#define RUNNEL_NOINLINE __attribute__((noinline))
#else
#define RUNNEL_INLINE static inline
#define RUNNEL_NOINLINE
#endif

/* For functions with several callers: inline, but one copy per file where flash is scarce. */
#if defined(__AVR__)
#define RUNNEL_AVR_NOINLINE __attribute__((noinline, unused))
#else
#define RUNNEL_AVR_NOINLINE inline
#endif

#endif
