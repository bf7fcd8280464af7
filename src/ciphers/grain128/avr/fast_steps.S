/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 for 8-bit AVR: eight steps at once, so that a tap is a byte, made of two neighbours by a shift. The shift
 * is a multiplication, and its two halves are kept apart: the low byte belongs to this step, the high byte to the
 * next, where the same byte is the lower of the two. So only one byte of each pair is loaded, the other's part is
 * already in the sum, and taps with the same shift that go to one sum, or are multiplied, are combined before the
 * shift.
 *
 * The registers slide through memory for at most 16 steps and are then moved back. No branch or address depends on a
 * secret. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "state.h"

/* The state at Y. */
#define SAVED GRAIN128_AVR_SAVED /* registers 2, 3, 6 and 8 to 13 */
#define B GRAIN128_AVR_B /* the nonlinear register */
#define S GRAIN128_AVR_S /* the linear one */

#define CHUNK 16

#define OUTPUT r2
#define TO_B r3
#define NEXT_OUTPUT r4
#define NEXT_B r5
#define TO_S r6
#define NEXT_S r7
#define S13 r8 /* what these windows take from their lower bytes */
#define S20 r9
#define S42 r10
#define S60 r11
#define B61 r12
#define B11 r13
#define FACTOR r16
#define STEPS r17
/* r14, r15, r18 to r25: for one step. */

/* The sum \sum takes in the window whose upper byte, or sum of upper bytes, is \from. */
.macro tap from, sum, next
    mul \from, FACTOR
    eor \sum, r0
    eor \next, r1
.endm

.macro first_tap from, sum, next
    mul \from, FACTOR
    eor \sum, r0
    mov \next, r1
.endm

/* r0 = the window with the upper byte \from. */
.macro window from, lower
    mul \from, FACTOR
    eor r0, \lower
    mov \lower, r1
.endm

.macro eight_steps
    ldi FACTOR, 128               /* shifts by 1 */
    ldd r18, Y+B+12
    ldd r19, Y+B+10
    eor r19, r18
    first_tap r19, OUTPUT, NEXT_OUTPUT /* b73 b89 */
    ldd r20, Y+S+11
    first_tap r20, TO_S, NEXT_S   /* s81 */
    ldd r21, Y+S+12
    lsl r20
    mov r20, r21
    rol r20                       /* s95 */
    ldd r22, Y+B+11
    mov r0, r22
    lsl r0
    mov r23, r18
    rol r23                       /* b95 */
    and r20, r23
    lsr FACTOR                    /* shifts by 2 */
    ldd r19, Y+S+6
    window r19, S42
    and r23, r0
    eor OUTPUT, r23               /* b95 s42 */
    ldd r19, Y+B+1
    tap r19, OUTPUT, NEXT_OUTPUT  /* b2 */
    ldd r23, Y+B+4
    first_tap r23, TO_B, NEXT_B   /* b26 */
    lsr FACTOR                    /* 3 */
    ldd r24, Y+B+9
    ldd r25, Y+B+8
    and r19, r24
    and r23, r25
    eor r19, r23
    eor r19, r18
    tap r19, TO_B, NEXT_B         /* b3 b67, b27 b59, b91 */
    ldd r14, Y+B+2
    mul r14, FACTOR
    eor B11, r0
    mov r0, B11
    mov r19, r1
    lsr r1
    ror B11                       /* b12 */
    mov r23, B11
    lsr r1
    ror B11                       /* b13 */
    and r0, B11
    eor TO_B, r0                  /* b11 b13 */
    mov B11, r19
    ldd r15, Y+S+1
    eor r20, r15
    and r20, r23
    eor OUTPUT, r20               /* b12 s8, b12 b95 s95 */
    lsr FACTOR                    /* 4 */
    ldd r20, Y+B+5
    tap r20, OUTPUT, NEXT_OUTPUT  /* b36 */
    and r22, r24
    tap r22, TO_B, NEXT_B         /* b68 b84 */
    ldd r23, Y+S+9
    ldd r19, Y+S+10
    mov r0, r23
    lsl r0
    rol r19                       /* s79 */
    ldd r22, Y+S+8
    window r22, S60
    and r0, r19
    eor OUTPUT, r0                /* s60 s79 */
    ldd r22, Y+S+3
    window r22, S20
    mov r19, r0
    lsr FACTOR                    /* 5 */
    ldd r22, Y+S+2
    window r22, S13
    and r0, r19
    eor OUTPUT, r0                /* s13 s20 */
    ldd r19, Y+B+6
    and r20, r19
    eor TO_B, r20                 /* b40 b48 */
    eor r19, r21
    tap r19, OUTPUT, NEXT_OUTPUT  /* b45 s93 */
    lsr r24
    mov r19, r25
    ror r19                       /* b65 */
    window r25, B61
    and r0, r19
    eor TO_B, r0                  /* b61 b65 */
    eor OUTPUT, r25               /* b64 */
    lsr FACTOR                    /* 6 */
    ldd r19, Y+S+5
    eor r19, r23
    tap r19, TO_S, NEXT_S         /* s38 s70 */
    lsr FACTOR                    /* 7 */
    tap r14, OUTPUT, NEXT_OUTPUT  /* b15 */
    tap r15, TO_S, NEXT_S         /* s7 */
    ldd r19, Y+B+3
    lsr r19
    ror r14                       /* b17 */
    mov r15, r14
    lsr r19
    ror r14                       /* b18 */
    and r14, r15
    eor TO_B, r14
    ldd r19, Y+S
    eor TO_S, r19                 /* s0 */
    eor TO_B, r19
    eor TO_S, r21                 /* s96 */
    eor TO_B, r18                 /* b96 */
    ldd r19, Y+B
    eor TO_B, r19                 /* b0 */
    ldd r19, Y+B+7
    eor TO_B, r19                 /* b56 */
