/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA by four tables of words in Thumb-2, one block at a time, 70 cycles a round on a Cortex-M4. An entry is an S-box's
 * byte where the sums inside a word want it, so that only the sums of words and the orders of bytes are left to do. The
 * second substitution layer is the first one of words rotated by 16 bits, which is the orders of bytes exchanged: that
 * rotation costs nothing. A load right after another one costs one cycle: each round loads in three runs. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "job.h"

#define keys r12
#define table1 r8
#define table2 r9
#define table3 r10
#define table4 r11

    .equ    OUT, 0                  /* the frame */
    .equ    IN, 4                   /* NULL: nothing to XOR */
    .equ    END, 8                  /* `out` after the last block */
    .equ    NEXT, 12                /* where a block begins */
    .equ    FROM, 16                /* the blocks to encrypt, or the run of counter blocks */
    .equ    LAST, 20                /* the last round key but one */
    .equ    KEYS, 24                /* the key with which a block begins */
    .equ    FRAME, 32

/* r4 to r7: of each word the sum of its bytes' entries, of byte i shifted left by i * \shift. Leaves the first two words of
 * the round key at \key in r3 and lr. */
.macro substitute load, shift, a, b, c, d, key
    uxtb    r0, r4
    ubfx    r1, r4, #8, #8
    ubfx    r2, r4, #16, #8
    lsrs    r4, r4, #24
    uxtb    r3, r5
    ubfx    lr, r5, #8, #8
    \load   r0, [\a, r0, lsl #2]
    \load   r1, [\b, r1, lsl #2]
    \load   r2, [\c, r2, lsl #2]
    \load   r4, [\d, r4, lsl #2]
    \load   r3, [\a, r3, lsl #2]
    \load   lr, [\b, lr, lsl #2]
    sum     r0, r1, \shift
    sum     r2, r4, \shift
    eor     r4, r0, r2, lsl #2 * \shift
    sum     r3, lr, \shift
    ubfx    r0, r5, #16, #8
    lsrs    r5, r5, #24
    uxtb    r1, r6
    ubfx    r2, r6, #8, #8
    ubfx    lr, r6, #16, #8
    lsrs    r6, r6, #24
    \load   r0, [\c, r0, lsl #2]
    \load   r5, [\d, r5, lsl #2]
    \load   r1, [\a, r1, lsl #2]
    \load   r2, [\b, r2, lsl #2]
    \load   lr, [\c, lr, lsl #2]
    \load   r6, [\d, r6, lsl #2]
    sum     r0, r5, \shift
    eor     r5, r3, r0, lsl #2 * \shift
    sum     r1, r2, \shift
    sum     lr, r6, \shift
    eor     r6, r1, lr, lsl #2 * \shift
    uxtb    r0, r7
    ubfx    r1, r7, #8, #8
    ubfx    r2, r7, #16, #8
    lsrs    r7, r7, #24
    \load   r0, [\a, r0, lsl #2]
    \load   r1, [\b, r1, lsl #2]
    \load   r2, [\c, r2, lsl #2]
    \load   r7, [\d, r7, lsl #2]
    ldr     r3, [keys, #\key]
    ldr     lr, [keys, #\key + 4]
    sum     r0, r1, \shift
    sum     r2, r7, \shift
    eor     r7, r0, r2, lsl #2 * \shift
.endm

.macro sum x, y, shift
    eor     \x, \x, \y, lsl #\shift
.endm

/* r4 to r7, a layer's sums: the words' sums, the bytes' orders, the words' sums, and the round key at \key, which r3 and
 * lr have begun; with \last, what ends the rounds is loaded into lr on the way. */
.macro diffuse odd, key, last=0
    eors    r0, r4, r5
    eor     r1, r6, r7
    eor     r2, r5, r1
    eor     r5, r4, r1
    eor     r4, r7, r0
    eors    r6, r0
    .if \odd
    rev     r2, r2
    rev16   r5, r5
    eor     r1, r6, r4, ror #16
    .else
    rev16   r2, r2
    rev     r5, r5
    eor     r1, r4, r6, ror #16
    .endif
    eor     r0, r2, r5
    eors    r5, r3
    eor     r2, r2, lr
    .if \odd
    eor     r7, r0, r4, ror #16
    eors    r6, r0
    .else
    eor     r7, r0, r4
    eor     r6, r0, r6, ror #16
    .endif
    eor     r4, r5, r1
    eor     r5, r2, r1
    ldr     r0, [keys, #\key + 8]
    ldr     r1, [keys, #\key + 12]
    .if \last
    ldr     lr, [sp, #LAST]
    .endif
    eors    r6, r0
    eors    r7, r1
.endm

code runnel_aria_thumb2_blocks

/* void runnel_aria_thumb2_count(runnel_aria_thumb2_run *run, uint8_t *out, const uint8_t *in, size_t nblocks)
 * out = in ^ the encrypted counter blocks. */
entry runnel_aria_thumb2_count
    push_frame FRAME
    add     r3, r1, r3, lsl #4
    strd    r1, r2, [sp, #OUT]
    ldr     r4, [r0, #ARIA_THUMB2_KEYS]
    ldr     r5, [r0, #ARIA_THUMB2_LAST]
    ldr     table1, [r0, #ARIA_THUMB2_TABLE]
    adr     r2, .Lcounter_block
    b       .Lbegin
endfunc

/* void runnel_aria_thumb2_encrypt(const uint8_t *keys, const uint8_t *last, const uint32_t table[4][256], uint8_t *out,
 *                                 const uint8_t *in, size_t nblocks)
 * last is the last round key but one. */
entry runnel_aria_thumb2_encrypt
    push_frame
    mov     r5, r1
    mov     table1, r2
    mov     r4, r0
    ldr     r0, [sp, #36]
    ldr     r1, [sp, #40]
    take_stack FRAME
    movs    r2, #0
    strd    r3, r2, [sp, #OUT]
    add     r3, r3, r1, lsl #4
    adr     r2, .Lplain_block
.Lbegin:
    adds    r2, #1                  /* a Thumb address */
    strd    r3, r2, [sp, #END]
    strd    r0, r5, [sp, #FROM]
    str     r4, [sp, #KEYS]
    add     table2, table1, #1024
    add     table3, table1, #2048
    add     table4, table1, #3072
    bx      r2

    .balign 4
.Lplain_block:
    ldr     lr, [sp, #FROM]
    ldr     keys, [sp, #KEYS]
    ldr     r4, [lr]
    ldr     r5, [lr, #4]
    ldr     r6, [lr, #8]
    ldr     r7, [lr, #12]
    ldr     r0, [keys]
    ldr     r1, [keys, #4]
    ldr     r2, [keys, #8]
    ldr     r3, [keys, #12]
    add     lr, lr, #16
    add     keys, keys, #16
    str     lr, [sp, #FROM]
    eors    r4, r0
    eors    r5, r1
    eors    r6, r2
    eors    r7, r3
    b       .Lpair

/* The counter's byte, as its entry, reaches seven bytes of the second round's input. What the other nine make of that
 * round is added in place of its key. */
    .balign 4
.Lcounter_block:
    ldr     r12, [sp, #FROM]
    ldr     r0, [r12, #ARIA_THUMB2_COUNTER]
    ldr     r1, [r12, #ARIA_THUMB2_KEY_BYTE]
    ldr     r4, [r12, #ARIA_THUMB2_FIRST]
    ldr     r5, [r12, #ARIA_THUMB2_FIRST + 4]
    ldr     r6, [r12, #ARIA_THUMB2_FIRST + 8]
    ldr     r7, [r12, #ARIA_THUMB2_FIRST + 12]
    eors    r1, r0
    ldr     r1, [table4, r1, lsl #2]
    adds    r0, #1
    str     r0, [r12, #ARIA_THUMB2_COUNTER]
    eors    r4, r1
    eors    r5, r1
    eors    r6, r1
    eor     r7, r7, r1, lsl #8
    ubfx    r0, r4, #8, #8
    ubfx    r1, r4, #16, #8
    uxtb    r2, r5
    ubfx    r3, r5, #8, #8
    uxtb    lr, r6
    ubfx    r6, r6, #16, #8
    lsrs    r7, r7, #24
    ldr     r4, [table4, r0, lsl #2]
    ldr     r0, [table1, r1, lsl #2]
    ldr     r5, [table3, r2, lsl #2]
    ldr     r1, [table4, r3, lsl #2]
    ldr     r2, [table3, lr, lsl #2]
    ldr     r6, [table1, r6, lsl #2]
    ldr     r7, [table2, r7, lsl #2]
    ldr     r3, [r12, #ARIA_THUMB2_SECOND]
    ldr     lr, [r12, #ARIA_THUMB2_SECOND + 4]
    eors    r4, r0
    eors    r5, r1
    eors    r6, r2
    diffuse 0, ARIA_THUMB2_SECOND
    ldr     keys, [sp, #KEYS]

    .balign 4
.Lpair:
    substitute ldr, 0, table1, table2, table3, table4, 0
    diffuse 1, 0
    substitute ldr, 0, table3, table4, table1, table2, 16
    diffuse 0, 16, 1
    add     keys, keys, #32
    cmp     keys, lr
    bne     .Lpair

    substitute ldr, 0, table1, table2, table3, table4, 0
    diffuse 1, 0
    add     table1, table1, #1      /* the first byte of its entries is zero */
    substitute ldrb, 8, table3, table4, table1, table2, 16
    sub     table1, table1, #1
    ldr     r0, [keys, #24]
    ldr     r1, [keys, #28]
    ldr     r2, [sp, #IN]
    eors    r4, r3
    eor     r5, r5, lr
    eors    r6, r0
    eors    r7, r1
    cbz     r2, .Lwrite
    ldr     r0, [r2]
    ldr     r1, [r2, #4]
    ldr     r3, [r2, #8]
    ldr     lr, [r2, #12]
    adds    r2, #16
    str     r2, [sp, #IN]
    eors    r4, r0
    eors    r5, r1
    eors    r6, r3
    eor     r7, r7, lr
.Lwrite:
    ldr     r0, [sp, #OUT]
    ldr     r1, [sp, #END]
    ldr     r2, [sp, #NEXT]
    str     r4, [r0]
    str     r5, [r0, #4]
    str     r6, [r0, #8]
    str     r7, [r0, #12]
    adds    r0, #16
    str     r0, [sp, #OUT]
    cmp     r0, r1
    it      ne
    bxne    r2
    pop_frame_return FRAME
endfunc

#endif
