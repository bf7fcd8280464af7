/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305's product for Cortex-M4 and ARMv7-A, whose multiplications of 32 bits to 64 take the same time for all operands;
 * Cortex-M3's do not. The sum, the factor and its 5/4 fill twelve registers and each column of the product the other two; no
 * column overflows 64 bits, because the factor's words are below 2^28. It is assembly in a header because MACs are one file
 * each for those who list files. */
#ifndef POLY1305_THUMB2_MULTIPLY_H
#define POLY1305_THUMB2_MULTIPLY_H

#include <stdint.h>

#include "arch/common/inline.h"

typedef struct poly1305_factors {
    uint32_t h[5]; /* the sum, h[4] below 8 */
    uint32_t r[4];
    uint32_t q[3]; /* 5/4 of r[1] to r[3] */
} poly1305_factors;

/* h = (h + block + top * 2^128) * r for nblocks >= 1 blocks */
__attribute__((naked)) static RUNNEL_NOINLINE void poly1305_multiply_blocks(__attribute__((unused)) poly1305_factors *f,
                                                                            __attribute__((unused)) const uint8_t *data,
                                                                            __attribute__((unused)) size_t nblocks,
                                                                            __attribute__((unused)) uint32_t top)
{
    /* On the stack: three words of the product, f, data, nblocks, top. */
    __asm__(".syntax unified\n\t"
            "push {r4-r11, lr}\n\t"
            "push {r0-r3}\n\t"
            "sub sp, #12\n\t"
            "mov lr, r0\n\t"
            "ldm lr!, {r4-r8}\n\t" /* h */
            "ldm lr!, {r0-r3}\n\t" /* r */
            "ldm lr, {r9-r11}\n"   /* q */
            "1:\n\t"
            "ldr r12, [sp, #16]\n\t"
            "ldr lr, [r12], #4\n\t"
            "adds r4, r4, lr\n\t"
            "ldr lr, [r12], #4\n\t"
            "adcs r5, r5, lr\n\t"
            "ldr lr, [r12], #4\n\t"
            "adcs r6, r6, lr\n\t"
            "ldr lr, [r12], #4\n\t"
            "adcs r7, r7, lr\n\t"
            "ldr lr, [sp, #24]\n\t"
            "str r12, [sp, #16]\n\t"
            "adc r8, r8, lr\n\t"
            "umull r12, lr, r4, r0\n\t"
            "umlal r12, lr, r5, r11\n\t"
            "umlal r12, lr, r6, r10\n\t"
            "umlal r12, lr, r7, r9\n\t"
            "str r12, [sp]\n\t"
            "mov r12, lr\n\t"
            "mov lr, #0\n\t"
            "umlal r12, lr, r4, r1\n\t"
            "umlal r12, lr, r5, r0\n\t"
            "umlal r12, lr, r6, r11\n\t"
            "umlal r12, lr, r7, r10\n\t"
            "umlal r12, lr, r8, r9\n\t"
            "str r12, [sp, #4]\n\t"
            "mov r12, lr\n\t"
            "mov lr, #0\n\t"
            "umlal r12, lr, r4, r2\n\t"
            "umlal r12, lr, r5, r1\n\t"
            "umlal r12, lr, r6, r0\n\t"
            "umlal r12, lr, r7, r11\n\t"
            "umlal r12, lr, r8, r10\n\t"
            "str r12, [sp, #8]\n\t"
            "mov r12, lr\n\t"
            "mov lr, #0\n\t"
            "umlal r12, lr, r4, r3\n\t"
            "umlal r12, lr, r5, r2\n\t"
            "umlal r12, lr, r6, r1\n\t"
            "umlal r12, lr, r7, r0\n\t"
            "umlal r12, lr, r8, r11\n\t"
            "mla lr, r8, r0, lr\n\t" /* what is at 2^128: 2^130 is 5 */
            "and r8, lr, #3\n\t"
            "lsr lr, lr, #2\n\t"
            "add lr, lr, lr, lsl #2\n\t"
            "ldr r4, [sp]\n\t"
            "ldr r5, [sp, #4]\n\t"
            "ldr r6, [sp, #8]\n\t"
            "adds r4, r4, lr\n\t"
            "adcs r5, r5, #0\n\t"
            "adcs r6, r6, #0\n\t"
            "adcs r7, r12, #0\n\t"
            "adc r8, r8, #0\n\t"
            "ldr r12, [sp, #20]\n\t"
            "subs r12, #1\n\t"
            "str r12, [sp, #20]\n\t"
            "bne 1b\n\t"
            "ldr lr, [sp, #12]\n\t"
            "stm lr, {r4-r8}\n\t"
            "str r12, [sp]\n\t"
            "str r12, [sp, #4]\n\t"
            "str r12, [sp, #8]\n\t"
            "add sp, #28\n\t"
            "pop {r4-r11, pc}");
}

#endif
