/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 for 8-bit AVR. Stage i of a register is bit i / 20 of byte i % 20: a shift of all 160 stages by one only
 * renames the bytes, and only the byte that wraps round is shifted itself. R is in twenty registers; S is in memory,
 * XORed with COMP0, so that
 *   new s_k = s_(k - 1) ^ s_k & (s_(k + 1) ^ FOLD_k) ^ ROW_k
 * with FOLD from COMP0 and COMP1, and ROW one of three rows in SRAM: COMP0's part alone, or with either feedback mask.
 * The row is looked up by secrets. A bit selects by skipping one instruction, which takes the same time as the
 * instruction.
 *
 * Output is XORed into `out`, where the input was put before. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

#include "places.h"

#define R 2           /* r2 to r21 */
#define LEFT r22      /* s_(k - 1), s_k and s_(k + 1) change their places as k moves on; this is how they begin */
#define HERE r23
#define RIGHT r24
#define T r25
#define CONTROL_R r0  /* masks for R */
#define FEEDBACK_R r1
#define BITS r26      /* bits to come */
#define BYTE r27      /* of output, or of input */

/* In the state, from Y. */
#define R_BYTES MICKEY128_R_BYTES
#define S_BYTES MICKEY128_S_BYTES
#define KEY MICKEY128_KEY_BYTES
#define KEY_BYTES 16
#define SETUP_BYTES 20 /* of zeros, after the IV and the key */

#define ROW_BYTES 20

/* \name\()_0 to \name\()_19: the bytes of a table of the specification, which is given in words, stage 0 lowest. */
.macro table name, w0, w1, w2, w3, w4
    .irp k, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19
    .set byte, 0
    .set stage, \k
    .rept 8
    .set word, (\w0 & (stage / 32 == 0)) | (\w1 & (stage / 32 == 1)) | (\w2 & (stage / 32 == 2))
    .set word, word | (\w3 & (stage / 32 == 3)) | (\w4 & (stage / 32 == 4))
    .set byte, byte | (((word >> (stage % 32)) & 1) << (stage / 20))
    .set stage, stage + 20
    .endr
    .set \name\()_\k, byte
    .endr
.endm

    table TAPS, 0x42114d31, 0xf3ec4c59, 0x9c679626, 0x803bbe32, 0x375253af
    table COMP0, 0x5dd6f25e, 0x79260955, 0x79007062, 0x37afd931, 0x0fbe06be
    table COMP1, 0x7d191f30, 0xfeb63c98, 0x7c00c3e0, 0x6660e345, 0x7ff45bb5
    table FB0, 0xc43c1faf, 0x0e2fa322, 0x66e54d81, 0xd4544b91, 0x83630bc1
    table FB1, 0x9bf477ab, 0x70798c90, 0x6f9a18b6, 0x6c4b7ee7, 0x11a780ef

/* Runs \do for k = 0 … 19 with k - 1, k and k + 1; the ends, which are shifted, are called FIRST and LAST. */
.macro for_bytes do
    .set COMP0_FIRST, (COMP0_19 << 1) & 0xff
    .set COMP0_LAST, COMP0_0 >> 1
    \do FIRST, 0, 1
    \do 0, 1, 2
    \do 1, 2, 3
    \do 2, 3, 4
    \do 3, 4, 5
    \do 4, 5, 6
    \do 5, 6, 7
    \do 6, 7, 8
    \do 7, 8, 9
    \do 8, 9, 10
    \do 9, 10, 11
    \do 10, 11, 12
    \do 11, 12, 13
    \do 12, 13, 14
    \do 13, 14, 15
    \do 14, 15, 16
    \do 15, 16, 17
    \do 16, 17, 18
    \do 17, 18, 19
    \do 18, 19, LAST
.endm

.macro row_byte left, here, right
    .byte COMP0_\left ^ COMP0_\here
.endm
.macro row_byte_0 left, here, right
    .byte COMP0_\left ^ COMP0_\here ^ FB0_\here
