/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The choice of the kernel that runs: decided here for ciphers, MACs and AEADs. */
#ifndef RUNNEL_CORE_CHOOSE_H
#define RUNNEL_CORE_CHOOSE_H

#include <string.h>

#include <runnel/cipher.h>

#include "arch/common/inline.h"
#include "kernel.h"

/* Tells whether this CPU, as masked, can run the kernel. */
static inline int runnel_kernel_available(const runnel_kernel_head *kernel)
{
#if RUNNEL_AVR /* whose kernels ask for nothing */
    (void)kernel;
    return 1;
#else
    return (kernel->cpu & ~runnel_cpu()) == 0;
#endif
}

/* Tells whether the kernel may run without being named. */
static inline int runnel_kernel_by_default(const runnel_kernel_head *kernel)
{
    return kernel->timing == RUNNEL_CONSTANT_TIME || !RUNNEL_HOSTED;
}

/* Tells whether a kernel does for the caller's purpose. */
typedef int runnel_kernel_suits(const runnel_kernel_head *kernel, const void *purpose);

/* Returns the first kernel of a list that suits, all do if that is NULL, and that the CPU can run: the one of that name, or
 * without a name one that may run by default. NULL if there is none. In place, because `suits` is then too. */
RUNNEL_INLINE const runnel_kernel_head *runnel_first_kernel(const runnel_kernel_head *const RUNNEL_IN_FLASH *kernels,
                                                            const char *name, runnel_kernel_suits *suits,
                                                            const void *purpose)
{
#if RUNNEL_HOSTED /* once for all of them: a call each is a tenth of Ascon's key set-up */
    const uint32_t lacking = ~runnel_cpu();
#endif
    for (; *kernels != NULL; kernels++) {
        const runnel_kernel_head *k = *kernels;
#if RUNNEL_HOSTED
        if ((k->cpu & lacking) != 0)
            continue;
#endif
        const int wanted = name != NULL ? RUNNEL_TEXTS && strcmp(k->name, name) == 0 : runnel_kernel_by_default(k);
        if (wanted && (suits == NULL || suits(k, purpose)) && (RUNNEL_HOSTED || runnel_kernel_available(k)))
            return k;
    }
    return NULL;
}

/* Returns how many messages the kernel works on side by side. */
static inline unsigned runnel_lanes_of(const runnel_kernel_head *kernel)
{
#if RUNNEL_HOSTED
    return kernel->lanes > 1 ? kernel->lanes : 1;
#else
    (void)kernel;
    return 1;
#endif
}

/* A runnel_kernel_suits: works on one message at a time. */
static inline int runnel_takes_one(const runnel_kernel_head *kernel, const void *unused)
{
    (void)unused;
    return runnel_lanes_of(kernel) == 1;
}

/* Says of a kernel what <runnel/cipher.h> promises. */
void runnel_describe_kernel(const runnel_kernel_head *kernel, int chosen, unsigned lanes, runnel_kernel_info *info);

/* As runnel_cipher_kernel of a whole list, of which one for single messages is chosen; info is not NULL. */
int runnel_list_kernel(const runnel_kernel_head *const RUNNEL_IN_FLASH *kernels, size_t index,
                       runnel_kernel_info *info);

/* Casts of a head to what it is the head of. */
static inline const runnel_kernel *runnel_kernel_of(const runnel_kernel_head *head)
{
    return (const runnel_kernel *)(const RUNNEL_IN_FLASH void *)head;
}

/* Tells whether the kernel takes keys of that length. */
static inline int runnel_kernel_takes(const runnel_kernel *kernel, size_t key_bytes)
{
    if (kernel->key_sizes == 0)
        return 1;
#if RUNNEL_AVR
    __asm__("" : "+r"(key_bytes)); /* a shift by a variable is a loop, which would be made before the search */
#endif
    return kernel->key_sizes >> key_bytes / 8 & 1;
}

/* A runnel_kernel_suits of ciphers' kernels; purpose is the length of a key, a size_t. */
static inline int runnel_takes_key(const runnel_kernel_head *kernel, const void *key_bytes)
{
    return runnel_kernel_takes(runnel_kernel_of(kernel), *(const size_t *)key_bytes);
}

/* Tells whether the kernel, which is in the cipher's list, is one of this cipher's: ciphers that differ in the length of
 * the key share a list. */
static inline int runnel_cipher_has(const runnel_cipher *cipher, const runnel_kernel *kernel)
{
    return runnel_kernel_takes(kernel, cipher->key_bytes.first);
}

/* Returns the kernel of that name, or without one the first that may run by default, for a key of that length; NULL if
 * there is none. */
const runnel_kernel *runnel_choose_kernel(const runnel_cipher *cipher, size_t key_bytes, const char *name);

/* The same in place: on AVR the call would take as long as the search. */
RUNNEL_INLINE const runnel_kernel *runnel_find_kernel(const runnel_cipher *cipher, size_t key_bytes, const char *name)
{
    return runnel_kernel_of(runnel_first_kernel(cipher->kernels, name, runnel_takes_key, &key_bytes));
}

#if RUNNEL_HOSTED
/* The functions for several streams, if this CPU, as masked, can run them. */
static inline const runnel_batch *runnel_batch_of(const runnel_kernel *kernel)
{
    return kernel->batch != NULL && runnel_kernel_available(RUNNEL_HEAD_OF(kernel->batch)) ? kernel->batch : NULL;
}
#endif

#endif
