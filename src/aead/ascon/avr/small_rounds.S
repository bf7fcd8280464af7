/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The permutation of Ascon for 8-bit AVR, short: the S-box one byte of each word at a time, the rotations of a word one byte
 * and one bit at a time, all in the context. No branch or address depends on a secret. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#define CONSTANT r22
#define BYTES r18
#define BITS r19
#define COUNT r20
#define T1 r7
#define T2 r8
#define T3 r9

.macro add_product x, a, operation, b
    mov T3, \a
    \operation T3, \b
    eor \x, T3
.endm

.macro add_byte at, from
    ldd r0, Y+\at
    eor r0, \from
    std Y+\at, r0
.endm

/* Adds a word's two rotations to it: the second is from where the first one ended. */
.macro rotated_word bytes, bits, more_bytes, more_bits
    rcall .Lload_word
    ldi BYTES, \bytes
    ldi BITS, \bits
    rcall .Ladd_rotated
    ldi BYTES, \more_bytes
    ldi BITS, \more_bits
    rcall .Ladd_rotated
    adiw r28, 8
.endm

function runnel_ascon_avr_small_rounds /* void rounds(r25:r24 state, r22 constant) */
    push_all
    movw r28, r24
.Lround:
    ldd r2, Y+16
    eor r2, CONSTANT
    std Y+16, r2
    ldi COUNT, 8
.Lcolumn:
    ld r2, Y
    ldd r3, Y+8
    ldd r4, Y+16
    ldd r5, Y+24
    ldd r6, Y+32
    eor r2, r6
    eor r6, r5
    eor r4, r3
    com r2 /* x0 and x3 are complemented until the end */
    com r5
    mov T1, r6
    or T1, r2
    mov T2, r2
    and T2, r3
    mov T3, r3
    com T3
    and T3, r4
    eor r2, T3
    add_product r3, r4, or, r5
    add_product r4, r5, and, r6
    eor r5, T1
    eor r6, T2
    eor r3, r2
    eor r2, r6
    eor r5, r4
    com r2
    com r4
    std Y+8, r3
    std Y+16, r4
    std Y+24, r5
    std Y+32, r6
    st Y+, r2
    dec COUNT
    brne .Lcolumn
    sbiw r28, 8
    rotated_word 2, 3, 1, 1 /* 19, 28 */
    rotated_word 4, 7, 2, 6 /* 39, 61 */
    rotated_word 0, 1, 0, 5 /* 1, 6 */
    rotated_word 1, 2, 0, 7 /* 10, 17 */
    rotated_word 0, 7, 4, 2 /* 7, 41 */
    sbiw r28, 40
    subi CONSTANT, 0x0f
    cpi CONSTANT, 0x3c
    breq .Ldone
    rjmp .Lround
.Ldone:
    pop_all_return

.Lload_word:
    ldd r10, Y+0
    ldd r11, Y+1
    ldd r12, Y+2
    ldd r13, Y+3
    ldd r14, Y+4
    ldd r15, Y+5
    ldd r16, Y+6
    ldd r17, Y+7
    ret

    /* Rotates r10..r17 to the right and adds them to the word at Y. */
.Lbyte:
    mov r0, r10
    mov r10, r11
    mov r11, r12
    mov r12, r13
    mov r13, r14
    mov r14, r15
    mov r15, r16
    mov r16, r17
    mov r17, r0
.Ladd_rotated:
    subi BYTES, 1
    brcc .Lbyte
    rjmp .Lbits
.Lbit:
    bst r10, 0
    .irp n, r17, r16, r15, r14, r13, r12, r11, r10
    ror \n
    .endr
    bld r17, 7
.Lbits:
    subi BITS, 1
    brcc .Lbit
    add_byte 0, r10
    add_byte 1, r11
    add_byte 2, r12
    add_byte 3, r13
    add_byte 4, r14
    add_byte 5, r15
    add_byte 6, r16
    add_byte 7, r17
    ret
endfunc

#endif