.endm
.macro row_byte_1 left, here, right
    .byte COMP0_\left ^ COMP0_\here ^ FB1_\here
.endm

sram_tables runnel_mickey128_avr, 64 /* so that no row crosses a page */
.Lrows:
    for_bytes row_byte
    for_bytes row_byte_0
    for_bytes row_byte_1

code runnel_mickey128_avr

/* \mask changes if stage \stage of S is set; \byte is the byte of memory that has it. */
.macro change_if_s mask, byte, stage
    .if (COMP0_BIT_\stage)
    sbrs \byte, \stage / 20
    .else
    sbrc \byte, \stage / 20
    .endif
    com \mask
.endm

    .set COMP0_BIT_0, COMP0_0 & 1
    .set COMP0_BIT_54, (COMP0_14 >> 2) & 1
    .set COMP0_BIT_80, (COMP0_0 >> 4) & 1
    .set COMP0_BIT_106, (COMP0_6 >> 5) & 1
    .set COMP0_BIT_159, (COMP0_19 >> 7) & 1

.macro change_if_r mask, stage
    sbrc R+(\stage % 20), \stage / 20
    com \mask
.endm

/* The masks for R, and Z, the row for S; FEEDBACK_R and T are what the input adds to the feedback of R and of S. */
.macro controls
    ldd RIGHT, Y+S_BYTES+14
    clr CONTROL_R
    change_if_s CONTROL_R, RIGHT, 54
    change_if_r CONTROL_R, 106
    change_if_r FEEDBACK_R, 159
    ldd LEFT, Y+S_BYTES+19
    change_if_s T, LEFT, 159
    ldd HERE, Y+S_BYTES+6
    clr RIGHT
    change_if_s RIGHT, HERE, 106
    change_if_r RIGHT, 53
    andi RIGHT, ROW_BYTES
    subi RIGHT, -ROW_BYTES
    and RIGHT, T
    ldi r30, lo8(.Lrows)
    ldi r31, hi8(.Lrows)
    add r30, RIGHT
    ldd HERE, Y+S_BYTES
.endm

.macro clock_r k, before
    and R+\k, CONTROL_R
    eor R+\k, \before
    ldi T, TAPS_\k
    and T, FEEDBACK_R
    eor R+\k, T
.endm

.macro clock_s k, after, left, here, right
    .ifc \after, LAST
    ldi T, COMP0_LAST ^ COMP1_\k
    eor T, r0
    .else
    ldd \right, Y+S_BYTES+\after
    ldi T, COMP0_\after ^ COMP1_\k
    eor T, \right
    .endif
    and T, \here
    .ifc \k, 0
    andi T, 0xfe
    .endif
    .ifc \k, 19
    andi T, 0x7f
    .endif
    eor \left, T
    ldd T, Z+\k
    eor \left, T
    std Y+S_BYTES+\k, \left
.endm

/* Eight clocks. T flag clear: BYTE becomes the keystream; set: with mixing, BYTE is the input. */
.Leight_clocks:
    ldi BITS, 8
.Lclock:
    brts .Lmixing
    clr FEEDBACK_R
    clr T
    controls
    mov RIGHT, HERE
    eor RIGHT, R
    .if COMP0_BIT_0
    com RIGHT
    .endif
    lsr RIGHT
    rol BYTE
    rjmp .Lclock_both
.Lmixing:
    lsl BYTE
    sbc T, T
    ldd HERE, Y+S_BYTES
    mov FEEDBACK_R, T
    change_if_s FEEDBACK_R, HERE, 80
    controls
