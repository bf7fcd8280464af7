/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by table look-ups in Thumb-1, one block at a time, with one table whose rotations are the other three. Of a column the
 * four entries are summed up from row 3 to row 0, with a rotation by one byte between two of them.
 *
 * Entries lie eight bytes apart: so the mask that leaves a byte of the state as an offset, 0x7f8, is a rotation by 24 too,
 * since only its lowest byte counts, 248. No other low register would be free for that.
 *
 * Registers: r0 the mask, r1 the table, r2 a column being made, r3 an entry, r4-r7 the columns; r8-r10 new columns, r11 the
 * round key, r12 the last one. */
#include "arch/thumb1/asm.h"

#if RUNNEL_THUMB1

#define mask r0
#define table r1
#define sum r2
#define entry r3

/* The byte in a row of column \x as an offset. */
.macro offset to, row, x
    .if \row
    lsrs    \to, \x, #8 * \row - 3
    .else
    lsls    \to, \x, #3
    .endif
    ands    \to, mask
.endm

/* sum = the column of x0 to x3, which have its rows, after a round, without the key. */
.macro column x0, x1, x2, x3
    offset  sum, 3, \x3
    ldr     sum, [table, sum]
    rors    sum, mask
    offset  entry, 2, \x2
    ldr     entry, [table, entry]
    eors    sum, entry
    rors    sum, mask
    offset  entry, 1, \x1
    ldr     entry, [table, entry]
    eors    sum, entry
    rors    sum, mask
    offset  entry, 0, \x0
    ldr     entry, [table, entry]
    eors    sum, entry
.endm

/* The same of the last round; table points to the S-box's byte in the entries. */
.macro last_column x0, x1, x2, x3
    offset  sum, 3, \x3
    ldrb    sum, [table, sum]
    lsls    sum, #8
    offset  entry, 2, \x2
    ldrb    entry, [table, entry]
    orrs    sum, entry
    lsls    sum, #8
    offset  entry, 1, \x1
    ldrb    entry, [table, entry]
    orrs    sum, entry
    lsls    sum, #8
    offset  entry, 0, \x0
    ldrb    entry, [table, entry]
    orrs    sum, entry
.endm

/* r4-r7 = the next round; entry = behind its key, at \key. */
.macro round column, key
    \column r4, r5, r6, r7
    mov     r8, sum
    \column r5, r6, r7, r4
    mov     r9, sum
    \column r6, r7, r4, r5
    mov     r10, sum
    \column r7, r4, r5, r6
    mov     entry, \key
    ldm     entry!, {r4-r7}
    eors    r7, sum
    mov     sum, r8
    eors    r4, sum
    mov     sum, r9
    eors    r5, sum
    mov     sum, r10
    eors    r6, sum
.endm

    .equ    CONSTANT, 0
    .equ    STATES, 16
    .equ    OUT, 20
    .equ    FIRST_KEY, 24
    .equ    FRAME, 28
    .equ    IN, FRAME + SAVED       /* these are where the caller put them */
    .equ    BLOCKS, IN + 4
    .equ    ROUNDS, IN + 8

/* void runnel_aes_thumb1_table_blocks(const uint32_t *last_key, const uint32_t (*states)[4],
 *                                     const uint32_t constant[4], uint8_t *out, const uint8_t *in, size_t nblocks,
 *                                     unsigned rounds)
 * out = in ^ the last `rounds` rounds with MixColumns, an odd number, and the very last one of states[i] ^ constant;
 * in == NULL: without in. out and in are multiples of four. */
function runnel_aes_thumb1_table_blocks
    push_all
    sub     sp, #FRAME
    str     r1, [sp, #STATES]
    str     r3, [sp, #OUT]
    mov     r12, r0
    ldr     r3, [sp, #ROUNDS]
    lsls    r3, #4
    subs    r0, r3
    str     r0, [sp, #FIRST_KEY]
    ldm     r2!, {r4-r7}
    mov     r0, sp
    stm     r0!, {r4-r7}

.Lblock:
    ldr     r2, [sp, #STATES]
    ldm     r2!, {r4-r7}
    str     r2, [sp, #STATES]
    mov     r3, sp
    ldm     r3, {r0-r3}
    eors    r4, r0
    eors    r5, r1
    eors    r6, r2
    eors    r7, r3
    ldr     r0, [sp, #FIRST_KEY]
    mov     r11, r0
    ldr     table, .Ltable_address
    ldr     mask, .Lmask
    b       .Lodd
    .balign 4
.Lmask:
    .word   0xff << 3
.Ltable_address:
    .word   runnel_aes_thumb1_table_entries

.Ltwo_rounds:
    mov     r11, entry
    round   column, r11
    mov     r11, entry
.Lodd:
    round   column, r11
    cmp     entry, r12
    beq     .Llast
    b       .Ltwo_rounds
.Llast:
    adds    table, #1
    round   last_column, r12

    ldr     r0, [sp, #IN]
    cmp     r0, #0
    beq     .Lkeystream
    ldm     r0!, {r1-r3}
    eors    r4, r1
    eors    r5, r2
    eors    r6, r3
    ldm     r0!, {r1}
    eors    r7, r1
    str     r0, [sp, #IN]
.Lkeystream:
    ldr     r1, [sp, #OUT]
    stm     r1!, {r4-r7}
    str     r1, [sp, #OUT]
    ldr     r2, [sp, #BLOCKS]
    subs    r2, #1
    str     r2, [sp, #BLOCKS]
    beq     .Ldone
    b       .Lblock
.Ldone:
    movs    r4, #0                  /* the constant is secret */
    str     r4, [sp, #CONSTANT]
    str     r4, [sp, #CONSTANT + 4]
    str     r4, [sp, #CONSTANT + 8]
    str     r4, [sp, #CONSTANT + 12]
    add     sp, #FRAME
    pop_all_return
endfunc

#include "ciphers/aes/s_box.inc"

/* Entry x: 2 S(x), S(x), S(x), 3 S(x) in its bytes, and a word of nothing. */
    .section .rodata.runnel_aes_thumb1_table_entries, "a", %progbits
const runnel_aes_thumb1_table_entries
    .set    x, 0
    .rept   256
    set_to_s s, %x
    .set    double, s << 1 ^ (s >> 7) * 0x11b
    .word   double | s << 8 | s << 16 | (double ^ s) << 24, 0
    .set    x, x + 1
    .endr
endconst

#endif
