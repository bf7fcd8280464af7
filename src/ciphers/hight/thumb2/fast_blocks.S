/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for Thumb-2 with the DSP instructions (Cortex-M4, ARMv7-A), one block at a time. Bytes that are treated alike
 * lie in the low and the high half of one word: X0 and X4, X2 and X6, X1 and X5, X3 and X7. A byte that is twice in
 * its half gives its rotations by shifts; the bits that these shift in from elsewhere are cleared once a round, where
 * a byte is duplicated. UADD8 adds without a carry into the neighbour. A round is twelve instructions: an exchange of
 * halves is a rotation in an operand, and names move instead of words. The words of X2 and X6 and of X3 and X7 are
 * kept one bit to the left, so that F0 lands where its round key is.
 *
 * While only the last counter byte changes, X7 alone changes, and reaches the other bytes in the first seven rounds: of
 * their 28 steps 12 depend on it, and 4 add or XOR a constant to it (fast.c). Of a pair of blocks, those steps are done
 * on words that have a byte of both. */
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
    .equ    FROM, 16                /* the blocks to encrypt, or the run of pairs */
    .equ    SCHEDULE, 20
    .equ    SECOND, 24              /* the second block of a pair */
    .equ    FRAME, 40
    .equ    PUSHED, 36              /* registers between the frame and the fifth argument */

    .equ    SCHEDULE_END, HIGHT_SUBKEYS + 128

/* f = F1(even) ^ key, both halves. */
.macro find_f1 even, key
    orr     twice, \even, \even, lsl #8
    eor     f, twice, twice, lsr #2
    eor     f, f, twice, lsr #3
    eor     f, \key, f, lsr #2
.endm

/* to = odd + (F1(even) ^ key) */
.macro sum_f1 to, odd, even, key
    find_f1 \even, \key
    uadd8   \to, \odd, f
.endm

.macro add_f1 odd, even, key
    sum_f1  \odd, \odd, \even, \key
.endm

/* f = F0(even) + key, whose bytes are above those of F1's. */
.macro find_f0 even, key
    orr     twice, \even, \even, lsl #8
    eor     f, twice, twice, lsl #1
    eor     f, f, twice, lsl #6
    uadd8   f, f, \key
.endm

.macro xor_f0 odd, even, key
    find_f0 \even, \key
    eor     \odd, \odd, f, lsr #7
.endm

/* The first round of the block in r6 and r7. */
.macro first_round whitening, key
    pkhbt   r4, r6, r7, lsl #16     /* bytes 0, 1, 4, 5 */
    pkhtb   r5, r7, r6, asr #16     /* bytes 2, 3, 6, 7 */
    lsr     r6, r4, #8
    lsr     r7, r5, #7
    uadd8   r4, r4, \whitening
    eor     r5, r5, \whitening, lsr #8
    and     r4, r4, bytes
    and     r5, shifted, r5, lsl #1
    add_f1  r6, r4, \key
    xor_f0  r7, r5, \key
.endm

/* The round on words that still contain shifted-in bits. */
.macro next_round p, q, u, v, key
    and     \p, bytes, \p, ror #17
    and     \q, shifted, \q, lsl #1
    add_f1  \u, \p, \key
    xor_f0  \v, \q, \key
.endm

code runnel_hight_thumb2_blocks

/* void runnel_hight_thumb2_begin_pairs(runnel_hight_thumb2_pairs *run, const void *schedule, uint32_t first,
 *                                      uint32_t counter)
 * The block as two words, the second one big-endian. Its rounds are carried out on all bytes, with 0 for the counter's
 * last; those that depend on it are not used. */
