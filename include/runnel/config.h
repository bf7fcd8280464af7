/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Build-time knobs. Firmware sets them on the compiler's command line; an installed copy of this file
 * carries the values that the library was built with, because they change the size of the contexts. */
#ifndef RUNNEL_CONFIG_H
#define RUNNEL_CONFIG_H

/*BUILD-VALUES*/

/* RUNNEL_HOSTED: 1 where there is an operating system (getenv, run-time CPU detection), 0 on bare metal. */
#ifndef RUNNEL_HOSTED
#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32) || defined(__unix__)
#define RUNNEL_HOSTED 1
#else
#define RUNNEL_HOSTED 0
#endif
#endif

/* RUNNEL_PREFIX: 1 keeps prefix tables (4 to 8 KiB) inside the contexts of the ciphers that profit from
 * them, 0 leaves them out. Default: 1 on 64-bit hosts, 0 elsewhere. */
#ifndef RUNNEL_PREFIX
#if RUNNEL_HOSTED && (defined(__x86_64__) || defined(__aarch64__))
#define RUNNEL_PREFIX 1
#else
#define RUNNEL_PREFIX 0
#endif
#endif

/* Contexts are aligned so that a table entry never crosses a cache line. Memory from malloc works too,
 * only more slowly. */
#ifndef RUNNEL_ALIGN
#if RUNNEL_HOSTED
#define RUNNEL_ALIGN 64
#else
#define RUNNEL_ALIGN 4
#endif
#endif

#if defined(__cplusplus)
#define RUNNEL_ALIGNED alignas(RUNNEL_ALIGN)
#else
#define RUNNEL_ALIGNED _Alignas(RUNNEL_ALIGN)
#endif

#if defined(__GNUC__)
#define RUNNEL_API __attribute__((visibility("default")))
#define RUNNEL_MUST_CHECK __attribute__((warn_unused_result))
#else
#define RUNNEL_API
#define RUNNEL_MUST_CHECK
#endif

#endif
