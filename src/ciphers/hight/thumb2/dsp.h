/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For C and assembly: whether there is Thumb-2 with additions of the bytes of a word, which Cortex-M3 has not. */
#ifndef RUNNEL_HIGHT_THUMB2_H
#define RUNNEL_HIGHT_THUMB2_H

#if defined(__arm__) && __ARM_ARCH >= 7 && __ARM_ARCH_ISA_THUMB >= 2 && !defined(__ARMEB__) &&                         \
    defined(__ARM_FEATURE_SIMD32)
#define HIGHT_THUMB2_DSP 1
#else
#define HIGHT_THUMB2_DSP 0
#endif

#endif
