/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED in few bytes of code, for RV32I: the two S-boxes as bytes, G a subroutine, a round in a loop. A byte of an S-box
 * goes to all four places by a product, where there is an instruction for it. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#define KEYS a0
#define PLACE a1
#define OUT a2
#define IN a3
#define BLOCKS a4
#define S_BOXES a5
#define ONES a6
#define MASK0 a7
#define MASK1 s0
#define MASK2 s1
#define MASK3 s2
#define L0 s3
#define L1 s4
#define R0 s5
#define R1 s6
#define KEYS_END s7
#define C s8
#define D s9
#define MASK s10 /* of the word that counts */
#define LINK t0
#define X t1
#define T t2
#define U t3
#define V t4
#define END t5
#define KEY t6

#define COUNTER 0 /* stack: the counter block and its encryption, as words */
#define RESULT 16
#define REGISTERS 32
#define FRAME 80
#define PUSHED ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10

.macro four_times x
#if defined(__riscv_mul) || defined(__riscv_m)
    mul     \x, \x, ONES
#else
    slli    ONES, \x, 8
    or      \x, \x, ONES
    slli    ONES, \x, 16
    or      \x, \x, ONES
#endif
.endm

code runnel_seed_rv32_small

/* X = G(X) */
subroutine .Lg
    andi    T, X, 0xff
    add     T, T, S_BOXES
    lbu     T, 0(T)
    srli    U, X, 8
    andi    U, U, 0xff
    add     U, U, S_BOXES
    lbu     U, 256(U)
    srli    V, X, 16
    andi    V, V, 0xff
    add     V, V, S_BOXES
    lbu     V, 0(V)
    srli    X, X, 24
    add     X, X, S_BOXES
    lbu     X, 256(X)
    four_times T
    four_times U
    four_times V
    four_times X
    and     T, T, MASK0
    and     U, U, MASK1
    and     V, V, MASK2
    and     X, X, MASK3
    xor     T, T, U
    xor     X, X, V
    xor     X, X, T
    jr      LINK
endsub

/* Saves registers and sets those that G needs. */
subroutine .Lenter
    push_frame FRAME, REGISTERS, PUSHED
    lla     S_BOXES, runnel_seed_rv32_s_box
    li      ONES, 0x01010101
    li      MASK0, 0x3fcff3fc
    li      MASK1, 0xfc3fcff3
    li      MASK2, 0xf3fc3fcf
    li      MASK3, 0xcff3fc3f
    jr      LINK
endsub

/* void runnel_seed_rv32_small_g(uint32_t *words, uint32_t *end): each through G */
entry runnel_seed_rv32_small_g
    jal     LINK, .Lenter
    frame_is_pushed FRAME, REGISTERS, PUSHED
.Lword:
    lw      X, 0(KEYS)
    addi    KEYS, KEYS, 4
    jal     LINK, .Lg
    sw      X, -4(KEYS)
    bne     KEYS, PLACE, .Lword
.Lreturn:
    pop_frame_return FRAME, REGISTERS, PUSHED
endfunc

subroutine .Lread_block
    mv      U, sp
    addi    END, sp, COUNTER+16
.Lcopy:                     /* the bytes of a word from the high end */
    lbu     T, 0(PLACE)
    xori    V, U, 3
    addi    PLACE, PLACE, 1
    sb      T, 0(V)
    addi    U, U, 1
    bne     U, END, .Lcopy
    li      MASK, 0
    jr      LINK
endsub

/* void runnel_seed_rv32_small_ctr_left(const uint32_t *keys, const uint8_t *block, uint8_t *out, const uint8_t *in,
 *                                      size_t nblocks)
 * Round 1 is made once. The blocks become those after it, whose right half counts and is then masked. */
entry runnel_seed_rv32_small_ctr_left
    jal     LINK, .Lenter
    frame_is_pushed FRAME, REGISTERS, PUSHED
    jal     LINK, .Lread_block
    mv      KEY, KEYS
    addi    KEYS, KEYS, 8
    mv      KEYS_END, KEYS
    j       .Lload
.Lfirst_round_is_done:
    lw      T, COUNTER+4(sp)
    sw      L0, COUNTER(sp)
    sw      L1, COUNTER+4(sp)
    sw      R0, COUNTER+8(sp)
    sw      T, COUNTER+12(sp)
    xor     MASK, R1, T
    addi    KEYS_END, KEYS, 120
    j       .Lblock
endfunc

/* void runnel_seed_rv32_small_ctr(the same) */
entry runnel_seed_rv32_small_ctr
    jal     LINK, .Lenter
    frame_is_pushed FRAME, REGISTERS, PUSHED
    jal     LINK, .Lread_block
    addi    KEYS_END, KEYS, 128
.Lblock:
    mv      KEY, KEYS
.Lload:
    lw      L0, COUNTER(sp)
    lw      L1, COUNTER+4(sp)
    lw      R0, COUNTER+8(sp)
    lw      R1, COUNTER+12(sp)
    xor     R1, R1, MASK
.Lround:
    lw      C, 0(KEY)
    lw      X, 4(KEY)
    addi    KEY, KEY, 8
    xor     C, C, R0
    xor     X, X, R1
    xor     X, X, C
    jal     LINK, .Lg
    mv      D, X
    add     X, X, C
    jal     LINK, .Lg
    mv      C, X
    add     X, X, D
    jal     LINK, .Lg
    add     C, C, X
    xor     C, C, L0
    xor     X, X, L1
    mv      L0, R0
    mv      L1, R1
    mv      R0, C
    mv      R1, X
    bne     KEY, KEYS_END, .Lround
    beq     KEYS, KEYS_END, .Lfirst_round_is_done
    sw      R0, RESULT(sp)  /* no swap after the last round */
    sw      R1, RESULT+4(sp)
    sw      L0, RESULT+8(sp)
    sw      L1, RESULT+12(sp)

    addi    PLACE, sp, RESULT
    addi    END, sp, RESULT+16
.Lbyte:
    xori    V, PLACE, 3
    lbu     T, 0(V)
    addi    PLACE, PLACE, 1
    beqz    IN, .Lkeystream
    lbu     U, 0(IN)
    addi    IN, IN, 1
    xor     T, T, U
.Lkeystream:
    sb      T, 0(OUT)
    addi    OUT, OUT, 1
    bne     PLACE, END, .Lbyte

    lw      T, COUNTER+12(sp)
    addi    BLOCKS, BLOCKS, -1
    addi    T, T, 1
    sw      T, COUNTER+12(sp)
    bnez    BLOCKS, .Lblock
    .irp    at, 0, 4, 8, 12 /* as a block it may be a secret */
    sw      zero, COUNTER+\at(sp)
    sw      zero, RESULT+\at(sp)
    .endr
    j       .Lreturn
endfunc

#endif
