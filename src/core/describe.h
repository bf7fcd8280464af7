/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Macros for kernels and their descriptors, in their own files. */
#ifndef RUNNEL_CORE_DESCRIBE_H
#define RUNNEL_CORE_DESCRIBE_H

#include "arch/common/cache_line.h"
#include "arch/common/inline.h"
#include "arch/common/wipe.h"
#include "kernel.h"

/* Text that firmware does without. */
#if RUNNEL_TEXTS
#define RUNNEL_TEXT(text) text
#else
#define RUNNEL_TEXT(text) NULL
#endif

/* Where builds have raw decryption: its functions in runnel_block_functions; and set_decrypt_key for a cipher that decrypts as it
 * encrypts, with round keys that `turn` makes of those for encryption, in the same place. */
#if RUNNEL_DECRYPT
#define RUNNEL_DECRYPT_KEY(name, key_function, turn)                                                                   \
    static void name(void *state, const uint8_t *key, size_t key_bytes)                                                \
    {                                                                                                                  \
        key_function(state, key, key_bytes);                                                                           \
        turn(state);                                                                                                   \
    }
#define RUNNEL_DECRYPTION(key_function, blocks_function) .decrypt_key = key_function, .decrypt_blocks = blocks_function,
#else
#define RUNNEL_DECRYPT_KEY(name, key_function, turn)
#define RUNNEL_DECRYPTION(key_function, blocks_function)
#endif

/* In a runnel_kernel, for what exists on x86-64 alone. */
#if RUNNEL_X86_64
#define RUNNEL_BATCH_ON_X86_64(functions) .batch = &functions,
#else
#define RUNNEL_BATCH_ON_X86_64(functions)
#endif

#endif
