/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest SEED for Thumb-2: G from the two S-boxes of 256 bytes, one subroutine for rounds and key set-up. A
 * product with 0x01010101 puts an S-box's byte four times into a word, and the masks are one word in its rotations. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "ciphers/seed/s_boxes.h"

#define left0 r4
#define left1 r5
#define right0 r6
#define right1 r7
#define sbox0 r8
#define sbox1 r12
#define ones r9
#define masks r10

code runnel_seed_thumb2_small

.macro constants
    adr.w   sbox0, .Ls_boxes
    add     sbox1, sbox0, #256
    mov     ones, #0x01010101
    ldr     masks, .Lall_masks
.endm

/* r0 = G(r1); r1-r3 are lost. */
subroutine .Lg
    uxtb    r0, r1
    ubfx    r2, r1, #8, #8
    ubfx    r3, r1, #16, #8
    lsrs    r1, r1, #24
    ldrb    r0, [sbox0, r0]
    ldrb    r2, [sbox1, r2]
    ldrb    r3, [sbox0, r3]
    ldrb    r1, [sbox1, r1]
    mul     r0, r0, ones
    mul     r2, r2, ones
    mul     r3, r3, ones
    mul     r1, r1, ones
    and     r0, r0, masks
    and     r2, r2, masks, ror #8
    and     r3, r3, masks, ror #16
    and     r1, r1, masks, ror #24
    eors    r0, r2
    eors    r3, r1
    eors    r0, r3
    bx      lr
endsub

    .balign 4
.Lall_masks:
    .word   0x3fcff3fc

/* void runnel_seed_thumb2_small_key(void *state, const uint8_t *key, size_t key_bytes) */
    .equ    TO, 0
    .equ    LEFT, 4                 /* rounds to do */
#define constant r11
entry runnel_seed_thumb2_small_key
    push_frame
    movs    r3, #16
    push_pair r0, r3
    ldr     r4, [r1]
    ldr     r5, [r1, #4]
    ldr     r6, [r1, #8]
    ldr     r7, [r1, #12]
    rev     r4, r4
    rev     r5, r5
    rev     r6, r6
    rev     r7, r7
    constants
    ldr     constant, .Lgolden_ratio
.Lnext_keys:
    adds    r1, r4, r6
    sub     r1, r1, constant
    bl      .Lg
    ldr     r3, [sp, #TO]
    str     r0, [r3], #4
    str     r3, [sp, #TO]
    subs    r1, r5, r7
    add     r1, r1, constant
    bl      .Lg
    ldr     r3, [sp, #TO]
    str     r0, [r3], #4
    str     r3, [sp, #TO]
    ror     constant, constant, #31
    ldr     r2, [sp, #LEFT]
    subs    r2, #1
    str     r2, [sp, #LEFT]
    lsls    r3, r2, #31
    bpl     .Leven
    lsls    r3, r4, #24             /* the left half of the key moves to the right by 8 bits */
    lsrs    r4, r4, #8
    orr     r4, r4, r5, lsl #24
    orr     r5, r3, r5, lsr #8
    b       .Lnext_keys
.Leven:
    lsrs    r3, r6, #24             /* the right half moves to the left */
    lsls    r6, r6, #8
    orr     r6, r6, r7, lsr #24
    orr     r7, r3, r7, lsl #8
    cmp     r2, #0
    bne     .Lnext_keys
    pop_frame_return 8, into=pc
endfunc

    .balign 4
.Lgolden_ratio:
    .word   0x9e3779b9

/* void runnel_seed_thumb2_small_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks) */
    .equ    KEYS, 0                 /* of this round, */
    .equ    LAST, 4                 /* and after the last */
    .equ    STATE, 8                /* these are pushed with the registers */
    .equ    OUT, 12
    .equ    IN, 16
    .equ    BLOCKS, 20
#define kept r11        /* what a G is added to */
entry runnel_seed_thumb2_small_blocks
    push_frame 8, lowest=0
    constants
.Lblock:
    ldr     r0, [sp, #IN]
    ldr     r4, [r0], #4
    ldr     r5, [r0], #4
    ldr     r6, [r0], #4
    ldr     r7, [r0], #4
    str     r0, [sp, #IN]
    rev     r4, r4
    rev     r5, r5
    rev     r6, r6
    rev     r7, r7
    ldr     r2, [sp, #STATE]
    add     r3, r2, #128
    str     r3, [sp, #LAST]
.Lround:
    ldm     r2!, {r0, r1}
    str     r2, [sp, #KEYS]
    eor     kept, right0, r0
    eors    r1, right1
    eor     r1, r1, kept
    bl      .Lg
    add     r1, kept, r0
    mov     kept, r0
    bl      .Lg
    add     r1, kept, r0
    mov     kept, r0
    bl      .Lg
    add     kept, kept, r0
    eor     r1, left0, kept
    eors    r0, left1
    mov     left0, right0
    mov     left1, right1
    mov     right0, r1
    mov     right1, r0
    ldr     r2, [sp, #KEYS]
    ldr     r3, [sp, #LAST]
    cmp     r2, r3
    bne     .Lround

    ldr     r0, [sp, #OUT]          /* there is no swap after the last round */
    rev     r4, r4
    rev     r5, r5
    rev     r6, r6
    rev     r7, r7
    str     r6, [r0], #4
    str     r7, [r0], #4
    str     r4, [r0], #4
    str     r5, [r0], #4
    str     r0, [sp, #OUT]
    ldr     r3, [sp, #BLOCKS]
    subs    r3, #1
    str     r3, [sp, #BLOCKS]
    bne     .Lblock
    pop_frame_return 24, into=pc
endfunc

#define BYTE(s) .byte 0x##s;
.Ls_boxes:
    SEED_S0(BYTE)
    SEED_S1(BYTE)

#endif
