/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Products without carries for RV32IM, by every fourth bit as in product.h, in an order in which no multiplication is waited
 * for: eight of them, which take five cycles each but may follow each other, then what is done with their results. A
 * compiler's order loses a quarter of the time. It is assembly in a header because MACs are one file each for those who list
 * files. */
#ifndef GHASH_RV32_PRODUCT_H
#define GHASH_RV32_PRODUCT_H

#include <stdint.h>

#include "arch/common/inline.h"

/* t0, t1 = the bits of `mask` of four products' sum without carries, lower and upper half. x is in a2 to a5, y in s0 to s3. */
#define FOUR_PRODUCTS(x0, y0, x1, y1, x2, y2, x3, y3, mask)                                                            \
    "mul   t0, " x0 ", " y0 "\n\t"                                                                                     \
    "mulhu t1, " x0 ", " y0 "\n\t"                                                                                     \
    "mul   t2, " x1 ", " y1 "\n\t"                                                                                     \
    "mulhu t3, " x1 ", " y1 "\n\t"                                                                                     \
    "mul   t4, " x2 ", " y2 "\n\t"                                                                                     \
    "mulhu t5, " x2 ", " y2 "\n\t"                                                                                     \
    "mul   t6, " x3 ", " y3 "\n\t"                                                                                     \
    "mulhu a6, " x3 ", " y3 "\n\t"                                                                                     \
    "xor   t0, t0, t2\n\t"                                                                                             \
    "xor   t1, t1, t3\n\t"                                                                                             \
    "xor   t0, t0, t4\n\t"                                                                                             \
    "xor   t1, t1, t5\n\t"                                                                                             \
    "xor   t0, t0, t6\n\t"                                                                                             \
    "xor   t1, t1, a6\n\t"                                                                                             \
    "and   t0, t0, " mask "\n\t"                                                                                       \
    "and   t1, t1, " mask "\n\t"
#define ADD_THEM "or s4, s4, t0\n\tor s5, s5, t1\n\t"

/* For nine pairs of words: (x, y) becomes the product's lower and upper half. */
__attribute__((naked)) static RUNNEL_NOINLINE void ghash_products(__attribute__((unused)) uint32_t pairs[9][2])
{
    __asm__("addi sp, sp, -48\n\t"
            "sw s0, 0(sp)\n\t"
            "sw s1, 4(sp)\n\t"
            "sw s2, 8(sp)\n\t"
            "sw s3, 12(sp)\n\t"
            "sw s4, 16(sp)\n\t"
            "sw s5, 20(sp)\n\t"
            "sw s6, 24(sp)\n\t"
            "sw s7, 28(sp)\n\t"
            "sw s8, 32(sp)\n\t"
            "sw s9, 36(sp)\n\t"
            "addi a1, a0, 72\n\t"
            "li s6, 0x11111111\n\t"
            "slli s7, s6, 1\n\t"
            "slli s8, s6, 2\n\t"
            "slli s9, s6, 3\n"
            "1:\n\t"
            "lw a5, 0(a0)\n\t"
            "lw s3, 4(a0)\n\t"
            "and a2, a5, s6\n\t"
            "and a3, a5, s7\n\t"
            "and a4, a5, s8\n\t"
            "and a5, a5, s9\n\t"
            "and s0, s3, s6\n\t"
            "and s1, s3, s7\n\t"
            "and s2, s3, s8\n\t"
            "and s3, s3, s9\n\t" FOUR_PRODUCTS(
                "a2", "s0", "a3", "s3", "a4", "s2", "a5", "s1",
                "s6") "mv s4, t0\n\t"
                      "mv s5, t1\n\t" FOUR_PRODUCTS("a2", "s1", "a3", "s0", "a4", "s3", "a5", "s2", "s7")
                          ADD_THEM FOUR_PRODUCTS("a2", "s2", "a3", "s1", "a4", "s0", "a5", "s3", "s8")
                              ADD_THEM FOUR_PRODUCTS("a2", "s3", "a3", "s2", "a4", "s1", "a5", "s0", "s9") ADD_THEM
            "sw s4, 0(a0)\n\t"
            "sw s5, 4(a0)\n\t"
            "addi a0, a0, 8\n\t"
            "bne a0, a1, 1b\n\t"
            "lw s0, 0(sp)\n\t"
            "lw s1, 4(sp)\n\t"
            "lw s2, 8(sp)\n\t"
            "lw s3, 12(sp)\n\t"
            "lw s4, 16(sp)\n\t"
            "lw s5, 20(sp)\n\t"
            "lw s6, 24(sp)\n\t"
            "lw s7, 28(sp)\n\t"
            "lw s8, 32(sp)\n\t"
            "lw s9, 36(sp)\n\t"
            "addi sp, sp, 48\n\t"
            "ret");
}

#undef FOUR_PRODUCTS
#undef ADD_THEM

#endif