.macro keep word, place             /* its low half, twice */
    pkhbt   \word, \word, \word, lsl #16
    str     \word, [r0, #4 * \place]
.endm
.macro keep_high word, from, place
    pkhtb   \word, \from, \from, asr #16
    str     \word, [r0, #4 * \place]
.endm
entry runnel_hight_thumb2_begin_pairs
    push_frame lowest=4
    mov     bytes, #0x00ff00ff
    lsl     shifted, bytes, #1
    str     r1, [r0, #HIGHT_PAIR_SCHEDULE]
    uxtb    r4, r3
    orr     r4, r4, r4, lsl #16
    add     r4, r4, #0x00010000
    str     r4, [r0, #4 * HIGHT_PAIR_COUNTER]
    bic     r3, r3, #0xff
    mov     r6, r2
    rev     r7, r3
    ldr     r3, [r1], #HIGHT_SUBKEYS
    ldm     r1!, {r2, r12, lr}
    first_round r3, r2
    uxtb    r3, r6
    orr     r3, r4, r3, lsl #8
    keep    r3, HIGHT_PAIR_X0_X1
    ubfx    r3, r7, #17, #8
    keep    r3, HIGHT_PAIR_XOR_0
    next_round r7, r6, r4, r5, r12
    ubfx    r3, lr, #8, #8
    bfi     r12, r3, #8, #8
    keep    r12, HIGHT_PAIR_KEYS_4_9

    and     r5, bytes, r5, ror #17
    and     r4, shifted, r4, lsl #1
    add_f1  r7, r5, lr
    uxtb    r3, f
    keep    r3, HIGHT_PAIR_ADD_2
    uxtb    r3, r7, ror #16
    orr     r3, r5, r3, lsl #24
    keep_high r3, r3, HIGHT_PAIR_X2_X3
    xor_f0  r6, r4, lr

    ldm     r1!, {r2, r12}
    next_round r6, r7, r5, r4, r2
    ubfx    r3, r4, #17, #8
    keep    r3, HIGHT_PAIR_X4
    lsr     r3, r2, #16
    bfi     r2, r3, #0, #8
    keep    r2, HIGHT_PAIR_KEYS_14_13

    and     r4, bytes, r4, ror #17
    and     r5, shifted, r5, lsl #1
    add_f1  r6, r4, r12
    and     r6, shifted, r6, lsl #1
    mov     r3, r6
    keep    r3, HIGHT_PAIR_X5
    find_f0 r5, r12
    ubfx    r3, f, #8, #8
    keep    r3, HIGHT_PAIR_XOR_4
    keep_high r3, r12, HIGHT_PAIR_KEYS_18_19

    ldm     r1, {r2, r12}
    xor_f0  r5, r6, r2
    ubfx    r3, r5, #1, #8
    keep    r3, HIGHT_PAIR_X6
    keep_high r3, r2, HIGHT_PAIR_KEYS_22_23
    lsr     r3, r12, #24
    bfi     r2, r3, #8, #8
    keep    r2, HIGHT_PAIR_KEYS_20_27

    and     r5, bytes, r5, ror #17
    find_f1 r5, r12
    uxtb    r3, f, ror #16
    keep    r3, HIGHT_PAIR_ADD_6
    keep    r12, HIGHT_PAIR_KEYS_24_25
    pop_frame_return
endfunc

/* void runnel_hight_thumb2_ctr_pairs(runnel_hight_thumb2_pairs *run, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ the encrypted blocks of the run. */
entry runnel_hight_thumb2_ctr_pairs
    adr     r12, .Lpair
    push_frame FRAME
    mov     r4, r1
    mov     r5, r2
    ldr     r6, [r0, #HIGHT_PAIR_SCHEDULE]
    b       .Lbegin
endfunc

/* void runnel_hight_thumb2_encrypt(const void *schedule, uint8_t *out, const uint8_t *blocks, size_t nblocks,
 *                                  const uint8_t *in)
 * out = in ^ the encrypted blocks. */
entry runnel_hight_thumb2_encrypt
    adr     r12, .Lplain_block
    push_frame FRAME
    mov     r4, r1
    ldr     r5, [sp, #FRAME + PUSHED]
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
    ldr     lr, [sp, #NEXT]
    ldm     keys!, {r0-r2}
    first_round r3, r0
    next_round r7, r6, r4, r5, r1
    next_round r5, r4, r7, r6, r2
    ldr     r3, [keys], #4
    next_round r6, r7, r5, r4, r3
    .rept   7
    ldm     keys!, {r0-r3}
    next_round r4, r5, r6, r7, r0
    next_round r7, r6, r4, r5, r1
    next_round r5, r4, r7, r6, r2
    .ifndef .Lseventh_round
.Lseventh_round:                    /* lr: where to go after the block, unless it is the last */
    .endif
    next_round r6, r7, r5, r4, r3
    .endr

    /* The last round exchanged nothing: r6 X0 and X4, r7 X2 and X6, r5 X1 and X5, r4 X3 and X7. */
    ldr     r3, [keys, #HIGHT_WHITENING + 4 - SCHEDULE_END]
    ldr     r0, [sp, #IN]
    ldr     r1, [sp, #OUT]
    ldr     r2, [sp, #END]
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
    movs    r0, #0
    movs    r1, #0
    strd    r0, r1, [sp, #SECOND]
    strd    r0, r1, [sp, #SECOND + 8]
    pop_frame_return FRAME

    /* The steps of rounds 0 to 6 that depend on X7, on both blocks, whose bytes are in the halves of a word each. */
#define x0 r4
#define x1 r6
#define x2 r5
#define x3 lr
#define x4 r2
#define x5 r0
#define x7 r7
    .balign 4
.Lpair:
    ldr     keys, [sp, #FROM]
    ldm     keys!, {r0-r3}
    add     x0, r0, #0x00020002
    str     x0, [keys, #-16]
    eor     x7, r0, r1
    sum_f1  x0, r3, x7, r2
    and     x1, shifted, x0, lsl #1
    find_f0 x1, r2
    eor     x1, r3, f

    ldm     keys!, {r0-r3}
    uadd8   x7, x7, r0
    and     x1, bytes, x1, lsr #8
    sum_f1  x2, r2, x1, r1
    lsl     f, x7, #1
    find_f0 f, r1
    eor     x0, x0, f, lsr #8
    and     x0, bytes, x0
    add_f1  x1, x0, r3
    and     f, shifted, x2, lsl #1
    find_f0 f, r3
    eor     x3, r2, f

    ldm     keys!, {r0-r3}
    eor     x7, x7, r0
    and     x3, bytes, x3, lsr #8
    add_f1  x4, x3, r1
    and     x1, shifted, x1, lsl #1
    find_f0 x1, r3
    eor     x2, x2, f, lsr #8
    add_f1  x0, x7, r3

    ldm     keys!, {r0, r3}
    and     x4, shifted, x4, lsl #1
    xor_f0  x5, x4, r3
    and     x2, bytes, x2
    add_f1  x3, x2, r3
    and     x0, shifted, x0, lsl #1
    xor_f0  x1, x0, r1
    ldm     keys, {r1, r3}
    uadd8   x7, x7, r1

    /* Bytes i and i + 4 to a word again: as the seventh round finds them. */
    pkhtb   r10, x0, x4, asr #16
    pkhtb   r11, r3, x2, asr #16
    pkhbt   r4, x4, x0, lsl #16
    pkhbt   r5, x2, r3, lsl #16
    pkhtb   r1, x1, x5, asr #16
    pkhtb   r2, x7, x3, asr #16
    pkhbt   r6, x5, x1, lsl #16
    pkhbt   r7, x3, x7, lsl #16
    strd    r10, r11, [sp, #SECOND]
    strd    r1, r2, [sp, #SECOND + 8]
    ldr     keys, [sp, #SCHEDULE]
    add     keys, keys, #HIGHT_SUBKEYS + 28
    ldr     r3, [keys], #4
    bl      .Lseventh_round
    ldrd    r4, r5, [sp, #SECOND]
    ldrd    r6, r7, [sp, #SECOND + 8]
    ldr     keys, [sp, #SCHEDULE]
    ldr     lr, [sp, #NEXT]
    add     keys, keys, #HIGHT_SUBKEYS + 28
    ldr     r3, [keys], #4
    b       .Lseventh_round
endfunc

#endif
