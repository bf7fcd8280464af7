/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest HIGHT for Thumb-2, without the DSP instructions (Cortex-M3): one loop of one round. Bytes that are
 * treated alike lie in the low and the high half of one word, X0 and X4, X2 and X6, X1 and X5, X3 and X7, with zeros
 * above them, so that carries go where they are cleared. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "ciphers/hight/places.h"

#define x04 r4
#define x26 r5
#define x15 r6
#define x37 r7
#define keys r8
#define rounds r9
#define bytes 0x00ff00ff

    .equ    SCHEDULE, 0             /* what is pushed */
    .equ    OUT, 4
    .equ    IN, 8
    .equ    BLOCKS, 12

/* Adds two bytes of r3 to X0 and X4 and XORs the other two to X2 and X6. */
.macro whiten
    and     r0, r3, #bytes
    add     x04, x04, r0
    and     x04, x04, #bytes
    lsrs    r3, r3, #8
    and     r3, r3, #bytes
    eors    x26, r3
.endm

/* void runnel_hight_thumb2_small_blocks(const void *schedule, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_hight_thumb2_small_blocks
    push_frame lowest=0, highest=9
.Lblock:
    ldr     r2, [sp, #IN]
    ldr     keys, [sp, #SCHEDULE]
    ldr     r0, [r2], #4            /* bytes 0 to 3 */
    ldr     r1, [r2], #4            /* and 4 to 7 */
    str     r2, [sp, #IN]
    ldr     r3, [keys], #HIGHT_SUBKEYS /* whitening */
    lsrs    r2, r0, #16
    bfi     r0, r1, #16, #16
    lsrs    r1, r1, #16
    orr     r2, r2, r1, lsl #16
    and     x04, r0, #bytes
    and     x26, r2, #bytes
    lsrs    r0, r0, #8
    lsrs    r2, r2, #8
    and     x15, r0, #bytes
    and     x37, r2, #bytes
    whiten
    mov     rounds, #32
.Lround:
    ldr     r3, [keys], #4
    orr     r0, x04, x04, lsl #8    /* F1, ^ key */
    eor     r1, r0, r0, lsr #2
    eor     r1, r1, r0, lsr #3
    eor     r1, r3, r1, lsr #2
    and     r1, r1, #bytes
    add     r1, r1, x15
    orr     r0, x26, x26, lsl #8    /* F0, + key */
    eor     r2, r0, r0, lsr #5
    eor     r2, r2, r0, lsr #6
    lsrs    r2, r2, #1
    and     r2, r2, #bytes
    lsrs    r3, r3, #8
    and     r3, r3, #bytes
    adds    r2, r2, r3
    eors    r2, x37
    mov     x15, x04                /* the bytes move on */
    mov     x37, x26
    and     x26, r1, #bytes
    and     x04, r2, #bytes
    ror     x04, x04, #16
    subs    rounds, #1
    bne     .Lround

    ror     r1, x04, #16            /* nothing moves in the last round */
    mov     r2, x26
    mov     x04, x15
    mov     x26, x37
    ldr     r3, [keys, #HIGHT_WHITENING + 4 - HIGHT_SUBKEYS - 128]
    whiten
    orr     r0, x04, r2, lsl #8
    orr     r1, x26, r1, lsl #8
    uxth    r2, r0
    orr     r2, r2, r1, lsl #16
    lsrs    r0, r0, #16
    bfi     r1, r0, #0, #16
    ldr     r0, [sp, #OUT]
    str     r2, [r0], #4
    str     r1, [r0], #4
    str     r0, [sp, #OUT]
    ldr     r1, [sp, #BLOCKS]
    subs    r1, #1
    str     r1, [sp, #BLOCKS]
    bne     .Lblock
    pop_frame_return 16, highest=9, into=pc
endfunc

#endif
