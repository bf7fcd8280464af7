/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by the instructions of Zkne on RV32, one block at a time: each takes one byte through S-box and MixColumns and adds
 * it to a column, so a round is four loads of the key and sixteen of these, in an order in which each has three others to
 * wait for. Of a run of counter blocks the last byte alone moves: column 0 after round 1 and one term of each column after
 * round 2; all else is made once. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32_ZKNE

#include "zkne.h"

#define JOB a0
#define OUT a1
#define IN a2
#define END a3 /* of OUT */
#define KEYS a4
#define FIRST a5 /* of the keys, for what is left of a block */
#define LAST a6
#define RAW a7
#define COUNT t0 /* the last byte, */
#define COLUMN_3 t1 /* and what it is XORed to */
#define A0 t2
#define A1 t3
#define A2 t4
#define A3 t5
#define B0 s0
#define B1 s1
#define B2 s2
#define B3 s3
#define Y0 s4 /* column 0 after round 1, except for the last byte's term */
#define Z0 s5 /* the columns after round 2, except for those of column 0 */
#define Z1 s6
#define Z2 s7
#define Z3 s8
#define T t6

#define SAVED_HERE s0, s1, s2, s3, s4, s5, s6, s7, s8
#define REGISTERS 0 /* stack */
#define FRAME 48

.macro load_key at, x0, x1, x2, x3
    lw      \x0, \at(KEYS)
    lw      \x1, \at + 4(KEYS)
    lw      \x2, \at + 8(KEYS)
    lw      \x3, \at + 12(KEYS)
.endm

/* One byte of each of a to d, the first for y0. */
.macro take byte, do, y0, y1, y2, y3, a, b, c, d
    \do     \y0, \y0, \a, \byte
    \do     \y1, \y1, \b, \byte
    \do     \y2, \y2, \c, \byte
    \do     \y3, \y3, \d, \byte
.endm

.macro round at, do, y0, y1, y2, y3, x0, x1, x2, x3
    load_key \at, \y0, \y1, \y2, \y3
    take    0, \do, \y0, \y1, \y2, \y3, \x0, \x1, \x2, \x3
    take    1, \do, \y0, \y1, \y2, \y3, \x1, \x2, \x3, \x0
    take    2, \do, \y0, \y1, \y2, \y3, \x2, \x3, \x0, \x1
    take    3, \do, \y0, \y1, \y2, \y3, \x3, \x0, \x1, \x2
.endm

/* a ^= words at the address. */
.macro add_words address, at, x0, x1, x2, x3, t0, t1, t2, t3
    lw      \t0, \at(\address)
    lw      \t1, \at + 4(\address)
    lw      \t2, \at + 8(\address)
    lw      \t3, \at + 12(\address)
    xor     \x0, \x0, \t0
    xor     \x1, \x1, \t1
    xor     \x2, \x2, \t2
    xor     \x3, \x3, \t3
.endm

/* void runnel_aes_rv32_zkne_blocks(void *job, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_aes_rv32_zkne_blocks
    push_frame FRAME, REGISTERS, SAVED_HERE
    slli    END, END, 4
    add     END, OUT, END
    lw      KEYS, AES_RV32_ZKNE_KEYS(JOB)
    lw      LAST, AES_RV32_ZKNE_LAST(JOB)
    lw      RAW, AES_RV32_ZKNE_RAW(JOB)
    addi    FIRST, KEYS, 16
    addi    LAST, LAST, -16
    bnez    RAW, .Lraw

    addi    FIRST, KEYS, 48
    lw      A0, AES_RV32_ZKNE_BLOCK(JOB)
    lw      A1, AES_RV32_ZKNE_BLOCK + 4(JOB)
    lw      A2, AES_RV32_ZKNE_BLOCK + 8(JOB)
    lw      A3, AES_RV32_ZKNE_BLOCK + 12(JOB)
    srli    COUNT, A3, 24
    add_words KEYS, 0, A0, A1, A2, A3, B0, B1, B2, B3
    slli    T, COUNT, 24
    xor     COLUMN_3, A3, T
    load_key 16, Y0, B1, B2, B3
    take    0, aes32esmi, Y0, B1, B2, B3, A0, A1, A2, A3
    take    1, aes32esmi, Y0, B1, B2, B3, A1, A2, A3, A0
    take    2, aes32esmi, Y0, B1, B2, B3, A2, A3, A0, A1
    aes32esmi B1, B1, A0, 3
    aes32esmi B2, B2, A1, 3
    aes32esmi B3, B3, A2, 3
    load_key 32, Z0, Z1, Z2, Z3
    aes32esmi Z0, Z0, B1, 1
    aes32esmi Z1, Z1, B1, 0
    aes32esmi Z2, Z2, B2, 0
    aes32esmi Z3, Z3, B3, 0
    aes32esmi Z0, Z0, B2, 2
    aes32esmi Z1, Z1, B2, 1
    aes32esmi Z2, Z2, B3, 1
    aes32esmi Z3, Z3, B1, 2
    aes32esmi Z0, Z0, B3, 3
    aes32esmi Z1, Z1, B3, 2
    aes32esmi Z2, Z2, B1, 3
    aes32esmi Z3, Z3, B2, 3
.Lcounter:
    slli    T, COUNT, 24
    mv      KEYS, FIRST
    xor     T, T, COLUMN_3
    aes32esmi T, Y0, T, 3
    addi    COUNT, COUNT, 1
    aes32esmi A0, Z0, T, 0
    aes32esmi A1, Z1, T, 3
    aes32esmi A2, Z2, T, 2
    aes32esmi A3, Z3, T, 1
.Ltwo_rounds: /* an odd number of rounds comes before the last */
    round   0, aes32esmi, B0, B1, B2, B3, A0, A1, A2, A3
    beq     KEYS, LAST, .Llast
    round   16, aes32esmi, A0, A1, A2, A3, B0, B1, B2, B3
    addi    KEYS, KEYS, 32
    j       .Ltwo_rounds
