/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <runnel/cpu.h>
#include <stddef.h>

#include "kernel.h"

#if RUNNEL_HOSTED
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#endif

static const struct {
    uint32_t feature;
    const char *name;
} cpu_names[] = {
    {RUNNEL_CPU_SSSE3, "ssse3"},   {RUNNEL_CPU_AES, "aes"},   {RUNNEL_CPU_AVX2, "avx2"}, {RUNNEL_CPU_VAES, "vaes"},
    {RUNNEL_CPU_AVX512, "avx512"}, {RUNNEL_CPU_GFNI, "gfni"}, {RUNNEL_CPU_NEON, "neon"}, {RUNNEL_CPU_CLMUL, "clmul"},
    {RUNNEL_CPU_VCLMUL, "vclmul"}, {RUNNEL_CPU_IFMA, "ifma"}, {RUNNEL_CPU_SHA, "sha"},
};

#define NAMES (sizeof cpu_names / sizeof cpu_names[0])

const char *runnel_cpu_name(uint32_t feature)
{
    for (size_t i = 0; i < NAMES; i++)
        if (cpu_names[i].feature == feature)
            return cpu_names[i].name;
    return NULL;
}

#if RUNNEL_X86_64
#include <cpuid.h>

/* The register state that the operating system saves (XCR0). */
static uint32_t cpu_saved_state(void)
{
    uint32_t eax, edx;
    __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    return eax;
}

/* By what CPUID says in ecx of leaf 1 and in ebx and ecx of leaf 7, and by the saved state. */
static uint32_t cpu_features_of(uint32_t c1, uint32_t b7, uint32_t c7, uint32_t state)
{
    uint32_t found = 0;
    const int sse4 = (c1 & bit_SSE4_1) && (c1 & bit_SSSE3);
    if (c1 & bit_SSSE3)
        found |= RUNNEL_CPU_SSSE3;
    if (sse4 && (c1 & bit_AES))
        found |= RUNNEL_CPU_AES;
    if (sse4 && (c1 & bit_PCLMUL))
        found |= RUNNEL_CPU_CLMUL;
    if (sse4 && (b7 & bit_SHA))
        found |= RUNNEL_CPU_SHA;
    const int avx = (state & 0x06) == 0x06 && (c1 & bit_AVX); /* xmm and ymm */
    if (avx && (b7 & bit_AVX2)) {
        found |= RUNNEL_CPU_AVX2;
        if ((c7 & bit_VAES) && (found & RUNNEL_CPU_AES))
            found |= RUNNEL_CPU_VAES;
        if ((c7 & bit_VPCLMULQDQ) && (found & RUNNEL_CPU_CLMUL))
            found |= RUNNEL_CPU_VCLMUL;
        if (c7 & bit_GFNI)
            found |= RUNNEL_CPU_GFNI;
        const uint32_t avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
        if ((state & 0xe6) == 0xe6 && (b7 & avx512) == avx512) /* also opmask and zmm */
            found |= RUNNEL_CPU_AVX512 | ((b7 & bit_AVX512IFMA) ? (uint32_t)RUNNEL_CPU_IFMA : 0);
    }
    return found;
}

static uint32_t cpu_detect(void)
{
    uint32_t a, b = 0, c = 0, c1, d;
    if (!__get_cpuid(1, &a, &b, &c1, &d))
        return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        b = c = 0;
    return cpu_features_of(c1, b, c, (c1 & bit_OSXSAVE) ? cpu_saved_state() : 0);
}
#elif RUNNEL_HOSTED && defined(__linux__) && (defined(__aarch64__) || defined(__arm__))
#include <sys/auxv.h>

static uint32_t cpu_detect(void)
{
#if defined(__aarch64__) /* HWCAP_AES, HWCAP_ASIMD, HWCAP_PMULL, HWCAP_SHA1 */
    const unsigned long aes = getauxval(AT_HWCAP) >> 3 & 1, neon = getauxval(AT_HWCAP) >> 1 & 1;
    const unsigned long clmul = getauxval(AT_HWCAP) >> 4 & 1, sha = getauxval(AT_HWCAP) >> 5 & 1;
#else                    /* HWCAP2_AES, HWCAP_NEON, HWCAP2_PMULL, HWCAP2_SHA1 */
    const unsigned long aes = getauxval(AT_HWCAP2) & 1, neon = getauxval(AT_HWCAP) >> 12 & 1;
    const unsigned long clmul = getauxval(AT_HWCAP2) >> 1 & 1, sha = getauxval(AT_HWCAP2) >> 2 & 1;
#endif
    return (aes ? RUNNEL_CPU_AES : 0) | (neon ? RUNNEL_CPU_NEON : 0) | (clmul ? RUNNEL_CPU_CLMUL : 0) |
           (sha ? RUNNEL_CPU_SHA : 0);
}
#elif RUNNEL_HOSTED
static uint32_t cpu_detect(void)
{
    return 0;
}
#endif

#if RUNNEL_HOSTED

#define DETECTED 0x80000000u

/* Detection gives the same word each time, so that a race between two threads is harmless. */
static _Atomic uint32_t cpu_features;

static const char cpu_variable[] = "RUNNEL_CPU";

/* Returns the feature that the first word of a list names, or 0, and the word's length. */
static uint32_t cpu_first_feature(const char *list, size_t *bytes)
{
    *bytes = strcspn(list, ",");
    for (size_t i = 0; i < NAMES; i++)
        if (strlen(cpu_names[i].name) == *bytes && memcmp(cpu_names[i].name, list, *bytes) == 0)
            return cpu_names[i].feature;
    return 0;
}

/* Returns the list without its first word. */
static const char *cpu_rest(const char *list, size_t bytes)
{
    return list + bytes + (list[bytes] == ',');
}

/* Returns the features that RUNNEL_CPU allows. */
static uint32_t cpu_allowed(void)
{
    const char *list = getenv(cpu_variable);
    uint32_t mask = 0;
    if (list == NULL || *list == '\0' || strcmp(list, "all") == 0)
        return UINT32_MAX;
    for (size_t n; *list != '\0'; list = cpu_rest(list, n))
        mask |= cpu_first_feature(list, &n);
    return mask;
}

const char *runnel_cpu_unknown(const char *list, size_t *bytes)
{
    if (list == NULL)
        list = getenv(cpu_variable);
    if (list == NULL || strcmp(list, "all") == 0 || strcmp(list, "none") == 0)
        return NULL;
    for (size_t n; *list != '\0'; list = cpu_rest(list, n))
        if (cpu_first_feature(list, &n) == 0 && n > 0) {
            if (bytes != NULL)
                *bytes = n;
            return list;
        }
    return NULL;
}

uint32_t runnel_cpu(void)
{
    uint32_t f = atomic_load_explicit(&cpu_features, memory_order_relaxed);
    if (!(f & DETECTED)) {
        f = (cpu_detect() & cpu_allowed()) | DETECTED;
        atomic_store_explicit(&cpu_features, f, memory_order_relaxed);
    }
    return f & ~DETECTED;
}

void runnel_cpu_mask(uint32_t mask)
{
    atomic_store_explicit(&cpu_features, (cpu_detect() & mask) | DETECTED, memory_order_relaxed);
}

#else

uint32_t runnel_cpu(void)
{
    return 0;
}

void runnel_cpu_mask(uint32_t mask)
{
    (void)mask;
}

#endif
