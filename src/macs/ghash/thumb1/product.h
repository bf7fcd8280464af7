/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A product without carries for Cortex-M0 and M0+, which multiply words to words: 16 bits by 16 bits are exact there, so that
 * a product of 32 bits is three of these (Karatsuba), as product.h makes one of 128 bits of nine. */
#ifndef GHASH_THUMB1_PRODUCT_H
#define GHASH_THUMB1_PRODUCT_H

/* Every fourth bit at a time: the other halves of both factors are zeros. */
__attribute__((naked)) static RUNNEL_NOINLINE uint32_t ghash_product16(__attribute__((unused)) uint32_t x,
                                                                       __attribute__((unused)) uint32_t y)
{
    __asm__(".syntax unified\n\t"
            "push {r4-r7, lr}\n\t"
            "sub sp, #4\n\t"
            "ldr r5, 1f\n\t"
            "lsls r3, r5, #1\n\t"
            "lsls r4, r5, #2\n\t"
            "lsls r7, r5, #3\n\t"
            "mov r6, r1\n\t" /* y: r6, r12, lr and the stack */
            "ands r6, r5\n\t"
            "mov r2, r1\n\t"
            "ands r2, r3\n\t"
            "mov r12, r2\n\t"
            "mov r2, r1\n\t"
            "ands r2, r4\n\t"
            "mov lr, r2\n\t"
            "ands r1, r7\n\t"
            "str r1, [sp]\n\t"
            "mov r1, r0\n\t" /* x: r0 to r3 */
            "ands r1, r3\n\t"
            "mov r2, r0\n\t"
            "ands r2, r4\n\t"
            "mov r3, r0\n\t"
            "ands r3, r7\n\t"
            "ands r0, r5\n\t"
            "mov r4, r6\n\t"
            "muls r4, r0, r4\n\t"
            "ldr r5, [sp]\n\t"
            "muls r5, r1, r5\n\t"
            "eors r4, r5\n\t"
            "mov r5, lr\n\t"
            "muls r5, r2, r5\n\t"
            "eors r4, r5\n\t"
            "mov r5, r12\n\t"
            "muls r5, r3, r5\n\t"
            "eors r4, r5\n\t"
            "ldr r7, 1f\n\t"
            "ands r7, r4\n\t"
            "mov r4, r12\n\t"
            "muls r4, r0, r4\n\t"
            "mov r5, r6\n\t"
            "muls r5, r1, r5\n\t"
            "eors r4, r5\n\t"
            "ldr r5, [sp]\n\t"
            "muls r5, r2, r5\n\t"
            "eors r4, r5\n\t"
            "mov r5, lr\n\t"
            "muls r5, r3, r5\n\t"
            "eors r4, r5\n\t"
            "ldr r5, 1f\n\t"
            "lsls r5, #1\n\t"
            "ands r4, r5\n\t"
            "orrs r7, r4\n\t"
            "mov r4, lr\n\t"
            "muls r4, r0, r4\n\t"
            "mov r5, r12\n\t"
            "muls r5, r1, r5\n\t"
            "eors r4, r5\n\t"
            "mov r5, r6\n\t"
            "muls r5, r2, r5\n\t"
            "eors r4, r5\n\t"
            "ldr r5, [sp]\n\t"
            "muls r5, r3, r5\n\t"
            "eors r4, r5\n\t"
            "ldr r5, 1f\n\t"
            "lsls r5, #2\n\t"
            "ands r4, r5\n\t"
            "orrs r7, r4\n\t"
            "ldr r4, [sp]\n\t"
            "muls r4, r0, r4\n\t"
            "mov r5, lr\n\t"
            "muls r5, r1, r5\n\t"
            "eors r4, r5\n\t"
            "mov r5, r12\n\t"
            "muls r5, r2, r5\n\t"
            "eors r4, r5\n\t"
            "mov r5, r6\n\t"
            "muls r5, r3, r5\n\t"
            "eors r4, r5\n\t"
            "ldr r5, 1f\n\t"
            "lsls r5, #3\n\t"
            "ands r4, r5\n\t"
            "orrs r7, r4\n\t"
            "mov r0, r7\n\t"
            "add sp, #4\n\t"
            "pop {r4-r7, pc}\n\t"
            ".balign 4\n"
            "1: .word 0x11111111");
}

RUNNEL_INLINE uint64_t ghash_product32(uint32_t x, uint32_t y)
{
    const uint32_t low = ghash_product16((uint16_t)x, (uint16_t)y), high = ghash_product16(x >> 16, y >> 16);
    const uint32_t middle = ghash_product16((uint16_t)x ^ x >> 16, (uint16_t)y ^ y >> 16) ^ low ^ high;
    return (uint64_t)(high ^ middle >> 16) << 32 | (low ^ middle << 16);
}

#endif
