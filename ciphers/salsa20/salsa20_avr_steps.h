/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The steps of a quarter-round of Salsa20 for 8-bit AVR, on words in registers; included by the kernels' assembly,
 * which defines ZERO, a register that is 0. A sum is rotated by what is left of whole bytes, one or two bits, and XORed
 * into registers that lie so many bytes further on. Of the rotation by 13 five bits are left: a multiplication by 32 of
 * each byte. */

#define SUM0 0  /* a sum that must not replace a word; also what mul gives */
#define SUM1 1
#define SUM2 26 /* also the factor */
#define SUM3 27

.macro sum_of a, b
    movw SUM0, \a
    movw SUM2, \a+2
    add SUM0, \b
    adc SUM1, \b+1
    adc SUM2, \b+2
    adc SUM3, \b+3
.endm

.macro rotate_left s0, s1, s2, s3
    lsl \s0
    rol \s1
    rol \s2
    rol \s3
    adc \s0, ZERO
.endm

/* \to ^= (\a + \b) <<< 7 */
.macro step7 to, a, b
    sum_of \a, \b
    bst SUM0, 0
    lsr SUM3
    ror SUM2
    ror SUM1
    ror SUM0
    bld SUM3, 7
    eor \to, SUM3
    eor \to+1, SUM0
    eor \to+2, SUM1
    eor \to+3, SUM2
.endm

/* \to ^= (\a + \b) <<< 9 */
.macro step9 to, a, b
    sum_of \a, \b
    rotate_left SUM0, SUM1, SUM2, SUM3
    eor \to, SUM3
    eor \to+1, SUM0
    eor \to+2, SUM1
    eor \to+3, SUM2
.endm

/* \a += \b, \to ^= \a <<< 13 */
.macro step13 to, a, b
    add_words \a, \b
    ldi SUM2, 32
    mul \a, SUM2
    eor \to+1, SUM0
    eor \to+2, SUM1
    mul \a+1, SUM2
    eor \to+2, SUM0
    eor \to+3, SUM1
    mul \a+2, SUM2
    eor \to+3, SUM0
    eor \to, SUM1
    mul \a+3, SUM2
    eor \to, SUM0
    eor \to+1, SUM1
.endm

/* \to ^= s <<< 18, s is lost */
.macro xor_18 to, s0, s1, s2, s3
    rotate_left \s0, \s1, \s2, \s3
    rotate_left \s0, \s1, \s2, \s3
    eor \to, \s2
    eor \to+1, \s3
    eor \to+2, \s0
    eor \to+3, \s1
.endm

/* \a += \b, \to ^= \a <<< 18, \a is lost */
.macro step18 to, a, b
    add_words \a, \b
    xor_18 \to, \a, \a+1, \a+2, \a+3
.endm
