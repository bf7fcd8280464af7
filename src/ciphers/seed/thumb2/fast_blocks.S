/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED by two extended S-boxes in Thumb-2, one block at a time, 46 cycles a round on a Cortex-M4. The other two
 * extended S-boxes are these rotated by 16 bits, which the second operand of EOR does for free. A load right after
 * another one costs one cycle, so that each G loads in one run; the round keys of the next round come in the run of
 * the third G. All rounds are unrolled and use every register: pointers to the data are on the stack. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "job.h"

#define left0 r4
#define left1 r5
#define right0 r6
#define right1 r7
#define table0 r8
#define table1 r9
#define keys r10
#define key0 r11
#define key1 r12

    .equ    OUT, 0                  /* the frame */
    .equ    IN, 4                   /* NULL: nothing to XOR */
    .equ    END, 8                  /* `out` after the last block */
    .equ    NEXT, 12                /* where a block begins */
    .equ    FROM, 16                /* the blocks to encrypt, or the run of counter blocks */
    .equ    FRAME, 24

/* to = the bytes of x and their entries; with \next, the round keys at that place are loaded on the way. */
.macro g to, x, u, v, w, next=-1
    ubfx    \u, \x, #8, #8
    ubfx    \v, \x, #16, #8
    lsr     \w, \x, #24
    uxtb    \to, \x
    ldr     \u, [table1, \u, lsl #2]
    ldr     \v, [table0, \v, lsl #2]
    ldr     \w, [table1, \w, lsl #2]
    ldr     \to, [table0, \to, lsl #2]
    .if \next >= 0
    ldr     key0, [keys, #\next]
    ldr     key1, [keys, #\next + 4]
    .endif
    eor     \v, \v, \w
    eor     \to, \to, \u
    eor     \to, \to, \v, ror #16
.endm

/* to ^= the rest of F, from c + the first G in key0 and the first G in r0. */
.macro rest_of_round number, to0, to1
    g       lr, key0, r1, r2, r3
    add     key0, r0, lr
    .if \number < 16
    g       r0, key0, r1, r2, r3, 8 * \number
    .else
    g       r0, key0, r1, r2, r3
    .endif
    add     lr, lr, r0
    eor     \to1, \to1, r0
    eor     \to0, \to0, lr
.endm

/* to ^= F(from), with this round's keys in key0 and key1. */
.macro half_round number, to0, to1, from0, from1
    eor     key1, key1, \from1
    eor     key0, key0, \from0
    eor     key1, key1, key0
    g       r0, key1, r1, r2, r3
    add     key0, key0, r0
    rest_of_round \number, \to0, \to1
.endm

/* Words of a counter block, and the constants that leave the first G a single look-up: r0 becomes it, key0 the sum
 * with c. */
.macro start_counter_block counter, place
    ldr     key0, [sp, #FROM]
    ldm     key0, {r0-r2, r4-r7}
    eor     r2, r2, \counter
    uxtb    r2, r2
    ldr     r2, [table0, r2, lsl #2]
    add     r3, \counter, #1
    str     r3, [key0, #\place]
.endm

code runnel_seed_thumb2_blocks

/* void runnel_seed_thumb2_left(runnel_seed_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ the last 15 rounds of blocks whose left half counts after the first one. */
entry runnel_seed_thumb2_left
    adr     r12, .Lleft_block
    b       .Lbegin_run
endfunc

/* void runnel_seed_thumb2_right(runnel_seed_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ the encrypted blocks, whose right half counts. */
entry runnel_seed_thumb2_right
    adr     r12, .Lright_block
.Lbegin_run:
    push_frame FRAME
    mov     r4, r1
    mov     r5, r2
    str     r0, [sp, #FROM]
    ldr     keys, [r0, #SEED_THUMB2_KEYS]
    ldr     table0, [r0, #SEED_THUMB2_TABLE]
    b       .Lbegin
endfunc

/* void runnel_seed_thumb2_encrypt(const uint32_t keys[32], const uint32_t table[2][256], uint8_t *out,
 *                                 const uint8_t *in, size_t nblocks) */
entry runnel_seed_thumb2_encrypt
    push_frame
    mov     r4, r2
    mov     r5, #0
    mov     keys, r0
    mov     table0, r1
    mov     r0, r3
    ldr     r3, [sp, #36]
    take_stack FRAME
    str     r0, [sp, #FROM]
    adr     r12, .Lplain_block
.Lbegin:
    add     r3, r4, r3, lsl #4
    add     r12, r12, #1            /* a Thumb address */
    strd    r4, r5, [sp, #OUT]
    strd    r3, r12, [sp, #END]
    add     table1, table0, #1024
    bx      r12

    .balign 4
.Lleft_block:
    start_counter_block left1, SEED_THUMB2_LEFT1
    ldr     r3, [key0, #SEED_THUMB2_MASK]
    eor     left1, left1, r3
    eor     r0, r0, r2
    add     key0, r1, r0
    rest_of_round 2, right0, right1
    b       .Lthird_round

    .balign 4
.Lplain_block:
    ldr     lr, [sp, #FROM]
    ldr     key0, [keys]
    ldr     key1, [keys, #4]
    ldr     left0, [lr]
    ldr     left1, [lr, #4]
    ldr     right0, [lr, #8]
    ldr     right1, [lr, #12]
    add     lr, lr, #16
    str     lr, [sp, #FROM]
    rev     left0, left0
    rev     left1, left1
    rev     right0, right0
    rev     right1, right1
    half_round 1, left0, left1, right0, right1
    b       .Lsecond_round

    .balign 4
.Lright_block:
    start_counter_block right1, SEED_THUMB2_RIGHT1
    eor     r0, r0, r2
    add     key0, r1, r0
    rest_of_round 1, left0, left1
.Lsecond_round:
    half_round 2, right0, right1, left0, left1
.Lthird_round:
    .irp    number, 3, 5, 7, 9, 11, 13, 15
    half_round \number, left0, left1, right0, right1
    half_round (\number+1), right0, right1, left0, left1
    .endr

    ldr     r0, [sp, #IN]
    ldr     r1, [sp, #OUT]
    ldr     r2, [sp, #END]
    rev     right0, right0
    rev     right1, right1
    rev     left0, left0
    rev     left1, left1
    cbz     r0, .Lwrite
    ldr     r3, [r0]
    ldr     r11, [r0, #4]
    ldr     r12, [r0, #8]
    ldr     lr, [r0, #12]
    adds    r0, #16
    str     r0, [sp, #IN]
    eor     right0, right0, r3
    eor     right1, right1, r11
    eor     left0, left0, r12
    eor     left1, left1, lr
.Lwrite:
    str     right0, [r1]
    str     right1, [r1, #4]
    str     left0, [r1, #8]
    str     left1, [r1, #12]
    adds    r1, #16
    str     r1, [sp, #OUT]
    ldr     r3, [sp, #NEXT]
    cmp     r1, r2
    it      ne
    bxne    r3
    pop_frame_return FRAME
endfunc

#endif
