/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The quarter-round of ChaCha20 for 8-bit AVR, on words in registers; included by the kernels' assembly, which defines
 * SIXTEEN, a register that is 16. d is rotated by whole bytes, a choice of registers when it is used or stored.
 * b is rotated by 12, which is 8 and 4, and the 4 is a multiplication by 16 of each byte, into a pair of registers and
 * the first half of its own. The rotation by 7 is one to the right and a choice of registers. */

/* A quarter-round on the words in the registers a c d and in b0 b1 b2 b3, with the pair t. Leaves b in
 * b1 t t+1 b0 and d in d+1 d+2 d+3 d; b2 and b3 are free. */
.macro quarter a, b0, b1, b2, b3, c, d, t
    add \a, \b0
    adc \a+1, \b1
    adc \a+2, \b2
    adc \a+3, \b3
    xor_words \d, \a
    add \c, \d+2 /* d <<< 16 */
    adc \c+1, \d+3
    adc \c+2, \d
    adc \c+3, \d+1
    eor \b0, \c
    eor \b1, \c+1
    eor \b2, \c+2
    eor \b3, \c+3
    mul \b3, SIXTEEN /* b <<< 12: t t+1 b0 b1 */
    movw \t, 0
    mul \b0, SIXTEEN
    or \t+1, 0
    mov \b0, 1
    mul \b1, SIXTEEN
    or \b0, 0
    mov \b1, 1
    mul \b2, SIXTEEN
    or \b1, 0
    or \t, 1
    add \a, \t
    adc \a+1, \t+1
    adc \a+2, \b0
    adc \a+3, \b1
    eor \d+2, \a
    eor \d+3, \a+1
    eor \d, \a+2
    eor \d+1, \a+3
    add \c, \d+1 /* d <<< 8 */
    adc \c+1, \d+2
    adc \c+2, \d+3
    adc \c+3, \d
    eor \t, \c
    eor \t+1, \c+1
    eor \b0, \c+2
    eor \b1, \c+3
    bst \t, 0 /* b <<< 7 */
    lsr \b1
    ror \b0
    ror \t+1
    ror \t
    bld \b1, 7
.endm
