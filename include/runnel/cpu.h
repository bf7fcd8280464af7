/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU features that kernels ask for. Detected once (the operating system's support included) and kept in the
 * library's only global word. On a hosted system the environment variable RUNNEL_CPU restricts them from the
 * start: a list of names with commas between ("aes,avx2"), or just "none" or "all". Features that the CPU lacks
 * may be named. Words that are no feature's name are ignored, because a library does not end its program; the slowest
 * kernels may then be all that run. A program should ask runnel_cpu_unknown and refuse to start. */
#ifndef RUNNEL_CPU_H
#define RUNNEL_CPU_H

#include <runnel/config.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RUNNEL_CPU_SSSE3 = 1u << 0,  /* "ssse3" */
    RUNNEL_CPU_AES = 1u << 1,    /* "aes": AES-NI with SSE4.1; on ARM the AES instructions */
    RUNNEL_CPU_AVX2 = 1u << 2,   /* "avx2": AVX2 */
    RUNNEL_CPU_VAES = 1u << 3,   /* "vaes": AES on 256-bit registers */
    RUNNEL_CPU_AVX512 = 1u << 4, /* "avx512": AVX-512 F, BW, DQ and VL */
    RUNNEL_CPU_GFNI = 1u << 5,   /* "gfni" */
    RUNNEL_CPU_NEON = 1u << 6,   /* "neon" */
    RUNNEL_CPU_CLMUL = 1u << 7,  /* "clmul": products without carries, PCLMULQDQ; on ARM PMULL of 64 bits */
    RUNNEL_CPU_VCLMUL = 1u << 8, /* "vclmul": PCLMULQDQ on 256-bit registers */
    RUNNEL_CPU_IFMA = 1u << 9,   /* "ifma": AVX-512 IFMA, products of 52 bits */
    RUNNEL_CPU_SHA = 1u << 10    /* "sha": SHA-NI with SSE4.1; on ARM SHA-1's instructions */
};

/* Returns the features that kernels may use. */
RUNNEL_API uint32_t runnel_cpu(void);
/* Allows kernels only those of the CPU's features that are in mask; UINT32_MAX: all. Overrides RUNNEL_CPU. For tests:
 * contexts that have a key keep their kernel. */
RUNNEL_API void runnel_cpu_mask(uint32_t mask);
/* Returns the name of one feature bit, or NULL. */
RUNNEL_API const char *runnel_cpu_name(uint32_t feature);
#if RUNNEL_HOSTED
/* Returns the first word of a list that is not a feature's name and puts its length into *bytes; NULL, and *bytes as it
 * was, if there is none. list: as RUNNEL_CPU is written, ends with 0; NULL: RUNNEL_CPU itself, where unset is the same
 * as empty. "all" and "none" count as names only by themselves; empty words and names of other processors' features
 * are no errors. bytes may be NULL. The result points into the list and has no 0 at its end; in RUNNEL_CPU it is valid
 * until the environment changes. As with getenv, no other thread may change the environment meanwhile. Only the list
 * matters, neither this CPU nor a mask. */
RUNNEL_API const char *runnel_cpu_unknown(const char *list, size_t *bytes);
#endif

#ifdef __cplusplus
}
#endif
#endif
