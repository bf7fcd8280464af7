/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK on RV32IM: the shift register in ten registers. Nothing is moved in it; a step puts its new word in the
 * place of the oldest, and five blocks of four steps come round to where they began, so there are five copies of a
 * block and five exits. The oldest word is XORed into the message's before its place is reused. In a step, the latency
 * of the product and the two look-ups is filled by the rest, so that nothing waits. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32_MUL

#include "ciphers/sosemanuk/places.h"

#define W0 s0
#define W1 s1
#define W2 s2
#define W3 s3
#define W4 s4
#define W5 s5
#define W6 s6
#define W7 s7
#define W8 s8
#define W9 s9
#define FROM_0 W0, W1, W2, W3, W4, W5, W6, W7, W8, W9
#define FROM_2 W2, W3, W4, W5, W6, W7, W8, W9, W0, W1
#define FROM_4 W4, W5, W6, W7, W8, W9, W0, W1, W2, W3
#define FROM_6 W6, W7, W8, W9, W0, W1, W2, W3, W4, W5
#define FROM_8 W8, W9, W0, W1, W2, W3, W4, W5, W6, W7

#define R1 s10
#define R2 s11
#define STATE a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define MULTIPLIER a4
#define TABLES a5
#define F0 t3 /* the four words that go through the S-box */
#define F1 t4
#define F2 t5
#define F3 t6
#define V0 a6 /* the oldest words XOR the message */
#define V1 a7
#define V2 t2
#define V3 ra
#define FIRST t0
#define SECOND t1

#define ALPHA 0         /* in the tables */
#define INVERSE 1024

#define FRAME 64

/* One step on the register that begins with w0. */
.macro step w0, w1, w3, w8, w9, f, v, number
    mul     \f, R1, MULTIPLIER
    slli    FIRST, \w3, 2
    srli    SECOND, \w0, 22
    andi    FIRST, FIRST, 0x3fc
    andi    SECOND, SECOND, 0x3fc
    add     FIRST, FIRST, TABLES
    add     SECOND, SECOND, TABLES
    lw      FIRST, INVERSE(FIRST)
    lw      SECOND, ALPHA(SECOND)
    lw      \v, 4*\number(IN)
    xor     FIRST, FIRST, \w9
    xor     FIRST, FIRST, SECOND
    xor     \v, \v, \w0
    slli    SECOND, \w0, 8
    srli    \w0, \w3, 8
    xor     FIRST, FIRST, SECOND
    xor     \w0, \w0, FIRST
    andi    FIRST, R1, 1
    neg     FIRST, FIRST
    and     FIRST, FIRST, \w8
    xor     FIRST, FIRST, \w1
    add     R1, R2, FIRST
    slli    R2, \f, 7
    srli    FIRST, \f, 25
    add     \f, \w9, R1
    or      R2, R2, FIRST
    xor     \f, \f, R2
.endm

/* x ^= ~y & z */
.macro xor_and_not x, y, z
    or      FIRST, \y, \z
    xor     \x, \x, \y
    xor     \x, \x, FIRST
.endm

/* x ^= y & z */
.macro xor_and x, y, z
    and     FIRST, \y, \z
    xor     \x, \x, FIRST
.endm

/* Four steps and the output; Serpent's S-box 2 leaves its words in F1, F2, F3 and F0, the last one inverted. */
.macro block w0, w1, w2, w3, w4, w5, w6, w7, w8, w9
    step    \w0, \w1, \w3, \w8, \w9, F0, V0, 0
    step    \w1, \w2, \w4, \w9, \w0, F1, V1, 1
    step    \w2, \w3, \w5, \w0, \w1, F2, V2, 2
    step    \w3, \w4, \w6, \w1, \w2, F3, V3, 3
    xor_and F3, F0, F2
    xor_and_not F0, F1, F3
    xor     F1, F1, F3
    xor     F1, F1, F2
    xor_and F2, F3, F0
    xor     F0, F0, F1
    xor_and_not F3, F2, F0
    xor     F2, F2, F3
    not     F0, F0
    xor     V0, V0, F1
    xor     V1, V1, F2
    xor     V2, V2, F3
    xor     V3, V3, F0
    sw      V0, 0(OUT)
    sw      V1, 4(OUT)
    sw      V2, 8(OUT)
    sw      V3, 12(OUT)
    addi    OUT, OUT, 16
    addi    IN, IN, 16
.endm

.macro for_words do, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9
    .set    at, SOSEMANUK_S
    .irp    register, \w0, \w1, \w2, \w3, \w4, \w5, \w6, \w7, \w8, \w9
    \do     \register, at(STATE)
    .set    at, at + 4
    .endr
.endm

/* void runnel_sosemanuk_rv32_blocks(void *state, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_sosemanuk_rv32_blocks
    push_frame FRAME, 0, ra, SAVED
    slli    END, END, 4
    add     END, OUT, END
    li      MULTIPLIER, 0x54655307
    lla     TABLES, .Ltables
    lw      R1, SOSEMANUK_R1(STATE)
    lw      R2, SOSEMANUK_R2(STATE)
    for_words lw, FROM_0

.Lfive_blocks:
    block   FROM_0
    beq     OUT, END, .Lend_at_4
    block   FROM_4
    beq     OUT, END, .Lend_at_8
    block   FROM_8
    beq     OUT, END, .Lend_at_2
    block   FROM_2
    beq     OUT, END, .Lend_at_6
    block   FROM_6
    bne     OUT, END, .Lfive_blocks

    for_words sw, FROM_0
    j       .Lreturn
.Lend_at_2:
    for_words sw, FROM_2
    j       .Lreturn
.Lend_at_4:
    for_words sw, FROM_4
    j       .Lreturn
.Lend_at_6:
    for_words sw, FROM_6
    j       .Lreturn
.Lend_at_8:
    for_words sw, FROM_8
.Lreturn:
    sw      R1, SOSEMANUK_R1(STATE)
    sw      R2, SOSEMANUK_R2(STATE)
    pop_frame_return FRAME, 0, ra, SAVED
endfunc

/* Products of a byte with constants; linear, so that one constant per bit generates them all. */
.macro products c0, c1, c2, c3, c4, c5, c6, c7
    .set    x, 0
    .rept   256
    .word   (-(x & 1) & \c0) ^ (-(x >> 1 & 1) & \c1) ^ (-(x >> 2 & 1) & \c2) ^ (-(x >> 3 & 1) & \c3) ^ \
            (-(x >> 4 & 1) & \c4) ^ (-(x >> 5 & 1) & \c5) ^ (-(x >> 6 & 1) & \c6) ^ (-(x >> 7 & 1) & \c7)
    .set    x, x + 1
    .endr
.endm

tables runnel_sosemanuk_rv32_table
.Ltables: /* what a multiplication by alpha adds, and one by its inverse */
    products 0xe19fcf13, 0x6b973726, 0xd6876e4c, 0x05a7dc98, 0x0ae71199, 0x1467229b, 0x28ce449f, 0x50358897
    products 0x180f40cd, 0x301e8033, 0x603ca966, 0xc078fbcc, 0x29f05f31, 0x5249be62, 0xa492d5c4, 0xe18d0321

#endif
