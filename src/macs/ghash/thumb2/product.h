/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products without carries for Cortex-M4 and ARMv7-A, whose multiplications of 32 bits to 64 take the same time for all
 * operands. Cortex-M3's do not.
 *
 * As in product.h every fourth bit is taken at a time. An integer product then has at most 8 in four bits, and two of them
 * at most 15 together if the places of their bits differ by four: those are added by the multiplication itself. All 14
 * registers are in use, so nine products are one function, which no compiler makes of C without keeping half of them in
 * memory. It is assembly in a header because MACs are one file each for those who list files. */
#ifndef GHASH_THUMB2_PRODUCT_H
#define GHASH_THUMB2_PRODUCT_H

#include <stdint.h>

#include "arch/common/inline.h"

/* For nine pairs of words: (x, y) becomes the product's lower and upper half. */
__attribute__((naked)) static RUNNEL_NOINLINE void ghash_products(__attribute__((unused)) uint32_t pairs[9][2])
{
    __asm__(".syntax unified\n\t"
            "push {r4-r11, lr}\n\t"
            "add r1, r0, #72\n\t"
            "push {r0, r1}\n"
            "1:\n\t"
            "ldr r0, [sp]\n\t"
            "ldrd r0, r4, [r0]\n\t"
            "and r1, r0, #0x22222222\n\t" /* x: r0 to r3 */
            "and r2, r0, #0x44444444\n\t"
            "and r3, r0, #0x88888888\n\t"
            "and r0, r0, #0x11111111\n\t"
            "and r5, r4, #0x22222222\n\t" /* y: r4 to r7 */
            "and r6, r4, #0x44444444\n\t"
            "and r7, r4, #0x88888888\n\t"
            "and r4, r4, #0x11111111\n\t"
            "umull r8, r9, r0, r5\n\t" /* bits 1, 5, 9 and so on of the product */
            "umlal r8, r9, r2, r7\n\t"
            "umull r10, r11, r1, r4\n\t"
            "umlal r10, r11, r3, r6\n\t"
            "eor r8, r8, r10\n\t"
            "eor r9, r9, r11\n\t"
            "and r8, r8, #0x22222222\n\t"
            "and r9, r9, #0x22222222\n\t"
            "umull r10, r11, r0, r4\n\t" /* bits 0, 4, 8 */
            "umlal r10, r11, r1, r7\n\t"
            "umull r12, lr, r2, r6\n\t"
            "eor r10, r10, r12\n\t"
            "eor r11, r11, lr\n\t"
            "umull r12, lr, r3, r5\n\t"
            "eor r10, r10, r12\n\t"
            "eor r11, r11, lr\n\t"
            "and r10, r10, #0x11111111\n\t"
            "and r11, r11, #0x11111111\n\t"
            "orr r8, r8, r10\n\t"
            "orr r9, r9, r11\n\t"
            "umull r10, r11, r0, r6\n\t" /* bits 2, 6, 10 */
            "umlal r10, r11, r3, r7\n\t"
            "umull r12, lr, r1, r5\n\t"
            "eor r10, r10, r12\n\t"
            "eor r11, r11, lr\n\t"
            "umull r12, lr, r2, r4\n\t"
            "eor r10, r10, r12\n\t"
            "eor r11, r11, lr\n\t"
            "and r10, r10, #0x44444444\n\t"
            "and r11, r11, #0x44444444\n\t"
            "orr r8, r8, r10\n\t"
            "orr r9, r9, r11\n\t"
            "umull r10, r11, r0, r7\n\t" /* bits 3, 7, 11 */
            "umull r12, lr, r1, r6\n\t"
            "eor r10, r10, r12\n\t"
            "eor r11, r11, lr\n\t"
            "umull r12, lr, r2, r5\n\t"
            "eor r10, r10, r12\n\t"
            "eor r11, r11, lr\n\t"
            "umull r12, lr, r3, r4\n\t"
            "eor r10, r10, r12\n\t"
            "eor r11, r11, lr\n\t"
            "and r10, r10, #0x88888888\n\t"
            "and r11, r11, #0x88888888\n\t"
            "orr r8, r8, r10\n\t"
            "orr r9, r9, r11\n\t"
            "ldrd r0, r1, [sp]\n\t"
            "strd r8, r9, [r0], #8\n\t"
            "str r0, [sp]\n\t"
            "cmp r0, r1\n\t"
            "bne 1b\n\t"
            "add sp, #8\n\t"
            "pop {r4-r11, pc}");
}

#endif
