/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GFNI and VPTERNLOG for kernels whose timing class MemorySanitizer checks: it knows neither. It is told what a result
 * of GFNI depends on, and has two instructions for VPTERNLOG. Vectors are of any width; `instruction` is its
 * intrinsic. */
#ifndef RUNNEL_X86_GFNI_H
#define RUNNEL_X86_GFNI_H

#if defined(__clang__)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define RUNNEL_GFNI(instruction, x, matrix, constant)                                                                  \
    __extension__({                                                                                                    \
        __typeof__(x) of_ = (x), known_ = of_;                                                                         \
        __msan_unpoison(&known_, sizeof known_);                                                                       \
        __typeof__(x) result_ = instruction(known_, matrix, constant);                                                 \
        __msan_copy_shadow(&result_, &of_, sizeof of_);                                                                \
        result_;                                                                                                       \
    })
#define RUNNEL_XOR3(instruction, a, b, c) ((a) ^ (b) ^ (c))
#define RUNNEL_XOR_MASKED(instruction, a, b, mask) ((a) ^ ((b) & (mask)))
#endif
#endif

#ifndef RUNNEL_GFNI
/* GF2P8AFFINEQB and GF2P8AFFINEINVQB */
#define RUNNEL_GFNI(instruction, x, matrix, constant) instruction(x, matrix, constant)
/* a ^ b ^ c, and a ^ (b & mask) */
#define RUNNEL_XOR3(instruction, a, b, c) instruction(a, b, c, 0x96)
#define RUNNEL_XOR_MASKED(instruction, a, b, mask) instruction(a, b, mask, 0x78)
#endif

#endif
