/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For x86-64 kernels: intrinsics, enabled per function, so that the compiler cannot use them elsewhere. */
#ifndef RUNNEL_ARCH_X86_TARGET_H
#define RUNNEL_ARCH_X86_TARGET_H

#include "arch/common/barrier.h"
#include "core/describe.h"

#if RUNNEL_X86_64
#include <immintrin.h>

/* Put before each function of a kernel, helpers included: RUNNEL_TARGET("aes,avx2,vaes"). */
#define RUNNEL_TARGET(features) __attribute__((target(features)))

/* Put before a loop over the elements of an array that is to be kept in registers. */
#if defined(__clang__)
#define RUNNEL_UNROLL _Pragma("unroll")
#else
#define RUNNEL_UNROLL _Pragma("GCC unroll 16")
#endif

/* A value barrier for a vector in a register. What is added to it stays in the order of the source. */
#ifdef RUNNEL_NO_BARRIERS
#define RUNNEL_VECTOR_BARRIER(x) (void)(x)
#else
#define RUNNEL_VECTOR_BARRIER(x) __asm__("" : "+x"(x))
#endif
#endif

#endif
