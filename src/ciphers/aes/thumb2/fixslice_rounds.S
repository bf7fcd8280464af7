/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fixsliced AES in Thumb-2 (Adomnicai, Peyrin, TCHES 2021/1): two blocks in eight words, ShiftRows never carried out.
 *
 * Bit i of every state byte is in word i; the byte in row r, column c of block b is bit 8 r + 2 c + b. After round r
 * the words hold SR^-r of the state (SR = ShiftRows, SR^4 = 1): MixColumns fetches "the byte k rows below" k * r
 * columns further right, that is by a rotation of the word by 8 k and of the bits in each byte by 2 k r. The rotation
 * of the word costs nothing (it is the second operand's), the one within the bytes costs a mask and two XORs.
 *
 * In counter mode the rounds start at the third: the state after two rounds is one table entry for the last counter
 * byte XOR one constant for 256 blocks (fixslice.c). This saves counting, packing, whitening and two rounds. The last
 * round key is added after unpacking, four words for both blocks.
 *
 * Registers: plane i in r4 + i wherever a step begins and ends; r0-r3, r12 and lr are free then. The S-box needs them
 * all and spills to the stack, SPILLS bytes at sp, which are cleared before return. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "fixslice.inc"

/* In MixColumns, for plane \q: sum = q ^ below, below = y rotated right by \turn, where the bits of q in \wrap leave
 * their byte when the columns move and so go \back further. */
.macro below_and_sum q, sum, y, wrap, back, turn
    .if \wrap
    and     \y, \q, #\wrap
    eor     \sum, \q, \y
    eor     \y, \sum, \y, ror #\back
    eor     \sum, \q, \y, ror #\turn
    .else
    eor     \sum, \q, \q, ror #\turn
    .endif
.endm

/* q = below ^ "sum, two rows below", still to be rotated right by 16 + \nibble, where \nibble = 4 if two rows below are
 * two columns further. */
.macro collect q, sum, y, t, nibble, turn
    .if \nibble
    and     \t, \sum, #0x0f0f0f0f
    eor     \q, \sum, \t
    eor     \q, \q, \t, ror #24
    eor     \q, \q, \y, ror #(\turn + 32 - 20) % 32
    .else
    eor     \q, \sum, \y, ror #(\turn + 32 - 16) % 32
    .endif
.endm

/* MixColumns as the rows lie after a round of number \v modulo 4. sum7 goes into planes 4, 3, 1 and 0 as well. */
.macro mix_columns_as v, wrap, back, turn, nibble
    below_and_sum p7, r0, r3, \wrap, \back, \turn
    .if \wrap
    collect p7, r0, r3, r2, \nibble, \turn
    .else
    eor     p7, r0, p7, ror #24
    .endif
    mix_plane p6, p7, r1, 0, \wrap, \back, \turn, \nibble
    mix_plane p5, p6, r1, 0, \wrap, \back, \turn, \nibble
    mix_plane p4, p5, r1, 0, \wrap, \back, \turn, \nibble
    mix_plane p3, p4, r1, 1, \wrap, \back, \turn, \nibble
    mix_plane p2, p3, r1, 1, \wrap, \back, \turn, \nibble
    mix_plane p1, p2, r1, 0, \wrap, \back, \turn, \nibble
    mix_plane p0, p1, r1, 1, \wrap, \back, \turn, \nibble
    eor     p0, r0, p0, ror #16 + \nibble
.endm

/* Plane \q's share, and with its sum the plane above is finished. */
.macro mix_plane q, above, sum, reduce, wrap, back, turn, nibble
    below_and_sum \q, \sum, r3, \wrap, \back, \turn
    eor     \above, \sum, \above, ror #16 + \nibble
    .if \reduce
    eor     \above, \above, r0
    .endif
    .if \wrap
    collect \q, \sum, r3, r2, \nibble, \turn
    .else
    eor     \q, \sum, \q, ror #24
    .endif
.endm

.macro mix_columns v
    .if \v == 0
    mix_columns_as 0, 0, 0, 8, 0
    .elseif \v == 1
    mix_columns_as 1, 0x03030303, 24, 10, 4
    .elseif \v == 2
    mix_columns_as 2, 0x0f0f0f0f, 24, 12, 0
    .else
    mix_columns_as 3, 0xc0c0c0c0, 8, 6, 4
    .endif
.endm

/* The planes ^= the round key \offset bytes from r12. */
.macro add_key offset
    ldr     r0, [r12, #\offset]
    ldr     r1, [r12, #\offset + 4]
    ldr     r2, [r12, #\offset + 8]
    ldr     r3, [r12, #\offset + 12]
    ldr     lr, [r12, #\offset + 16]
    eor     p0, p0, r0
    eor     p1, p1, r1
    eor     p2, p2, r2
    eor     p3, p3, r3
    eor     p4, p4, lr
    ldr     r0, [r12, #\offset + 20]
    ldr     r1, [r12, #\offset + 24]
    ldr     r2, [r12, #\offset + 28]
    eor     p5, p5, r0
    eor     p6, p6, r1
    eor     p7, p7, r2
.endm

.macro middle_round v, offset, keys
    sub_bytes
    mix_columns \v
    ldr     r12, [sp, #\keys]
    add_key \offset
.endm

.macro load_two_blocks from
    ldr     p0, [\from]
    ldr     p2, [\from, #4]
    ldr     p4, [\from, #8]
    ldr     p6, [\from, #12]
    ldr     p1, [\from, #16]
    ldr     p3, [\from, #20]
    ldr     p5, [\from, #24]
    ldr     p7, [\from, #28]
.endm

/* Both blocks ^= the four words at \key. */
.macro add_key_to_words key, offset=0
    ldr     r0, [\key, #\offset]
    ldr     r1, [\key, #\offset + 4]
    ldr     r2, [\key, #\offset + 8]
    ldr     r3, [\key, #\offset + 12]
    eor     p0, p0, r0
    eor     p1, p1, r0
    eor     p2, p2, r1
    eor     p3, p3, r1
    eor     p4, p4, r2
    eor     p5, p5, r2
    eor     p6, p6, r3
    eor     p7, p7, r3
.endm

/* void runnel_aes_thumb2_sub_bytes(uint32_t planes[8]), without the NOTs */
function runnel_aes_thumb2_sub_bytes
    push_frame SPILLS + 8
    str     r0, [sp, #SPILLS]
    ldmia   r0!, {p0-p7}
    sub_bytes
    ldr     r0, [sp, #SPILLS]
    stmia   r0!, {p0-p7}
    clear_spills
    pop_frame_return SPILLS + 8
endfunc

/* void runnel_aes_thumb2_two_rounds(uint32_t planes[8], const uint8_t blocks[32], const uint32_t keys[3][8]): the state
 * after round 2 */
function runnel_aes_thumb2_two_rounds
    push_frame SPILLS + 8
    str     r0, [sp, #SPILLS]
    str     r2, [sp, #SPILLS + 4]
    load_two_blocks r1
    mov     r12, r2
    add_key_to_words r12
    transpose
    middle_round 1, 32, SPILLS + 4
    middle_round 2, 64, SPILLS + 4
    ldr     r0, [sp, #SPILLS]
    stmia   r0!, {p0-p7}
    clear_spills
    pop_frame_return SPILLS + 8
endfunc

/* Table entry number \j of four: of each row r the bits in column r + \j, taken to column r; then MixColumns. */
.macro table_entry j, right, left
    add     r0, sp, #SPILLS
    ldmia   r0, {p0-p7}
    movw    r0, #\right & 0xffff
    movt    r0, #\right >> 16
    movw    r1, #\left & 0xffff
    movt    r1, #\left >> 16
    .irp    p, r4, r5, r6, r7, r8, r9, r10, r11
    .if \j
    and     r2, r1, \p, lsl #8 - 2 * \j
    and     \p, r0, \p, lsr #2 * \j
    orr     \p, \p, r2
    .else
    and     \p, \p, r0
    .endif
    .endr
    mix_columns 2
    ldr     r12, [sp, #SPILLS + 32]
    stmia   r12!, {p0-p7}
    str     r12, [sp, #SPILLS + 32]
.endm

/* void runnel_aes_thumb2_four_entries(planes entries[4], const planes columns): what SubBytes and MixColumns of round 2
 * make of column 0 of four pairs of blocks. Row r of pair number j is in column r + j. */
function runnel_aes_thumb2_four_entries
    push_frame SPILLS + 40
    str     r0, [sp, #SPILLS + 32]
    ldmia   r1, {p0-p7}
    sub_bytes
    add     r0, sp, #SPILLS
    stmia   r0, {p0-p7}
    table_entry 0, 0xc0300c03, 0
    table_entry 1, 0x00300c03, 0xc0000000
    table_entry 2, 0x00000c03, 0xc0300000
    table_entry 3, 0x00000003, 0xc0300c00
    clear_spills
    add     r2, sp, #SPILLS
    strd    r0, r1, [r2]
    strd    r0, r1, [r2, #8]
    strd    r0, r1, [r2, #16]
    strd    r0, r1, [r2, #24]
    pop_frame_return SPILLS + 40
endfunc

    .equ    KEYS, SPILLS            /* of this iteration of four rounds */
    .equ    LAST, SPILLS + 4        /* KEYS if the third of them is the last but one */
    .equ    THIRD, SPILLS + 8       /* the round key of round 3 */
    .equ    STATES, SPILLS + 12
    .equ    DELTA, SPILLS + 16
    .equ    OUT, SPILLS + 20
    .equ    PAIRS, SPILLS + 24
    .equ    FRAME, SPILLS + 32
    .equ    IN, FRAME + 36          /* these are where the caller put them */

/* void runnel_aes_thumb2_rounds(const uint32_t *keys, const uint32_t (*states)[8], const uint32_t delta[8],
 *                               uint8_t *out, const uint8_t *in, size_t pairs, const uint32_t *last)
 * pairs of blocks: out = in ^ the last rounds of states[i] ^ delta; in == NULL: without in. keys are those from round
 * 3, last points three round keys before the last one. */
function runnel_aes_thumb2_rounds
    push_frame FRAME
    str     r0, [sp, #THIRD]
    str     r1, [sp, #STATES]
    str     r2, [sp, #DELTA]
    str     r3, [sp, #OUT]
    ldr     r1, [sp, #IN + 4]
    ldr     r2, [sp, #IN + 8]
    str     r1, [sp, #PAIRS]
    str     r2, [sp, #LAST]

.Lpair:
    ldr     r2, [sp, #STATES]
    ldr     r1, [sp, #DELTA]
    ldmia   r2!, {p0-p7}
    str     r2, [sp, #STATES]
    ldmia   r1!, {r0, r2, r3, r12, lr}
    eor     p0, p0, r0
    eor     p1, p1, r2
    eor     p2, p2, r3
    eor     p3, p3, r12
    eor     p4, p4, lr
    ldmia   r1, {r0, r2, r3}
    eor     p5, p5, r0
    eor     p6, p6, r2
    eor     p7, p7, r3
    ldr     r12, [sp, #THIRD]
    ldr     r0, [sp, #LAST]

    /* The rounds leave the flags alone. */
.Lfour_rounds:
    str     r12, [sp, #KEYS]
    cmp     r12, r0
    middle_round 3, 0, KEYS
    bhi     .Llast_round              /* AES-192, the second time */
    middle_round 0, 32, KEYS
    middle_round 1, 64, KEYS
    beq     .Llast_round              /* AES-128 the second time, AES-256 the third */
    middle_round 2, 96, KEYS
    add     r12, #128
    ldr     r0, [sp, #LAST]
    b       .Lfour_rounds

.Llast_round:
    sub_bytes
    transpose
    bhi     .Lin_order
    swap_odd_rows p0, p4
    swap_odd_rows p1, p5
    swap_odd_rows p2, p6
    swap_odd_rows p3, p7
.Lin_order:
    ldr     r12, [sp, #LAST]
    add_key_to_words r12, 96
    ldr     r12, [sp, #IN]
    ldr     lr, [sp, #OUT]
    cmp     r12, #0
    beq     .Lkeystream
    ldr     r0, [r12]
    ldr     r1, [r12, #4]
    ldr     r2, [r12, #8]
    ldr     r3, [r12, #12]
    eor     p0, p0, r0
    eor     p2, p2, r1
    eor     p4, p4, r2
    eor     p6, p6, r3
    ldr     r0, [r12, #16]
    ldr     r1, [r12, #20]
    ldr     r2, [r12, #24]
    ldr     r3, [r12, #28]
    add     r12, #32
    str     r12, [sp, #IN]
    eor     p1, p1, r0
    eor     p3, p3, r1
    eor     p5, p5, r2
    eor     p7, p7, r3
.Lkeystream:
    ldr     r0, [sp, #PAIRS]
    str     p0, [lr]
    str     p2, [lr, #4]
    str     p4, [lr, #8]
    str     p6, [lr, #12]
    str     p1, [lr, #16]
    str     p3, [lr, #20]
    str     p5, [lr, #24]
    str     p7, [lr, #28]
    add     lr, #32
    str     lr, [sp, #OUT]
    subs    r0, #1
    str     r0, [sp, #PAIRS]
    bne     .Lpair

    clear_spills
    pop_frame_return FRAME
endfunc

#endif
