/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 for Thumb-1, which computes in eight registers: the four words of a quarter-round are in r0 to r3, and the four
 * lengths of rotations in r4 to r7. Words 0 to 5 wait in r8 to r12 and lr, which takes a cycle each way, the others on the
 * stack, which takes two. A column and a diagonal share a word: in the order of columns 3 0 1 2 and of diagonals 0 1 2 3 it
 * stays in its register between the two halves of a double round, and from one double round to the next.
 *
 * The rounds are counted in the upper bytes of r7, which a rotation does not see. */
#include "arch/thumb1/asm.h"

#if RUNNEL_THUMB1

    .equ    WORDS, 0                /* 6 to 15 */
    .equ    STATE, 40
    .equ    COUNTER, 44
    .equ    OUT, 48
    .equ    IN, 52
    .equ    FRAME, 56

/* A word between the low register \r and where it waits. */
.macro get r, word
    .if \word == 0
    mov     \r, r8
    .elseif \word == 1
    mov     \r, r9
    .elseif \word == 2
    mov     \r, r10
    .elseif \word == 3
    mov     \r, r11
    .elseif \word == 4
    mov     \r, r12
    .elseif \word == 5
    mov     \r, lr
    .else
    ldr     \r, [sp, #WORDS + 4 * (\word - 6)]
    .endif
.endm

.macro put r, word
    .if \word == 0
    mov     r8, \r
    .elseif \word == 1
    mov     r9, \r
    .elseif \word == 2
    mov     r10, \r
    .elseif \word == 3
    mov     r11, \r
    .elseif \word == 4
    mov     r12, \r
    .elseif \word == 5
    mov     lr, \r
    .else
    str     \r, [sp, #WORDS + 4 * (\word - 6)]
    .endif
.endm

.macro quarter_round
    adds    r0, r1
    eors    r3, r0
    rors    r3, r4
    adds    r2, r3
    eors    r1, r2
    rors    r1, r5
    adds    r0, r1
    eors    r3, r0
    rors    r3, r6
    adds    r2, r3
    eors    r1, r2
    rors    r1, r7
.endm

/* finds, keeps: the number, 0 to 3, of a word that is in its register already, or stays there. */
.macro on a, b, c, d, finds=-1, keeps=-1
    .if \finds != 0
    get     r0, \a
    .endif
    get     r1, \b
    .if \finds != 2
    get     r2, \c
    .endif
    get     r3, \d
    quarter_round
    .if \keeps != 0
    put     r0, \a
    .endif
    put     r1, \b
    .if \keeps != 2
    put     r2, \c
    .endif
    put     r3, \d
.endm

/* Adds a word of the state, at r4, to \x, and the input at r5 to the sum; r3 is lost. */
.macro finish_word x
    ldm     r4!, {r3}
    adds    \x, r3
    ldm     r5!, {r3}
    eors    \x, r3
.endm

/* void runnel_chacha20_thumb1_block(const void *state, uint32_t counter, uint8_t *out, const uint8_t *in) */
function runnel_chacha20_thumb1_block
    push_all
    sub     sp, #FRAME
    str     r0, [sp, #STATE]
    str     r1, [sp, #COUNTER]
    str     r2, [sp, #OUT]
    str     r3, [sp, #IN]
    mov     r2, r1
    ldm     r0!, {r3-r6}
    put     r3, 0
    put     r4, 1
    put     r5, 2
    put     r6, 3
    ldm     r0!, {r4, r5}
    put     r4, 4
    put     r5, 5
    mov     r1, sp
    ldm     r0!, {r4-r7}            /* words 6 to 9 */
    stm     r1!, {r4-r7}
    ldm     r0!, {r4-r7}            /* 10 to 13, of which 12 is the counter */
    mov     r6, r2
    stm     r1!, {r4-r7}
    ldm     r0!, {r4, r5}
    stm     r1!, {r4, r5}
    movs    r4, #16
    movs    r5, #20
    movs    r6, #24
    movs    r7, #9
    lsls    r7, #8
    adds    r7, #25
    get     r0, 3

.Ldouble_round:
    on      3, 7, 11, 15, finds=0
    on      0, 4, 8, 12
    on      1, 5, 9, 13
    on      2, 6, 10, 14, keeps=2
    on      0, 5, 10, 15, finds=2
    on      1, 6, 11, 12
    on      2, 7, 8, 13
    on      3, 4, 9, 14, keeps=0
    subs    r7, #128
    subs    r7, #128
    bmi     .Lrounds_done
    b       .Ldouble_round
.Lrounds_done:
    put     r0, 3
    ldr     r4, [sp, #STATE]
    ldr     r5, [sp, #IN]
    ldr     r6, [sp, #OUT]
    .irp    first, 0, 3, 6, 9
    get     r0, \first
    get     r1, (\first + 1)
    get     r2, (\first + 2)
    finish_word r0
    finish_word r1
    finish_word r2
    stm     r6!, {r0-r2}
    .endr
    get     r0, 12
    get     r1, 13
    get     r2, 14
    ldm     r4!, {r3}               /* the state's own counter is not this block's */
    ldr     r3, [sp, #COUNTER]
    adds    r0, r3
    ldm     r5!, {r3}
    eors    r0, r3
    finish_word r1
    finish_word r2
    stm     r6!, {r0-r2}
    get     r0, 15
    finish_word r0
    stm     r6!, {r0}

    movs    r0, #0                  /* the words are secret */
    movs    r1, #0
    movs    r2, #0
    movs    r3, #0
    movs    r4, #0
    mov     r5, sp
    stm     r5!, {r0-r4}
    stm     r5!, {r0-r4}
    add     sp, #FRAME
    pop_all_return
endfunc

#endif
