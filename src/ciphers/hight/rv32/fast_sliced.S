/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on RV32I, sixteen blocks in bit slices: a word holds bit i of byte j of all blocks and, in its high half, that
 * of byte j + 4, since a round does the same to both. Rotations of bytes are free, an addition is 34 instructions for
 * 32 bytes. P0 and P2 (bytes 0 and 4, 2 and 6) stay in registers; P1 and P3 take turns in eight others, so that a round
 * stores eight words and loads eight. P0 takes from P3 what is in the other half. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "fast_sliced.h"

#define P0 s0, s1, s2, s3, s4, s5, s6, s7
#define P1_OR_3 s8, s9, s10, s11, a4, a5, a6, a7
#define P2 a0, a1, a2, a3, t3, t4, t5, t6
#define T t0
#define U t1
#define CARRY t2
#define KEYS ra

#define MASK t2  /* after the rounds */
#define OUT a0
#define IN a1

#define BYTES 0  /* stack: words whose bytes are those of the blocks, of P0, P1, P2, P3; before that: */
#define SAVED_1 32
#define SAVED_3 96
#define KEYS_END 128
#define OUT_ARGUMENT 132
#define IN_ARGUMENT 136
#define FIRST_KEYS 140
#define REGISTERS 144
#define FRAME 192
#define NOWHERE -1

.macro exchange_halves x, temporary
    srli    \temporary, \x, 16
    slli    \x, \x, 16
    or      \x, \x, \temporary
.endm

/* Where a target's register holds another word next. */
.macro move_bit bit, p, store, load
    .if \store != NOWHERE
    sw      \p, \store+4*\bit(sp)
    .endif
    .if \load != NOWHERE
    lw      \p, \load+4*\bit(sp)
    .endif
.endm

/* p += x ^ y ^ z ^ key, with carries. */
.macro add_bit bit, at, crossing, store, load, p, x, y, z
    lw      U, \at+4*\bit(KEYS)
    xor     T, \x, \y
    xor     T, T, \z
    xor     T, T, U
    .if \crossing
    exchange_halves T, U
    .endif
    .if \bit == 0
    and     CARRY, \p, T
    xor     \p, \p, T
    .elseif \bit == 7
    xor     \p, \p, T
    xor     \p, \p, CARRY
    .else
    xor     U, \p, CARRY
    xor     T, T, CARRY
    xor     \p, \p, T
    and     U, U, T
    xor     CARRY, CARRY, U
    .endif
    move_bit \bit, \p, \store, \load
.endm

/* p ^= (x ^ y ^ z) + key, with carries. */
.macro xor_bit bit, at, crossing, store, load, p, x, y, z
    .if \crossing
    xor     T, \x, \y
    xor     T, T, \z
    exchange_halves T, U
    lw      U, \at+4*\bit(KEYS)
    .else
    lw      U, \at+4*\bit(KEYS)
    xor     T, \x, \y
    xor     T, T, \z
    .endif
    xor     \p, \p, T
    .if \bit == 0
    and     CARRY, T, U
    xor     \p, \p, U
    .elseif \bit == 7
    xor     \p, \p, CARRY
    xor     \p, \p, U
    .else
    xor     T, T, CARRY
    xor     U, U, CARRY
    and     T, T, U
    xor     \p, \p, U
    xor     CARRY, CARRY, T
    .endif
    move_bit \bit, \p, \store, \load
.endm

/* p += F1(x) ^ keys; crossing: the halves of the sum's second term exchanged */
.macro add_f1 at, crossing, store, load, p0, p1, p2, p3, p4, p5, p6, p7, x0, x1, x2, x3, x4, x5, x6, x7
    add_bit 0, \at, \crossing, \store, \load, \p0, \x5, \x4, \x2
    add_bit 1, \at, \crossing, \store, \load, \p1, \x6, \x5, \x3
    add_bit 2, \at, \crossing, \store, \load, \p2, \x7, \x6, \x4
    add_bit 3, \at, \crossing, \store, \load, \p3, \x0, \x7, \x5
    add_bit 4, \at, \crossing, \store, \load, \p4, \x1, \x0, \x6
    add_bit 5, \at, \crossing, \store, \load, \p5, \x2, \x1, \x7
    add_bit 6, \at, \crossing, \store, \load, \p6, \x3, \x2, \x0
    add_bit 7, \at, \crossing, \store, \load, \p7, \x4, \x3, \x1
