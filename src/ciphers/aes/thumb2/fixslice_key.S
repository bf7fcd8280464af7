/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The key set-up of fixsliced AES in Thumb-2: the S-box of a word and the planes of a round key. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include "fixslice.inc"

.macro add_plane p, i
    and     r1, \p, #0x01010101
    orr     r0, r0, r1, lsl #\i
.endm

/* \to = bytes 0 to 3 of \a, \b, \c and \d. */
.macro collect_rows to, a, b, c, d
    and     \to, \a, #0x000000ff
    and     r12, \b, #0x0000ff00
    orr     \to, \to, r12
    and     r12, \c, #0x00ff0000
    orr     \to, \to, r12
    and     r12, \d, #0xff000000
    orr     \to, \to, r12
.endm

/* void runnel_aes_thumb2_pack_key(uint32_t planes[8], const uint32_t words[4], unsigned v): a round key for both blocks as
 * the rows lie after round number v modulo 4, with the NOTs of the S-box */
function runnel_aes_thumb2_pack_key
    push_frame
    ldmia   r1, {r4-r7}
    cmp     r2, #2
    mov     lr, r0
    bhi     .Lkey_of_three
    beq     .Lkey_of_two
    cmp     r2, #0
    beq     .Lkey_of_none
    collect_rows r0, r4, r7, r6, r5
    collect_rows r1, r5, r4, r7, r6
    collect_rows r2, r6, r5, r4, r7
    collect_rows r3, r7, r6, r5, r4
    b       .Lrows_lie
.Lkey_of_three:
    collect_rows r0, r4, r5, r6, r7
    collect_rows r1, r5, r6, r7, r4
    collect_rows r2, r6, r7, r4, r5
    collect_rows r3, r7, r4, r5, r6
    b       .Lrows_lie
.Lkey_of_two:
    swap_odd_rows r4, r6
    swap_odd_rows r5, r7
.Lkey_of_none:
    mov     r0, r4
    mov     r1, r5
    mov     r2, r6
    mov     r3, r7
.Lrows_lie:
    mov     p0, r0
    mov     p1, r0
    mov     p2, r1
    mov     p3, r1
    mov     p4, r2
    mov     p5, r2
    mov     p6, r3
    mov     p7, r3
    transpose
    mvn     p0, p0
    mvn     p1, p1
    mvn     p5, p5
    mvn     p6, p6
    stmia   lr, {p0-p7}
    pop_frame_return into=pc
endfunc

/* uint32_t runnel_aes_thumb2_sub_word(uint32_t word): the S-box of four bytes without the NOTs. Each plane has its bits at
 * the places of bit 0 of each byte; what lies between is of no use. */
function runnel_aes_thumb2_sub_word
    push_frame SPILLS + 4
    mov     p0, r0
    lsr     p1, r0, #1
    lsr     p2, r0, #2
    lsr     p3, r0, #3
    lsr     p4, r0, #4
    lsr     p5, r0, #5
    lsr     p6, r0, #6
    lsr     p7, r0, #7
    sub_bytes
    clear_spills
    and     r0, p0, #0x01010101
    add_plane p1, 1
    add_plane p2, 2
    add_plane p3, 3
    add_plane p4, 4
    add_plane p5, 5
    add_plane p6, 6
    add_plane p7, 7
    pop_frame_return SPILLS + 4, into=pc
endfunc

#endif
