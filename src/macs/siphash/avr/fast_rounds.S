/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SipHash-2-4 for 8-bit AVR. All of the state but four bytes of v2 is in registers, which leaves two of them and Y. A
 * rotation by whole bytes is another place of the lowest byte; by 13 and 21 it is one by three bits to the right and two
 * or three bytes to the left. After two rounds v0, v1 and v2 are where they were, and v3 is moved back. The bytes of v2
 * in memory are those that v3 may take as soon as they are added. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "arch/avr/words.inc"

#define OLD_BITS 0 /* scratch */
#define ZERO 1

/* In the frame, from Y+1: four bytes of v2, and then */
#define DATA 5
#define COUNT 7
#define WORDS 9
#define FRAME 10

/* The register of a word's byte i; P0 to P3 are the places of the lowest bytes. */
#define v0(i) 2+((i)+P0)%8
#define v1(i) 10+((i)+P1)%8
#define v3(i) 18+((i)+P3)%8
/* Bytes at the places 0, 1, 4 and 5 of v2 are in r26, r27, r30 and r31, the others in memory. */
#define v2_place(i) (((i)+P2)%8)
#define v2(i) 26+v2_place(i)
#define v2_at(i) 1+v2_place(i)%2+v2_place(i)/4*2


.macro right_3 b0, b1, b2, b3, b4, b5, b6, b7
    mov OLD_BITS, \b0
    .rept 3
    lsr OLD_BITS
    .irp n, \b7, \b6, \b5, \b4, \b3, \b2, \b1, \b0
    ror \n
    .endr
    .endr
.endm

.macro left_1 b0, b1, b2, b3, b4, b5, b6, b7
    lsl \b0
    .irp n, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    rol \n
    .endr
    adc \b0, ZERO
.endm

.macro round
    /* v0 += v1; v1 = v1 <<< 13 ^ v0; v0 <<<= 32 */
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    add_byte \i, v0(\i), v1(\i)
    .endr
    right_3 v1(0), v1(1), v1(2), v1(3), v1(4), v1(5), v1(6), v1(7)
    .set P1, P1+6
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    eor v1(\i), v0(\i)
    .endr
    .set P0, P0+4

    /* v2 += v3; v3 = v3 <<< 16 ^ v2 */
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if v2_place(\i)%4 >= 2
    ldd r0, Y+v2_at(\i)
    add_byte \i, r0, v3(\i)
    std Y+v2_at(\i), r0
    eor v3(\i+6), r0
    .else
    add_byte \i, v2(\i), v3(\i)
    .endif
    .endr
    .set P3, P3+6
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if v2_place(\i)%4 < 2
    eor v3(\i), v2(\i)
    .endif
    .endr

    /* v0 += v3; v3 = v3 <<< 21 ^ v0 */
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    add_byte \i, v0(\i), v3(\i)
    .endr
    right_3 v3(0), v3(1), v3(2), v3(3), v3(4), v3(5), v3(6), v3(7)
    .set P3, P3+5
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    eor v3(\i), v0(\i)
    .endr

    /* v2 += v1; v1 = v1 <<< 17 ^ v2; v2 <<<= 32 */
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if v2_place(\i)%4 >= 2
    ldd r0, Y+v2_at(\i)
    add_byte \i, r0, v1(\i)
    std Y+v2_at(\i), r0
    .else
    add_byte \i, v2(\i), v1(\i)
    .endif
    .endr
    left_1 v1(0), v1(1), v1(2), v1(3), v1(4), v1(5), v1(6), v1(7)
    .set P1, P1+6
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    .if v2_place(\i)%4 >= 2
    ldd r0, Y+v2_at(\i)
    eor v1(\i), r0
    .else
    eor v1(\i), v2(\i)
    .endif
    .endr
    .set P2, P2+4
.endm