.Lclock_both:
    mov RIGHT, R+19
    lsl RIGHT
    clock_r 19, R+18
    clock_r 18, R+17
    clock_r 17, R+16
    clock_r 16, R+15
    clock_r 15, R+14
    clock_r 14, R+13
    clock_r 13, R+12
    clock_r 12, R+11
    clock_r 11, R+10
    clock_r 10, R+9
    clock_r 9, R+8
    clock_r 8, R+7
    clock_r 7, R+6
    clock_r 6, R+5
    clock_r 5, R+4
    clock_r 4, R+3
    clock_r 3, R+2
    clock_r 2, R+1
    clock_r 1, R
    clock_r 0, RIGHT
    mov r0, HERE
    lsr r0
    lsl LEFT
    clock_s 0, 1, LEFT, HERE, RIGHT
    clock_s 1, 2, HERE, RIGHT, LEFT
    clock_s 2, 3, RIGHT, LEFT, HERE
    clock_s 3, 4, LEFT, HERE, RIGHT
    clock_s 4, 5, HERE, RIGHT, LEFT
    clock_s 5, 6, RIGHT, LEFT, HERE
    clock_s 6, 7, LEFT, HERE, RIGHT
    clock_s 7, 8, HERE, RIGHT, LEFT
    clock_s 8, 9, RIGHT, LEFT, HERE
    clock_s 9, 10, LEFT, HERE, RIGHT
    clock_s 10, 11, HERE, RIGHT, LEFT
    clock_s 11, 12, RIGHT, LEFT, HERE
    clock_s 12, 13, LEFT, HERE, RIGHT
    clock_s 13, 14, HERE, RIGHT, LEFT
    clock_s 14, 15, RIGHT, LEFT, HERE
    clock_s 15, 16, LEFT, HERE, RIGHT
    clock_s 16, 17, HERE, RIGHT, LEFT
    clock_s 17, 18, RIGHT, LEFT, HERE
    clock_s 18, 19, LEFT, HERE, RIGHT
    clock_s 19, LAST, HERE, RIGHT, LEFT
    dec BITS
    breq .Lclocks_done
    rjmp .Lclock
.Lclocks_done:
    ret

.macro for_r do
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19
    \do \n
    .endr
.endm

.macro load_r n
    ldd R+\n, Y+R_BYTES+\n
.endm

.macro store_r n
    std Y+R_BYTES+\n, R+\n
.endm

.macro clear_r n
    clr R+\n
.endm

.macro clear_s left, here, right
    ldi T, COMP0_\here
    std Y+S_BYTES+\here, T
.endm

/* Mixes in r24 bytes from Z; r25: 0xff, or 0 for as many zeros. */
.Lmix:
.Lmix_byte:
    ld BYTE, Z+
    and BYTE, r25
    push r30
    push r31
    push r24
    push r25
    rcall .Leight_clocks
    pop r25
    pop r24
    pop r31
    pop r30
    dec r24
    brne .Lmix_byte
    ret

/* void iv(r25:r24 state, r23:r22 iv, r21:r20 iv_bytes) */
entry runnel_mickey128_avr_iv
    push_all
    movw r28, r24
    movw r30, r22
    mov r24, r20
    for_r clear_r
    for_bytes clear_s
    ldi r25, 0xff
    set
    tst r24
    breq .Lmix_key
    rcall .Lmix
.Lmix_key:
    movw r30, r28
    adiw r30, KEY
    ldi r24, KEY_BYTES
    rcall .Lmix
    movw r30, r28
    ldi r24, SETUP_BYTES
    clr r25
    rcall .Lmix
    rjmp .Lstore_and_return
endfunc

/* void xor_blocks(r25:r24 state, r23:r16 index, r15:r14 out, r13:r12 in, r11:r10 nblocks) */
entry runnel_mickey128_avr_xor_blocks
    push_all
    movw r28, r24
    .rept 2 /* blocks of four bytes */
    lsl r10
    rol r11
    .endr
    movw r24, r10
    bring_to_place r15, r14, r13, r12, r24
    movw r30, r14
    movw r24, r10
    for_r load_r
    clt
.Lnext_byte:
    push r30
    push r31
    push r24
    push r25
    rcall .Leight_clocks
    pop r25
    pop r24
    pop r31
    pop r30
    ld r0, Z
    eor r0, BYTE
    st Z+, r0
    sbiw r24, 1
    brne .Lnext_byte
.Lstore_and_return:
    for_r store_r
    pop_all_return
endfunc

#endif