.endm

/* p ^= F0(x) + keys; crossing: x with its halves exchanged */
.macro xor_f0 at, crossing, store, load, p0, p1, p2, p3, p4, p5, p6, p7, x0, x1, x2, x3, x4, x5, x6, x7
    xor_bit 0, \at, \crossing, \store, \load, \p0, \x7, \x6, \x1
    xor_bit 1, \at, \crossing, \store, \load, \p1, \x0, \x7, \x2
    xor_bit 2, \at, \crossing, \store, \load, \p2, \x1, \x0, \x3
    xor_bit 3, \at, \crossing, \store, \load, \p3, \x2, \x1, \x4
    xor_bit 4, \at, \crossing, \store, \load, \p4, \x3, \x2, \x5
    xor_bit 5, \at, \crossing, \store, \load, \p5, \x4, \x3, \x6
    xor_bit 6, \at, \crossing, \store, \load, \p6, \x5, \x4, \x7
    xor_bit 7, \at, \crossing, \store, \load, \p7, \x6, \x5, \x0
.endm

/* lw or sw of eight words. */
.macro eight do, at, base, x, more:vararg
    \do     \x, \at(\base)
    .ifnb \more
    eight   \do, \at+4, \base, \more
    .endif
.endm

/* The high bits under the mask of x for the low ones of y. */
.macro exchange bits, x, y
    srli    T, \x, \bits
    xor     T, T, \y
    and     T, T, MASK
    xor     \y, \y, T
    slli    T, T, \bits
    xor     \x, \x, T
.endm

/* Eight words of bit i of 32 bytes to words of bytes k, k + 8, k + 16 and k + 24. */
.macro to_bytes x0, x1, x2, x3, x4, x5, x6, x7
    li      MASK, 0x55555555
    exchange 1, \x0, \x1
    exchange 1, \x2, \x3
    exchange 1, \x4, \x5
    exchange 1, \x6, \x7
    li      MASK, 0x33333333
    exchange 2, \x0, \x2
    exchange 2, \x1, \x3
    exchange 2, \x4, \x6
    exchange 2, \x5, \x7
    li      MASK, 0x0f0f0f0f
    exchange 4, \x0, \x4
    exchange 4, \x1, \x5
    exchange 4, \x2, \x6
    exchange 4, \x3, \x7
.endm

/* x += keys */
.macro add_keys at, x0, x1, x2, x3, x4, x5, x6, x7
    .set    bit, 0
    .irp    x, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    lw      T, \at+4*bit(KEYS)
    .if bit == 0
    mv      U, \x
    xor     \x, \x, T
    and     CARRY, U, T
    .elseif bit == 7
    xor     \x, \x, CARRY
    xor     \x, \x, T
    .else
    xor     U, \x, CARRY
    xor     T, T, CARRY
    xor     \x, \x, T
    and     U, U, T
    xor     CARRY, CARRY, U
    .endif
    .set    bit, bit + 1
    .endr
.endm

.macro xor_keys at, x, more:vararg
    lw      T, \at(KEYS)
    xor     \x, \x, T
    .ifnb \more
    xor_keys \at+4, \more
    .endif
.endm

/* void runnel_hight_rv32_sixteen(const hight_rv32_group *group, uint8_t *out, const uint8_t *in) */
function runnel_hight_rv32_sixteen
    push_frame FRAME, REGISTERS, ra, SAVED
    sw      a1, OUT_ARGUMENT(sp)
    sw      a2, IN_ARGUMENT(sp)
    mv      T, a0
    eight   lw, HIGHT_RV32_PLANES+32, T, P1_OR_3
    eight   sw, SAVED_1, sp, P1_OR_3
    eight   lw, HIGHT_RV32_PLANES+96, T, P1_OR_3
    eight   sw, SAVED_3, sp, P1_OR_3
    eight   lw, HIGHT_RV32_PLANES, T, P0
    eight   lw, HIGHT_RV32_PLANES+64, T, P2
    lw      KEYS, HIGHT_RV32_KEYS(T)
    sw      KEYS, FIRST_KEYS(sp)
    addi    T, KEYS, 1024
    addi    T, T, 1024
    sw      T, KEYS_END(sp)
    j       .Lsecond_round      /* the first one is done, and a half of this one */
