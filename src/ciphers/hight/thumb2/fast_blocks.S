/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for Thumb-2 with the DSP instructions (Cortex-M4, ARMv7-A), one block at a time. Bytes that are treated alike
 * lie in the low and the high half of one word: X0 and X4, X2 and X6, X1 and X5, X3 and X7. A byte that is twice in
 * its half gives its rotations by shifts; the bits that these shift in from elsewhere are cleared once a round, where
 * a byte is duplicated. UADD8 adds without a carry into the neighbour. A round is twelve instructions: an exchange of
 * halves is a rotation in an operand, and names move instead of words. The words of X2 and X6 and of X3 and X7 are
 * kept one bit to the left, so that F0 lands where its round key is.
 *
 * While only the last counter byte changes, X7 alone changes: the first round, half of the second and half of the
 * third are constants (fast.c). */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2_DSP

#include "ciphers/hight/places.h"
#include "job.h"

#define bytes r8        /* 0x00ff00ff */
#define shifted r9      /* 0x01fe01fe */
#define twice r10
#define f r11
#define keys r12

    .equ    OUT, 0                  /* the frame */
    .equ    IN, 4                   /* NULL: nothing to XOR */
    .equ    END, 8                  /* `out` after the last block */
    .equ    NEXT, 12                /* where a block begins */
    .equ    FROM, 16                /* the blocks to encrypt, or the run of counter blocks */
    .equ    SCHEDULE, 20
    .equ    FRAME, 24

    .equ    SCHEDULE_END, HIGHT_SUBKEYS + 128

/* odd += F1(even) ^ key, both halves. */
.macro add_f1 odd, even, key
    orr     twice, \even, \even, lsl #8
    eor     f, twice, twice, lsr #2
    eor     f, f, twice, lsr #3
    eor     f, \key, f, lsr #2
    uadd8   \odd, \odd, f
.endm

/* odd ^= F0(even) + key, whose bytes are above those of add_f1's. */
.macro xor_f0 odd, even, key
    orr     twice, \even, \even, lsl #8
    eor     f, twice, twice, lsl #1
    eor     f, f, twice, lsl #6
    uadd8   f, f, \key
    eor     \odd, \odd, f, lsr #7
.endm

/* The round on words that still contain shifted-in bits. */
.macro next_round p, q, u, v, key
    and     \p, bytes, \p, ror #17
    and     \q, shifted, \q, lsl #1
    add_f1  \u, \p, \key
    xor_f0  \v, \q, \key
.endm

code runnel_hight_thumb2_blocks

/* void runnel_hight_thumb2_ctr(runnel_hight_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ the encrypted blocks of the run. */
entry runnel_hight_thumb2_ctr
    adr     r12, .Lcounter_block
    push_frame FRAME
    mov     r4, r1
    mov     r5, r2
    ldr     r6, [r0, #HIGHT_THUMB2_SCHEDULE]
    b       .Lbegin
endfunc

/* void runnel_hight_thumb2_encrypt(const void *schedule, uint8_t *out, const uint8_t *in, size_t nblocks) */
entry runnel_hight_thumb2_encrypt
    adr     r12, .Lplain_block
    push_frame FRAME
    mov     r4, r1
    movs    r5, #0
    mov     r6, r0
    mov     r0, r2
.Lbegin:
    add     r3, r4, r3, lsl #3
    add     r12, r12, #1            /* a Thumb address */
    strd    r4, r5, [sp, #OUT]
    strd    r3, r12, [sp, #END]
    strd    r0, r6, [sp, #FROM]
    mov     bytes, #0x00ff00ff
    lsl     shifted, bytes, #1
    bx      r12

    .balign 4
.Lplain_block:
    ldr     lr, [sp, #FROM]
    ldr     keys, [sp, #SCHEDULE]
    ldr     r6, [lr], #4
    ldr     r7, [lr], #4
    ldr     r3, [keys], #HIGHT_SUBKEYS    /* whitening */
    str     lr, [sp, #FROM]
    ldm     keys!, {r0-r2}
    pkhbt   r4, r6, r7, lsl #16     /* bytes 0, 1, 4, 5 */
    pkhtb   r5, r7, r6, asr #16     /* bytes 2, 3, 6, 7 */
    lsr     r6, r4, #8
    lsr     r7, r5, #7
    uadd8   r4, r4, r3
    eor     r5, r5, r3, lsr #8
    and     r4, r4, bytes
    and     r5, shifted, r5, lsl #1
    add_f1  r6, r4, r0
    xor_f0  r7, r5, r0
    next_round r7, r6, r4, r5, r1
    next_round r5, r4, r7, r6, r2
    b       .Lthird_round

    .balign 4
.Lcounter_block:
    ldr     keys, [sp, #FROM]
    ldm     keys, {r4-r7, r11, lr}
    add     r3, r11, #1
    str     r3, [keys, #HIGHT_THUMB2_COUNTER]
    ldr     keys, [sp, #SCHEDULE]
    ldr     r1, [keys, #HIGHT_SUBKEYS + 4]
    ldr     r2, [keys, #HIGHT_SUBKEYS + 8]
    add     keys, keys, #HIGHT_SUBKEYS + 12
    eor     r7, r7, r11
    add_f1  r4, r7, r1
    and     r4, shifted, r4, lsl #1
    uadd8   r7, r7, lr
    xor_f0  r6, r4, r2
.Lthird_round:
    ldr     r3, [keys], #4
    next_round r6, r7, r5, r4, r3
    .rept   7
    ldm     keys!, {r0-r3}
    next_round r4, r5, r6, r7, r0
    next_round r7, r6, r4, r5, r1
    next_round r5, r4, r7, r6, r2
    next_round r6, r7, r5, r4, r3
    .endr

    /* The last round exchanged nothing: r6 X0 and X4, r7 X2 and X6, r5 X1 and X5, r4 X3 and X7. */
    ldr     r3, [keys, #HIGHT_WHITENING + 4 - SCHEDULE_END]
    ldr     r0, [sp, #IN]
    ldr     r1, [sp, #OUT]
    ldr     r2, [sp, #END]
    ldr     lr, [sp, #NEXT]
    uadd8   r6, r6, r3
    eor     r7, r7, r3, lsr #7
    and     r6, r6, bytes
    and     r5, r5, bytes
    and     r7, bytes, r7, lsr #1
    and     r4, bytes, r4, lsr #1
    orr     r6, r6, r5, lsl #8
    orr     r7, r7, r4, lsl #8
    pkhbt   r4, r6, r7, lsl #16
    pkhtb   r5, r7, r6, asr #16
    cbz     r0, .Lwrite
    ldr     r6, [r0], #4
    ldr     r7, [r0], #4
    str     r0, [sp, #IN]
    eors    r4, r6
    eors    r5, r7
.Lwrite:
    str     r4, [r1], #4
    str     r5, [r1], #4
    str     r1, [sp, #OUT]
    cmp     r1, r2
    it      ne
    bxne    lr
    pop_frame_return FRAME
endfunc

#endif