/* XORs the block that DATA points to into the word whose first register is given, and leaves Y there. */
.macro xor_block word
    ldd r0, Y+DATA
    ldd r1, Y+DATA+1
    movw r28, r0
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    ldd r0, Y+\i
    eor \word+\i, r0
    .endr
.endm

.set P0, 0
.set P1, 0
.set P2, 0
.set P3, 0

code runnel_siphash_avr

/* void absorb(r25:r24 words, r23:r22 data, r21:r20 nblocks): nblocks is not 0. */
entry runnel_siphash_avr_absorb
    clt
    rjmp .Lstart
endfunc

/* void finish(r25:r24 words): four rounds. */
entry runnel_siphash_avr_finish
    set
    ldi r20, 2
    ldi r21, 0
.Lstart:
    push_all
    stack_to_y
    sbiw r28, FRAME
    set_stack_to_y
    std Y+DATA, r22
    std Y+DATA+1, r23
    tst r20 /* counted to 0 byte by byte */
    breq .Lwhole
    inc r21
.Lwhole:
    std Y+COUNT, r20
    std Y+COUNT+1, r21
    std Y+WORDS, r24
    std Y+WORDS+1, r25
    movw r30, r24
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd 2+\i, Z+\i /* v0 and v1 */
    .endr
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    ldd 18+\i, Z+24+\i
    .endr
    .irp i, 2, 3, 6, 7
    ldd r0, Z+16+\i
    std Y+v2_at(\i), r0
    .endr
    ldd r26, Z+16
    ldd r27, Z+17
    ldd r0, Z+20
    ldd r31, Z+21
    mov r30, r0

.Lblock:
    brts .Lno_data
    xor_block 18
    stack_to_y
.Lno_data:
    clr ZERO
    round
    round
    movw r0, 18+6 /* v3 to its place */
    movw 18+6, 18+4
    movw 18+4, 18+2
    movw 18+2, 18
    movw 18, r0
    .set P3, 0
    brts .Lcount
    xor_block 2
    adiw r28, 8
    movw r0, r28
    stack_to_y
    std Y+DATA, r0
    std Y+DATA+1, r1
.Lcount:
    ldd r0, Y+COUNT
    dec r0
    std Y+COUNT, r0
    brne .Lnext
    ldd r0, Y+COUNT+1
    dec r0
    std Y+COUNT+1, r0
    breq .Ldone
.Lnext:
    rjmp .Lblock

.Ldone:
    std Y+DATA, r30
    std Y+DATA+1, r31
    ldd r30, Y+WORDS
    ldd r31, Y+WORDS+1
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    std Z+\i, 2+\i
    .endr
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    std Z+24+\i, 18+\i
    .endr
    std Z+16, r26
    std Z+17, r27
    clr ZERO
    .irp i, 2, 3, 6, 7
    ldd r0, Y+v2_at(\i)
    std Z+16+\i, r0
    std Y+v2_at(\i), ZERO
    .endr
    .irp i, 4, 5
    ldd r0, Y+DATA-4+\i
    std Z+16+\i, r0
    std Y+DATA-4+\i, ZERO
    .endr
    adiw r28, FRAME
    set_stack_to_y
    pop_all
    ret
endfunc

flash_tables runnel_siphash_avr
.Lconstants:
    .ascii "uespemosmodnarodarenegylsetybdet"

/* void start(r25:r24 words, r23:r22 key, r20 long_tag): the state before a message. */
function runnel_siphash_avr_start
    push_registers 28, 29
    movw r28, r24
    ldi r30, lo8(.Lconstants)
    ldi r31, hi8(.Lconstants)
    ldi r18, 4
.Lword:
    sbrs r18, 0
    movw r26, r22 /* the key once more */
    .rept 8
    ld r19, X+
    lpm r0, Z+
    eor r19, r0
    st Y+, r19
    .endr
    dec r18
    brne .Lword
    sbiw r28, 32-8
    ld r19, Y
    eor r19, r20
    st Y, r19
    pop_registers 29, 28
    ret
endfunc

#endif
