/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory that is secret, for the tool that watches: under valgrind's memcheck and under MSan secret bytes are
 * "undefined", and whatever branches or addresses memory by them is reported. */
#ifndef RUNNEL_TESTS_SECRETS_H
#define RUNNEL_TESTS_SECRETS_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define WATCHED_BY "MSan"
#endif
#endif

#ifdef WATCHED_BY
#include <sanitizer/msan_interface.h>
static inline void make_secret(void *p, size_t bytes)
{
    __msan_poison(p, bytes);
}
static inline void make_public(void *p, size_t bytes)
{
    __msan_unpoison(p, bytes);
}
static inline int is_secret(const void *p, size_t bytes)
{
    return __msan_test_shadow(p, bytes) >= 0;
}
/* The same of what a sum has carried out of secret bits, which MSan does not follow. */
static inline int is_secret_carry(const void *p, size_t bytes)
{
    (void)p;
    (void)bytes;
    return 1;
}
static inline int watched(void)
{
    return 1;
}
static inline unsigned reports(void)
{
    return 0; /* the first ends the program */
}
#else
#include <valgrind/memcheck.h>
#define WATCHED_BY "valgrind"
static inline void make_secret(void *p, size_t bytes)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(p, bytes);
}
static inline void make_public(void *p, size_t bytes)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(p, bytes);
}
static inline int is_secret(const void *p, size_t bytes)
{
    unsigned char bits;
    for (size_t i = 0; i < bytes; i++)
        if (VALGRIND_GET_VBITS((const char *)p + i, &bits, 1) == 1 && bits != 0)
            return 1;
    return 0;
}
static inline int is_secret_carry(const void *p, size_t bytes)
{
    return is_secret(p, bytes);
}
static inline int watched(void)
{
    return RUNNING_ON_VALGRIND != 0;
}
static inline unsigned reports(void)
{
    return (unsigned)VALGRIND_COUNT_ERRORS;
}
#endif

#endif
