/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU features that kernels ask for. Detected once (the operating system's support included) and kept in the
 * library's only global word. On a hosted system the environment variable RUNNEL_CPU restricts them from the
 * start: a list of names with commas between ("aes,avx2"), or alone "none" or "all". Names of features that the CPU
 * lacks do no harm. A library does not end its program: words that it does not know are ignored, and what is left may
 * be only the slowest kernels. runnel_cpu_unknown tells; a program does well to refuse to start. */
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
    RUNNEL_CPU_IFMA = 1u << 9    /* "ifma": AVX-512 IFMA, products of 52 bits */
};

/* Returns the features that kernels may use. */
RUNNEL_API uint32_t runnel_cpu(void);
/* Allows only the features in mask, of those that the CPU has; UINT32_MAX gives all of them back. For tests:
 * contexts that have a key keep their kernel. Also overrides RUNNEL_CPU. */
RUNNEL_API void runnel_cpu_mask(uint32_t mask);
/* Returns the name of one feature bit, or NULL. */
RUNNEL_API const char *runnel_cpu_name(uint32_t feature);
#if RUNNEL_HOSTED
/* Returns the first word of a list that is not a feature's name and puts its length into *bytes; NULL, and *bytes as it
 * was, if there is none. list: as RUNNEL_CPU is written, ends with 0; NULL: RUNNEL_CPU itself, where unset is the same
 * as empty. "all" and "none" are known alone, not among others; words of no length and names of other processors'
 * features are known. bytes may be NULL. The word lies in the list, with no 0 at its end; in RUNNEL_CPU it holds until
 * the environment is changed. Any thread may call it, as with getenv while no other changes the environment. Looks at
 * the list alone: neither at this CPU nor at what runnel_cpu has kept. */
RUNNEL_API const char *runnel_cpu_unknown(const char *list, size_t *bytes);
#endif

#ifdef __cplusplus
}
#endif
#endif