.endm

/* Runs \do for each register that is kept between calls, and its place. */
.macro for_saved do
    \do OUTPUT, 0
    \do TO_B, 1
    \do TO_S, 2
    \do S13, 3
    \do S20, 4
    \do S42, 5
    \do S60, 6
    \do B61, 7
    \do B11, 8
.endm

.macro load to, place
    ldd \to, Y+SAVED+\place
.endm

.macro store from, place
    std Y+SAVED+\place, \from
.endm

.macro move_back from
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd r18, Y+\from+\n
    std Z+\from+\n, r18
    .endr
.endm

code runnel_grain128_avr

/* void clock(r25:r24 state, …, r19:r18 bytes): eight steps a byte, in which the output goes into the registers */
entry runnel_grain128_avr_clock
    set
    rjmp .Lbegin
endfunc

/* void xor(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 bytes) */
entry runnel_grain128_avr_xor
    clt
.Lbegin:
    push_all
    movw r28, r24
    movw r30, r22
    movw r26, r20
    movw r24, r18
    for_saved load
.Lchunk: /* r25:r24: bytes to do */
    ldi STEPS, CHUNK
    sbiw r24, CHUNK
    brsh .Lchunk_begins
    add STEPS, r24 /* fewer are left */
    clr r24
    clr r25
.Lchunk_begins:
    push r24
    push r25
    push STEPS
.Lagain:
    eight_steps
    brts .Lfeed_back
    ld r19, X+
    eor OUTPUT, r19
    st Z+, OUTPUT
    rjmp .Lshift_in
.Lfeed_back:
    eor TO_B, OUTPUT
    eor TO_S, OUTPUT
.Lshift_in:
    std Y+B+16, TO_B
    std Y+S+16, TO_S
    movw OUTPUT, NEXT_OUTPUT
    mov TO_S, NEXT_S
    adiw r28, 1
    dec STEPS
    breq .Lchunk_done
    rjmp .Lagain
.Lchunk_done:
    pop STEPS
    movw r20, r30
    movw r30, r28
    sub r30, STEPS /* Z: where Y was before the chunk */
    sbc r31, STEPS
    add r31, STEPS
    move_back B
    move_back S
    movw r28, r30
    movw r30, r20
    pop r25
    pop r24
    sbiw r24, 0
    breq .Lall_done
    rjmp .Lchunk
.Lall_done:
    for_saved store
    pop_all_return
endfunc

#endif
