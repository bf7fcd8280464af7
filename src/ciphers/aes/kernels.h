/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of AES, each in the file of its name. */
#ifndef RUNNEL_AES_KERNELS_H
#define RUNNEL_AES_KERNELS_H

#include "core/kernel.h"
#include "aes.h"

/* The schedule as kernels see it: a context may lie in memory from malloc, aligned to less than its own type asks. */
#if RUNNEL_ALIGN < 8
typedef runnel_aes_schedule runnel_aes_schedule;
#else
typedef runnel_aes_schedule runnel_aes_schedule __attribute__((aligned(8)));
#endif

/* LLVM 19 cannot select instructions for it ("do not know how to split this operator's operand"). */
#if RUNNEL_ARMV7_NEON && !defined(__clang__)
#define RUNNEL_AES_ARMV7_NEON 1
#else
#define RUNNEL_AES_ARMV7_NEON 0
#endif

#define KERNEL(on, name) extern const runnel_kernel runnel_aes_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