.Lfour_rounds:
    add_f1  0, 0, SAVED_1, SAVED_3, P1_OR_3, P0
    xor_f0  32, 0, SAVED_3, NOWHERE, P1_OR_3, P2
.Lsecond_round:
    add_f1  64, 1, NOWHERE, NOWHERE, P0, P1_OR_3
    lw      T, FIRST_KEYS(sp)
    eight   lw, SAVED_1, sp, P1_OR_3
    beq     KEYS, T, .Lthird_round
    xor_f0  96, 0, NOWHERE, NOWHERE, P2, P1_OR_3
.Lthird_round:
    xor_f0  160, 0, SAVED_1, SAVED_3, P1_OR_3, P0
    add_f1  128, 0, SAVED_3, NOWHERE, P1_OR_3, P2
    xor_f0  224, 1, NOWHERE, NOWHERE, P0, P1_OR_3
    eight   lw, SAVED_1, sp, P1_OR_3
    add_f1  192, 0, NOWHERE, NOWHERE, P2, P1_OR_3
    lw      T, KEYS_END(sp)
    addi    KEYS, KEYS, 256
    beq     KEYS, T, .Lwhitening
    j       .Lfour_rounds
.Lwhitening:
    add_keys 0, P1_OR_3
    to_bytes P1_OR_3
    eight   sw, BYTES+32, sp, P1_OR_3
    eight   lw, SAVED_3, sp, P1_OR_3
    xor_keys 32, P1_OR_3
    to_bytes P1_OR_3
    eight   sw, BYTES+96, sp, P1_OR_3
    to_bytes P0
    eight   sw, BYTES, sp, P0
    to_bytes P2
    eight   sw, BYTES+64, sp, P2

    /* Four words have bytes 0 to 3 of blocks k and k + 8 and then 4 to 7: the output's order from byte 1 on. */
#define HALVES a3
#define P0_WORD a4
#define P1_WORD a5
#define P2_WORD a6
#define P3_WORD a7
#define FROM t3
#define FROM_END t4
#define WORD s0
    lw      OUT, OUT_ARGUMENT(sp)
    lw      IN, IN_ARGUMENT(sp)
    mv      FROM, sp
    addi    FROM_END, sp, 32
    li      HALVES, 0xffff
.Lblock:
    lw      P0_WORD, BYTES(FROM)
    lw      P1_WORD, BYTES+32(FROM)
    lw      P2_WORD, BYTES+64(FROM)
    lw      P3_WORD, BYTES+96(FROM)
    .irp    p, 0, 32, 64, 96
    sw      zero, BYTES+\p(FROM)
    .endr
    li      MASK, 0x00ff00ff
    exchange_halves P0_WORD, T
    exchange 8, P1_WORD, P2_WORD
    exchange 8, P3_WORD, P0_WORD
    mv      MASK, HALVES
    exchange 16, P1_WORD, P3_WORD
    exchange 16, P2_WORD, P0_WORD
    lw      T, 0(IN)
    lw      U, 4(IN)
    lw      MASK, 64(IN)
    lw      WORD, 68(IN)
    xor     P1_WORD, P1_WORD, T
    xor     P3_WORD, P3_WORD, U
    xor     P2_WORD, P2_WORD, MASK
    xor     P0_WORD, P0_WORD, WORD
    sw      P1_WORD, 0(OUT)
    sw      P3_WORD, 4(OUT)
    sw      P2_WORD, 64(OUT)
    sw      P0_WORD, 68(OUT)
    addi    FROM, FROM, 4
    addi    IN, IN, 8
    addi    OUT, OUT, 8
    bne     FROM, FROM_END, .Lblock
    pop_frame_return FRAME, REGISTERS, ra, SAVED
endfunc

#endif
