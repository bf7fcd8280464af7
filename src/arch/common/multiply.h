/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products of secrets. On cores without a multiplier compilers call a function that ends as soon as one factor is used up;
 * here every bit takes its time. Armv6-M multiplies words to words: a product of 64 bits is made of four here, without the
 * compiler's function. */
#ifndef RUNNEL_ARCH_COMMON_MULTIPLY_H
#define RUNNEL_ARCH_COMMON_MULTIPLY_H

#include <stdint.h>

#include "arch/arch.h"
#include "arch/common/barrier.h"

#if RUNNEL_THUMB1

static inline uint64_t runnel_product64(uint32_t a, uint32_t b)
{
    const uint32_t a0 = (uint16_t)a, a1 = a >> 16, b0 = (uint16_t)b, b1 = b >> 16;
    const uint32_t low = a0 * b0, middle = a1 * b0 + (low >> 16), other = a0 * b1 + (uint16_t)middle;
    const uint32_t high = a1 * b1 + (middle >> 16) + (other >> 16);
    return (uint64_t)high << 32 | (other << 16 | (uint16_t)low);
}

#define RUNNEL_PRODUCT64(a, b) runnel_product64(a, b)
#define RUNNEL_PRODUCT32(a, b) ((uint32_t)(a) * (b))
#define RUNNEL_PRODUCT16(a, b) ((uint16_t)((uint16_t)(a) * (b)))

#elif RUNNEL_MULTIPLIES

#define RUNNEL_PRODUCT64(a, b) ((uint64_t)(a) * (b))             /* of words of 32 bits */
#define RUNNEL_PRODUCT32(a, b) ((uint32_t)(a) * (b))             /* its lower half */
#define RUNNEL_PRODUCT16(a, b) ((uint16_t)((uint16_t)(a) * (b))) /* of bytes */

#else

static inline uint64_t runnel_product64(uint32_t a, uint32_t b)
{
    uint64_t sum = 0;
    for (uint8_t bits = 32; bits > 0; bits--, b <<= 1)
        sum = (sum << 1) + (runnel_value_barrier32(0 - (b >> 31)) & a);
    return sum;
}

static inline uint32_t runnel_product32(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint8_t bits = 32; bits > 0; bits--, b <<= 1)
        sum = (sum << 1) + (runnel_value_barrier32(0 - (b >> 31)) & a);
    return sum;
}

static inline uint16_t runnel_product16(uint8_t a, uint8_t b)
{
    uint16_t sum = 0;
    for (uint8_t bits = 8; bits > 0; bits--, b = (uint8_t)(b << 1))
        sum = (uint16_t)((uint16_t)(sum << 1) + (runnel_value_barrier8((uint8_t)(0 - (b >> 7))) & a));
    return sum;
}

#define RUNNEL_PRODUCT64(a, b) runnel_product64(a, b)
#define RUNNEL_PRODUCT32(a, b) runnel_product32(a, b)
#define RUNNEL_PRODUCT16(a, b) runnel_product16(a, b)

#endif

#endif
