/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by table look-ups in Thumb-2, one block at a time, with one table of 1 KiB: the other three are its rotations,
 * which the second operand of EOR does for free (Schwabe, Stoffelen, SAC 2016). A look-up is three instructions:
 * extract the byte, load, XOR. On a Cortex-M4 a load right after another one costs one cycle, so that a round loads in
 * three runs, as long as 12 registers allow. The rounds are unrolled and are entered according to the key's length, or
 * at the third if the state after two rounds is known (table.c).
 *
 * Registers: columns in r4-r7 before odd and in r0-r3 before even rounds, r8-r11 for bytes and table entries, r12 the
 * table, lr the last round key. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

    .equ    MOST_ROUNDS, 13         /* with MixColumns: AES-256 from the first */

/* The four columns b = the round of columns a, whose key lies \key bytes from lr. \load: ldr, and ldrb in the last one,
 * where r12 points to the S-box's byte in the table's entries and the rotations are shifts. */
.macro round load, key, a0, a1, a2, a3, b0, b1, b2, b3
    uxtb.w  \b0, \a0                // column 0 in b0, r8, r9, r10
    ubfx    r8, \a1, #8, #8
    ubfx    r9, \a2, #16, #8
    lsr.w   r10, \a3, #24
    uxtb.w  \b1, \a1                // column 1 in b1, r11, b2, b3
    ubfx    r11, \a2, #8, #8
    ubfx    \b2, \a3, #16, #8
    lsr.w   \b3, \a0, #24
    \load   \b0, [r12, \b0, lsl #2]
    \load   r8, [r12, r8, lsl #2]
    \load   r9, [r12, r9, lsl #2]
    \load   r10, [r12, r10, lsl #2]
    \load   \b1, [r12, \b1, lsl #2]
    \load   r11, [r12, r11, lsl #2]
    \load   \b2, [r12, \b2, lsl #2]
    \load   \b3, [r12, \b3, lsl #2]
    eor     \b0, \b0, r8, ror #24
    eor     \b0, \b0, r9, ror #16
    eor     \b0, \b0, r10, ror #8
    eor     \b1, \b1, r11, ror #24
    eor     \b1, \b1, \b2, ror #16
    eor     \b1, \b1, \b3, ror #8

    uxtb.w  r8, \a2                 // column 2 in r8-r11
    ubfx    r9, \a3, #8, #8
    ubfx    r10, \a0, #16, #8
    lsr.w   r11, \a1, #24
    uxtb.w  \a3, \a3                // column 3 in a3, a0, a1, a2
    ubfx    \a0, \a0, #8, #8
    ubfx    \a1, \a1, #16, #8
    lsr.w   \a2, \a2, #24
    \load   r8, [r12, r8, lsl #2]
    \load   r9, [r12, r9, lsl #2]
    \load   r10, [r12, r10, lsl #2]
    \load   r11, [r12, r11, lsl #2]
    \load   \a3, [r12, \a3, lsl #2]
    \load   \a0, [r12, \a0, lsl #2]
    \load   \a1, [r12, \a1, lsl #2]
    \load   \a2, [r12, \a2, lsl #2]
    ldr     \b2, [lr, #\key + 8]
    ldr     \b3, [lr, #\key + 12]
    eor     \b2, \b2, r8
    eor     \b2, \b2, r9, ror #24
    eor     \b2, \b2, r10, ror #16
    eor     \b2, \b2, r11, ror #8
    eor     \b3, \b3, \a3
    eor     \b3, \b3, \a0, ror #24
    eor     \b3, \b3, \a1, ror #16
    eor     \b3, \b3, \a2, ror #8
    ldr     r8, [lr, #\key]
    ldr     r9, [lr, #\key + 4]
    eor     \b0, \b0, r8
    eor     \b1, \b1, r9
.endm

    .equ    STATES, 0
    .equ    CONSTANT, 4
    .equ    OUT, 20
    .equ    ENTRY, 24
    .equ    FRAME, 32
    .equ    IN, FRAME + 36          /* these are where the caller put them */
    .equ    BLOCKS, FRAME + 40
    .equ    ROUNDS, FRAME + 44

/* void runnel_aes_thumb2_table_blocks(const uint32_t *last_key, const uint32_t (*states)[4],
 *                                     const uint32_t constant[4], uint8_t *out, const uint8_t *in, size_t nblocks,
 *                                     unsigned rounds)
 * out = in ^ the last `rounds` rounds with MixColumns and the very last one of states[i] ^ constant; in == NULL:
 * without in. */
function runnel_aes_thumb2_table_blocks
    push_frame FRAME
    mov     lr, r0
    str     r1, [sp, #STATES]
    str     r3, [sp, #OUT]
    ldmia   r2, {r4-r7}
    add     r0, sp, #CONSTANT
    stmia   r0!, {r4-r7}
    ldr     r0, [sp, #ROUNDS]
    rsb     r0, r0, #MOST_ROUNDS    /* even: two rounds are a step */
    lsrs    r0, r0, #1
    adr     r2, .Ltwo_rounds
    adr     r1, .Ltwo_rounds_end
    subs    r1, r1, r2
    adds    r2, #1                  /* a Thumb address */
    mla     r0, r0, r1, r2
    str     r0, [sp, #ENTRY]
    adr.w   r12, .Ltable

.Lblock:
    ldr     r0, [sp, #STATES]
    ldr     r8, [sp, #CONSTANT]
    ldr     r9, [sp, #CONSTANT + 4]
    ldr     r10, [sp, #CONSTANT + 8]
    ldr     r11, [sp, #CONSTANT + 12]
    ldr     r1, [sp, #ENTRY]
    ldr     r4, [r0]
    ldr     r5, [r0, #4]
    ldr     r6, [r0, #8]
    ldr     r7, [r0, #12]
    add     r0, r0, #16
    str     r0, [sp, #STATES]
    eor     r4, r4, r8
    eor     r5, r5, r9
    eor     r6, r6, r10
    eor     r7, r7, r11
    bx      r1

    .balign 4
.Ltwo_rounds:
    round   ldr.w, -208, r4, r5, r6, r7, r0, r1, r2, r3
    round   ldr.w, -192, r0, r1, r2, r3, r4, r5, r6, r7
.Ltwo_rounds_end:
    round   ldr.w, -176, r4, r5, r6, r7, r0, r1, r2, r3
    round   ldr.w, -160, r0, r1, r2, r3, r4, r5, r6, r7
    round   ldr.w, -144, r4, r5, r6, r7, r0, r1, r2, r3
    round   ldr.w, -128, r0, r1, r2, r3, r4, r5, r6, r7
    round   ldr.w, -112, r4, r5, r6, r7, r0, r1, r2, r3
    round   ldr.w, -96, r0, r1, r2, r3, r4, r5, r6, r7
    round   ldr.w, -80, r4, r5, r6, r7, r0, r1, r2, r3
    round   ldr.w, -64, r0, r1, r2, r3, r4, r5, r6, r7
    round   ldr.w, -48, r4, r5, r6, r7, r0, r1, r2, r3
    round   ldr.w, -32, r0, r1, r2, r3, r4, r5, r6, r7
    round   ldr.w, -16, r4, r5, r6, r7, r0, r1, r2, r3
    add     r12, r12, #1
    round   ldrb.w, 0, r0, r1, r2, r3, r4, r5, r6, r7
    sub     r12, r12, #1

    ldr     r0, [sp, #IN]
    ldr     r1, [sp, #OUT]
    ldr     r2, [sp, #BLOCKS]
    cbz     r0, .Lkeystream
    ldr     r8, [r0]
    ldr     r9, [r0, #4]
    ldr     r10, [r0, #8]
    ldr     r11, [r0, #12]
    add     r0, r0, #16
    str     r0, [sp, #IN]
    eor     r4, r4, r8
    eor     r5, r5, r9
    eor     r6, r6, r10
    eor     r7, r7, r11
.Lkeystream:
    str     r4, [r1]
    str     r5, [r1, #4]
    str     r6, [r1, #8]
    str     r7, [r1, #12]
    adds    r1, #16
    str     r1, [sp, #OUT]
    subs    r2, #1
    str     r2, [sp, #BLOCKS]
    bne     .Lblock

    movs    r0, #0                  /* the constant is secret */
    movs    r1, #0
    strd    r0, r1, [sp, #CONSTANT]
    strd    r0, r1, [sp, #CONSTANT + 8]
    pop_frame_return FRAME
endfunc

#include "ciphers/aes/s_box.inc"

/* Entry x: 2 S(x), S(x), S(x), 3 S(x) in its bytes. */
const runnel_aes_thumb2_table_entries
.Ltable:
    .set    x, 0
    .rept   256
    set_to_s s, %x
    .set    double, s << 1 ^ (s >> 7) * 0x11b
    .word   double | s << 8 | s << 16 | (double ^ s) << 24
    .set    x, x + 1
    .endr
endconst

#endif