.Llast:
    round   16, aes32esi, A0, A1, A2, A3, B0, B1, B2, B3
    bnez    RAW, .Lraw_done
    add_words IN, 0, A0, A1, A2, A3, B0, B1, B2, B3
    sw      A0, 0(OUT)
    sw      A1, 4(OUT)
    sw      A2, 8(OUT)
    sw      A3, 12(OUT)
    addi    IN, IN, 16
    addi    OUT, OUT, 16
    bne     OUT, END, .Lcounter
    sb      COUNT, AES_RV32_ZKNE_BLOCK + 15(JOB)
    j       .Ldone

.Lraw_done:
    sw      A0, 0(OUT)
    sw      A1, 4(OUT)
    sw      A2, 8(OUT)
    sw      A3, 12(OUT)
    addi    OUT, OUT, 16
    addi    IN, IN, 16
    beq     OUT, END, .Ldone
.Lraw:
    addi    KEYS, FIRST, -16
    lw      A0, 0(IN)
    lw      A1, 4(IN)
    lw      A2, 8(IN)
    lw      A3, 12(IN)
    add_words KEYS, 0, A0, A1, A2, A3, B0, B1, B2, B3
    mv      KEYS, FIRST
    j       .Ltwo_rounds
.Ldone:
    pop_frame_return FRAME, REGISTERS, SAVED_HERE
endfunc

#define TO a0
#define CONSTANT a4
#define OVERFLOW a5 /* 0x100 */
#define FROM a6
#define SIXTEEN a7
#define WORD t0
#define NEXT t1
#define W0 t2
#define W1 t3
#define W2 t4
#define W3 t5

/* NEXT = CONSTANT or 0, XOR the S-box of the bytes of WORD. */
.macro substitute
    aes32esi NEXT, NEXT, WORD, 0
    aes32esi NEXT, NEXT, WORD, 1
    aes32esi NEXT, NEXT, WORD, 2
    aes32esi NEXT, NEXT, WORD, 3
    mv      WORD, NEXT
.endm

.macro four_words
    lw      W0, 0(FROM)
    lw      W1, 4(FROM)
    lw      W2, 8(FROM)
    lw      W3, 12(FROM)
    xor     W0, W0, WORD
    xor     W1, W1, W0
    xor     W2, W2, W1
    xor     WORD, W3, W2
    sw      W0, 0(TO)
    sw      W1, 4(TO)
    sw      W2, 8(TO)
    sw      WORD, 12(TO)
    addi    FROM, FROM, 16
    addi    TO, TO, 16
.endm

/* void runnel_aes_rv32_zkne_expand(uint32_t *keys, const uint32_t *end, size_t key_bytes): FIPS 197 5.2. */
function runnel_aes_rv32_zkne_expand
    mv      FROM, TO
    add     TO, TO, a2
    li      CONSTANT, 1
    li      OVERFLOW, 0x100
    li      SIXTEEN, 16
    lw      WORD, -4(TO)
.Lstep:
    rotate_right WORD, WORD, 8, W0
    mv      NEXT, CONSTANT
    slli    CONSTANT, CONSTANT, 1
    substitute
    four_words
    beq     TO, a1, .Lexpanded
    bne     a2, SIXTEEN, .Llonger
.Lnext:
    bne     CONSTANT, OVERFLOW, .Lstep
    li      CONSTANT, 0x1b
    j       .Lstep
.Llonger:
    andi    W0, a2, 8
    beqz    W0, .Lkey_of_256_bits
    lw      W0, 0(FROM)
    lw      W1, 4(FROM)
    addi    FROM, FROM, 8
    addi    TO, TO, 8
    xor     WORD, WORD, W0
    sw      WORD, -8(TO)
    xor     WORD, WORD, W1
    sw      WORD, -4(TO)
    j       .Lnext
.Lkey_of_256_bits:
    li      NEXT, 0
    substitute
    four_words
    j       .Lnext
.Lexpanded:
    ret
endfunc

#endif
