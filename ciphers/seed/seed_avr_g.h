/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED's G for the assembly kernels of 8-bit AVR. Registers are written as numbers.
 *
 * With a_j the S-box's value for byte j and t their sum, output byte i is t but for two bits of each a_j: bits 2k and
 * 2k + 1 are those of t ^ a_j with j = k - i modulo 4. The masks thus permute the four bytes, each pair of bits in a
 * way of its own, and all four ways are their own inverses: one is the exchange of bytes 1 and 3, one of 0 and 2, one
 * of 0 and 1 and of 2 and 3, and the last is all of these one after the other. So G is three exchanges under masks, of
 * which the first two share the sums that t needs: 21 cycles instead of 40 for sixteen masked bytes. */

#define SUM 24 /* two registers */
#define MIXED 26

.macro look_up to, from
    mov 30, \from
    lpm \to, Z
.endm

.macro page number
    ldi r31, hi8(runnel_seed_avr_s\number)
.endm

/* The S-boxes' values in g0..g3 become G's bytes 0..3 in g2, g3, g0, g1. g0 and g2 are even, g3 and g1 come after
 * them. */
.macro mix g0, g1, g2, g3
    movw SUM, \g0
    eor SUM, \g2     /* a0 ^ a2 */
    eor SUM+1, \g1   /* a1 ^ a3 */
    mov MIXED, SUM
    andi MIXED, 0xf0
    eor MIXED, SUM+1
    andi SUM+1, 0xc3
    eor SUM+1, SUM
    eor \g0, MIXED
    eor \g1, SUM+1
    eor \g2, MIXED
    eor \g3, SUM+1
    movw SUM, \g0
    eor SUM, \g1
    eor SUM+1, \g2
    andi SUM, 0xcc
    andi SUM+1, 0xcc
    eor \g0, SUM
    eor \g1, SUM
    eor \g2, SUM+1
    eor \g3, SUM+1
.endm

.macro add_words a0, a1, a2, a3, b0, b1, b2, b3
    add \a0, \b0
    adc \a1, \b1
    adc \a2, \b2
    adc \a3, \b3
.endm

.macro xor_words a0, a1, a2, a3, b0, b1, b2, b3
    eor \a0, \b0
    eor \a1, \b1
    eor \a2, \b2
    eor \a3, \b3
.endm
