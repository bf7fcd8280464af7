/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef RUNNEL_ARCH_COMMON_WIPE_H
#define RUNNEL_ARCH_COMMON_WIPE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <runnel/config.h>

#if defined(__GNUC__)
/* The compiler must not leave out what was written to the memory at p. */
#define RUNNEL_KEEP_WRITES(p) __asm__ volatile("" : : "r"(p) : "memory")
#endif

/* Zeroes memory in a way that the compiler cannot optimise away. */
static inline void runnel_wipe(void *p, size_t bytes)
{
#if defined(__GNUC__)
    memset(p, 0, bytes);
    RUNNEL_KEEP_WRITES(p);
#else
    volatile unsigned char *q = p;
    while (bytes--)
        *q++ = 0;
#endif
}

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8 /* avr-gcc 5 warns about it */
#define RUNNEL_WIPE_FOUR_AT_ONCE _Pragma("GCC unroll 4")
#else
#define RUNNEL_WIPE_FOUR_AT_ONCE
#endif

/* The same for words: the memset of small C libraries goes byte by byte. */
static inline void runnel_wipe_words(uint32_t *p, unsigned words)
{
#if defined(__GNUC__)
    RUNNEL_WIPE_FOUR_AT_ONCE
    for (unsigned i = 0; i < words; i++)
        p[i] = 0;
    RUNNEL_KEEP_WRITES(p);
#else
    runnel_wipe(p, words * sizeof *p);
#endif
}

/* Clears that many bytes of the stack below the caller's frame: what compilers spilled in functions that have
 * returned. Does nothing on bare metal, where RAM is scarce and what runs next uses the same stack. */
#if RUNNEL_STACK_BYTES > 0
void runnel_wipe_stack(size_t bytes);
#else
static inline void runnel_wipe_stack(size_t bytes)
{
    (void)bytes;
}
#endif

#endif
