/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 in Thumb-2, a step at a time. Both registers stay in r4 to r12 and lr, and shift by a chain of additions with
 * carry. A control bit becomes a mask by one instruction; the specification's tables are constants of the code, loaded
 * by twos. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "ciphers/mickey128/tables.h"

#define linear0 r4
#define linear1 r5
#define linear2 r6
#define linear3 r7
#define linear4 r8
#define nonlinear0 r9
#define nonlinear1 r10
#define nonlinear2 r11
#define nonlinear3 r12
#define nonlinear4 lr

    .equ    STATE, 0                /* the frame */
    .equ    FROM, 4                 /* NULL: nothing to XOR, or zeros to mix in */
    .equ    LEFT, 8                 /* bytes */
    .equ    TO, 12
    .equ    BITS, 16                /* of a byte: input or keystream, with a bit that tells its end */
    .equ    MASKS, 24               /* what the feedback of the nonlinear register is multiplied by */
    .equ    FRAME, 32

/* word = 2 word + carry + (word & r0) */
.macro clock_linear add, word
    and     r2, \word, r0
    \add    \word, \word, \word
    eor     \word, \word, r2
.endm

.macro add_taps place, word, next
    ldr     r2, .Ltaps + \place
    ldr     r3, .Ltaps + \place + 4
    ands    r2, r1
    ands    r3, r1
    eor     \word, \word, r2
    eor     \next, \next, r3
.endm

/* word = 2 word + carry + the products of neighbours; \outside are stages without one. */
.macro clock_nonlinear add, place, word, above, outside
    ldr     r2, .Lcomp + \place
    ldr     r3, .Lcomp + \place + 4
    eor     r2, r2, \word
    eor     r3, r3, \word, lsr #1
    .ifnc   \above, none
    eor     r3, r3, \above, lsl #31
    .endif
    and     r2, r2, r3
    .if \outside
    bic     r2, r2, #\outside
    .endif
    \add    \word, \word, \word
    eor     \word, \word, r2
.endm

.macro add_feedback place, word
    ldr     r2, .Lfeedback + \place
    ldr     r3, .Lfeedback + \place + 4
    ands    r2, r0
    ands    r3, r1
    eor     \word, \word, r2
    eor     \word, \word, r3
.endm

/* A step, with r1 and r3 the feedbacks of the linear and the nonlinear register as masks. */
.macro step
    eor     r0, nonlinear1, linear3, lsl #22 - 10   /* stages 54 and 106 */
    eor     r2, linear1, nonlinear3, lsl #21 - 10   /* stages 53 and 106 */
    sbfx    r0, r0, #22, #1
    sbfx    r2, r2, #21, #1
    ands    r2, r3
    eors    r3, r2
    strd    r3, r2, [sp, #MASKS]
    clock_linear adds, linear0
    clock_linear adcs, linear1
    clock_linear adcs, linear2
    clock_linear adcs, linear3
    clock_linear adcs, linear4
    add_taps 0, linear0, linear1
    add_taps 8, linear2, linear3
    ldr     r2, .Ltaps + 16
    ands    r2, r1
    eor     linear4, linear4, r2
    clock_nonlinear adds, 0, nonlinear0, nonlinear1, 1
    clock_nonlinear adcs, 8, nonlinear1, nonlinear2, 0
    clock_nonlinear adcs, 16, nonlinear2, nonlinear3, 0
    clock_nonlinear adcs, 24, nonlinear3, nonlinear4, 0
    clock_nonlinear adcs, 32, nonlinear4, none, 0x80000000
    ldrd    r0, r1, [sp, #MASKS]
    add_feedback 0, nonlinear0
    add_feedback 8, nonlinear1
    add_feedback 16, nonlinear2
    add_feedback 24, nonlinear3
    add_feedback 32, nonlinear4
.endm

.macro begin
    strd    r0, r2, [sp, #STATE]
    strd    r3, r1, [sp, #LEFT]
    ldm     r0, {r4-r12, lr}
.endm

.macro leave
    ldr     r0, [sp, #STATE]
    stm     r0, {r4-r12, lr}
    movs    r0, #0
    movs    r1, #0
    str     r0, [sp, #BITS]
    strd    r0, r1, [sp, #MASKS]
    pop_frame_return FRAME
.endm

code runnel_mickey128_thumb2_steps

/* void runnel_mickey128_thumb2_xor(runnel_mickey128_registers *g, uint8_t *out, const uint8_t *in, size_t bytes) */
entry runnel_mickey128_thumb2_xor
    push_frame FRAME
    begin
.Lbyte:
    movs    r3, #1
.Lbit:
    eor     r2, linear0, nonlinear0
    lsrs    r2, #1
    adcs    r3, r3
    str     r3, [sp, #BITS]
    asr     r1, linear4, #31
    asr     r3, nonlinear4, #31
    step
    ldr     r3, [sp, #BITS]
    lsrs    r2, r3, #8
    beq     .Lbit
    ldr     r2, [sp, #FROM]
    ldr     r1, [sp, #TO]
    cbz     r2, .Lwrite
    ldrb    r0, [r2], #1
    str     r2, [sp, #FROM]
    eors    r3, r0
.Lwrite:
    strb    r3, [r1], #1
    ldr     r0, [sp, #LEFT]
    str     r1, [sp, #TO]
    subs    r0, #1
    str     r0, [sp, #LEFT]
    bne     .Lbyte
    leave
endfunc

/* void runnel_mickey128_thumb2_mix(runnel_mickey128_registers *g, void *unused, const uint8_t *in, size_t bytes)
 * The bits of `in` are the input. */
entry runnel_mickey128_thumb2_mix
    push_frame FRAME
    begin
.Lmix_byte:
    movs    r3, #0
    ldr     r2, [sp, #FROM]
    cbz     r2, .Lmix_begin
    ldrb    r3, [r2], #1
    str     r2, [sp, #FROM]
    lsls    r3, #24
.Lmix_begin:
    orr     r3, r3, #0x800000
.Lmix_bit:
    asr     r2, r3, #31
    lsls    r3, #1
    str     r3, [sp, #BITS]
    eor     r1, linear4, nonlinear2, lsl #31 - 16   /* stage 80 */
    eor     r3, r2, nonlinear4, asr #31
    eor     r1, r2, r1, asr #31
    step
    ldr     r3, [sp, #BITS]
    cmp     r3, #0x80000000
    bne     .Lmix_bit
    ldr     r0, [sp, #LEFT]
    subs    r0, #1
    str     r0, [sp, #LEFT]
    bne     .Lmix_byte
    leave
endfunc

.macro in_a_row a, b, c, d, e
    .word   \a, \b, \c, \d, \e
.endm
.macro by_twos a, b, c, d, e, f, g, h, i, j
    .word   \a, \f, \b, \g, \c, \h, \d, \i, \e, \j
.endm
#define IN_A_ROW(a, b, c, d, e) in_a_row a, b, c, d, e
#define LIST(a, b, c, d, e) a, b, c, d, e

    .balign 4
.Ltaps:
    MICKEY128_R(IN_A_ROW)
.Lcomp:
    by_twos MICKEY128_COMP0(LIST), MICKEY128_COMP1(LIST)
.Lfeedback:
    by_twos MICKEY128_FB0(LIST), MICKEY128_FB1(LIST)

#endif
