/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on RV32I, four blocks beside each other in 16 registers, so that a word of a round key is loaded once for all: 19
 * instructions a round and block. The register of x3 receives the next x2, that of x2 the next x1 and so on: after four
 * rounds every word is in its own place again and nothing was moved. */
#include "arch/rv32/asm.h"

#if RUNNEL_RISCV_WORDS

#include "job.h"

/* A single block only needs caller-saved registers. */
#define KEYS a0
#define RAW_OUT a1
#define KEYS_END a2
#define BLOCK_A a3, a4, a5, a6
#define K0 t1
#define K1 t2
#define K2 t3
#define K3 t4
#define T t5
#define LINK t0

#define BLOCK_B s0, s1, s2, s3
#define BLOCK_C s4, s5, s6, s7
#define BLOCK_D s8, s9, s10, t0
#define BLOCKS BLOCK_A, BLOCK_B, BLOCK_C, BLOCK_D
#define END a1
#define OUT s11
#define IN ra
#define COUNTER t6 /* as x3 */
#define ONE a7     /* in the last byte of the block */

#define RUN 0      /* stack */
#define LAST REGISTER_BYTES /* end of all blocks */
#if RUNNEL_RISCV_ROTATES
#define FIRST_KEYS (2 * REGISTER_BYTES)
#define TERMS (3 * REGISTER_BYTES)
#define REGISTERS (TERMS + 24)
#else
#define REGISTERS (2 * REGISTER_BYTES)
#endif
#define FRAME ((REGISTERS + 13 * REGISTER_BYTES + 15) & -16)

/* y = ((x ^ key_x) + (y ^ key_y)) rotated, and so on for more of x, y. */
.macro mix turn, key_x, key_y, bits, x, y, more:vararg
    xor     T, \x, \key_x
    xor     \y, \y, \key_y
    add     \y, \y, T
    \turn   \y, \y, \bits, T
    .ifnb \more
    mix     \turn, \key_x, \key_y, \bits, \more
    .endif
.endm

/* to = (constant + (x ^ key)) rotated, and so on for more of to, x. */
.macro mix_constant turn, constant, key, bits, to, x, more:vararg
    xor     \to, \x, \key
    add     \to, \to, \constant
    \turn   \to, \to, \bits, T
    .ifnb \more
    mix_constant \turn, \constant, \key, \bits, \more
    .endif
.endm

/* A rotation, or only a shift of a sum whose lowest bits are the same in all blocks of a run: see fast.c. */
.macro shift_right to, from, bits, scratch
#if RUNNEL_RISCV_ROTATES
    rotate_right \to, \from, \bits, \scratch
#else
    srli    \to, \from, \bits
#endif
.endm

/* to = a word of the round key at a place; a key of 128 bits has three equal ones. */
.macro load_key to, word, at
#if LEA_RV32_EACH == 4
    .if \word == 3 || \word == 5
    lw      \to, 4*(\at)+4(KEYS)
    .elseif \word == 4
    lw      \to, 4*(\at)+12(KEYS)
    .else
    lw      \to, 4*(\at)+4*\word(KEYS)
    .endif
#else
    lw      \to, 4*(\at)+4*\word(KEYS)
#endif
.endm

/* A round of four blocks, or of one. */
.macro one_round at, a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    load_key K1, 4, \at
    load_key K0, 5, \at
    load_key K2, 2, \at
#if LEA_RV32_EACH == 6
    load_key K3, 3, \at
#define KEY_3 K3
#else
#define KEY_3 K0
#endif
    .ifb \b0
    mix     rotate_right, K1, K0, 3, \a2, \a3
    .else
    mix     rotate_right, K1, K0, 3, \a2, \a3, \b2, \b3, \c2, \c3, \d2, \d3
    .endif
    load_key K1, 0, \at
#if LEA_RV32_EACH == 6
    load_key K0, 1, \at
#endif
    .ifb \b0
    mix     rotate_right, K2, KEY_3, 5, \a1, \a2
    mix     rotate_right, K1, K0, 23, \a0, \a1
    .else
    mix     rotate_right, K2, KEY_3, 5, \a1, \a2, \b1, \b2, \c1, \c2, \d1, \d2
    mix     rotate_right, K1, K0, 23, \a0, \a1, \b0, \b1, \c0, \c1, \d0, \d1
    .endif
.endm

.macro four_rounds a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
    one_round 0, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
    one_round LEA_RV32_EACH, \a1, \a2, \a3, \a0, \b1, \b2, \b3, \b0, \c1, \c2, \c3, \c0, \d1, \d2, \d3, \d0
    one_round 2*LEA_RV32_EACH, \a2, \a3, \a0, \a1, \b2, \b3, \b0, \b1, \c2, \c3, \c0, \c1, \d2, \d3, \d0, \d1
    one_round 3*LEA_RV32_EACH, \a3, \a0, \a1, \a2, \b3, \b0, \b1, \b2, \c3, \c0, \c1, \c2, \d3, \d0, \d1, \d2
.endm

/* Runs \do for the words of each block. */
.macro for_each do, x0, x1, x2, x3, more:vararg
    \do     \x0, \x1, \x2, \x3
    .ifnb \more
    for_each \do, \more
    .endif
.endm

/* to = a word of the key of one of the first four rounds, and what is added where the other term does not change. Where
 * rotations are spared, KEYS is the run and both are in its list, at a place; elsewhere KEYS is behind those rounds'
 * keys, and the terms are on the stack. */
#if RUNNEL_RISCV_ROTATES
.macro begin_keys
    LOAD_REGISTER KEYS, FIRST_KEYS(sp)
.endm
.macro first_key to, round, word, place
    load_key \to, \word, LEA_RV32_EACH*(\round-5)
.endm
.macro term to, number, place
    lw      \to, TERMS+4*\number(sp)
.endm
.macro end_keys blocks:vararg
.endm
#else
.macro begin_keys
    LOAD_REGISTER KEYS, RUN(sp)
.endm
.macro first_key to, round, word, place
    lw      \to, LEA_RV32_LIST+4*\place(KEYS)
.endm
.macro term to, number, place
    lw      \to, LEA_RV32_LIST+4*\place(KEYS)
.endm
.macro end_keys blocks:vararg
    lw      K0, LEA_RV32_LIST+4*LEA_5_X2(KEYS)
    lw      K1, LEA_RV32_LIST+4*LEA_5_X1(KEYS)
    for_each complete, \blocks
    LOAD_REGISTER KEYS, LEA_RV32_KEYS(KEYS)
.endm
#endif

.macro round_1 x0, x1, x2, x3
    xor     \x3, COUNTER, K0
    add     COUNTER, COUNTER, ONE
    add     \x3, \x3, K1
    shift_right \x3, \x3, 3, T
.endm

.macro round_2 x0, x1, x2, x3
    mix_constant shift_right, K1, K0, 3, \x0, \x3
    mix_constant shift_right, K3, K2, 5, \x3, \x3
.endm

.macro round_3 x0, x1, x2, x3
    mix_constant shift_right, K1, K0, 3, \x1, \x0
    mix     shift_right, K2, K3, 5, \x3, \x0
.endm

.macro rounds_3_and_4 x0, x1, x2, x3
    mix_constant rotate_right, K1, K0, 23, \x3, \x3
    mix_constant shift_right, K3, K2, 3, \x2, \x1
.endm

.macro round_4 x0, x1, x2, x3
    mix     shift_right, K0, K1, 5, \x0, \x1
    mix     rotate_right, K2, K3, 23, \x3, \x0
.endm

.macro complete x0, x1, x2, x3
    xor     \x2, \x2, K0
    xor     \x1, \x1, K1
.endm

/* Rounds 1 to 4 of counter blocks. Of what enters them, only x3 differs from block to block in round 1, x2 in round 2,
 * x1 and x2 in round 3, all but x3 in round 4. */
.macro counter_rounds blocks:vararg
    begin_keys
    first_key K0, 1, 5, LEA_1_K5
    term    K1, 0, LEA_1_X2
    for_each round_1, \blocks
    first_key K0, 2, 4, LEA_2_K4
    term    K1, 2, LEA_2_X3
    first_key K2, 2, 3, LEA_2_K3
    term    K3, 1, LEA_2_X1
    for_each round_2, \blocks
    first_key K0, 3, 4, LEA_3_K4
    term    K1, 3, LEA_3_X3
    first_key K2, 3, 2, LEA_3_K2
    first_key K3, 3, 3, LEA_3_K3
    for_each round_3, \blocks
    first_key K0, 3, 1, LEA_3_K1
    term    K1, 4, LEA_3_X0
    first_key K2, 4, 4, LEA_4_K4
    term    K3, 5, LEA_4_X3
    for_each rounds_3_and_4, \blocks
    first_key K0, 4, 2, LEA_4_K2
    first_key K1, 4, 3, LEA_4_K3
    first_key K2, 4, 0, LEA_4_K0
    first_key K3, 4, 1, LEA_4_K1
    for_each round_4, \blocks
    end_keys \blocks
.endm

.macro finish at, x0, x1, x2, x3, more:vararg
    lw      K0, \at(IN)
    lw      K1, \at+4(IN)
    lw      K2, \at+8(IN)
    lw      K3, \at+12(IN)
    xor     \x0, \x0, K0
    xor     \x1, \x1, K1
    xor     \x2, \x2, K2
    xor     \x3, \x3, K3
    sw      \x0, \at(OUT)
    sw      \x1, \at+4(OUT)
    sw      \x2, \at+8(OUT)
    sw      \x3, \at+12(OUT)
    .ifnb \more
    finish  \at+16, \more
    .endif
.endm

code runnel_lea_rv32_blocks

/* The rest of the rounds of a block. */
subroutine .Lrounds_of_one
    four_rounds BLOCK_A
    addi    KEYS, KEYS, 16*LEA_RV32_EACH
    bne     KEYS, KEYS_END, .Lrounds_of_one
    jr      LINK
endsub

/* void runnel_lea_rv32_blocks(void *run, uint8_t *out, const uint8_t *in, size_t nblocks) */
entry runnel_lea_rv32_blocks
    push_frame FRAME, REGISTERS, ra, SAVED
    mv      OUT, a1
    mv      IN, a2
    STORE_REGISTER a0, RUN(sp)
    slli    T, a3, 4
    add     T, OUT, T
    STORE_REGISTER T, LAST(sp)
    andi    T, a3, -4
    slli    T, T, 4
    add     END, OUT, T
#if RUNNEL_RISCV_ROTATES
    LOAD_REGISTER T, LEA_RV32_KEYS(a0)
    STORE_REGISTER T, FIRST_KEYS(sp)
    .irp    number, 0, 1, 2, 3, 4, 5
    lw      T, LEA_RV32_LIST+4*\number(a0)
    sw      T, TERMS+4*\number(sp)
    .endr
#endif
    lw      COUNTER, LEA_RV32_COUNTER(a0)
    LOAD_REGISTER KEYS_END, LEA_RV32_END(a0)
    lui     ONE, 0x1000
    beq     OUT, END, .Lsingle_blocks
.Lfour_blocks:
    counter_rounds BLOCKS
.Lfour_rounds:
    four_rounds BLOCKS
    addi    KEYS, KEYS, 16*LEA_RV32_EACH
    bne     KEYS, KEYS_END, .Lfour_rounds
    finish  0, BLOCKS
    addi    IN, IN, 64
    addi    OUT, OUT, 64
    bne     OUT, END, .Lfour_blocks
.Lsingle_blocks:
    LOAD_REGISTER END, LAST(sp)
    beq     OUT, END, .Lreturn
.Lsingle_block:
    counter_rounds BLOCK_A
    jal     LINK, .Lrounds_of_one
    finish  0, BLOCK_A
    addi    IN, IN, 16
    addi    OUT, OUT, 16
    bne     OUT, END, .Lsingle_block
.Lreturn:
    LOAD_REGISTER T, RUN(sp)
    sw      COUNTER, LEA_RV32_COUNTER(T)
#if RUNNEL_RISCV_ROTATES
    .irp    number, 0, 1, 2, 3, 4, 5 /* as secret as the key */
    sw      zero, TERMS+4*\number(sp)
    .endr
#endif
    pop_frame_return FRAME, REGISTERS, ra, SAVED
endfunc

/* void runnel_lea_rv32_block(const uint32_t *keys, uint8_t *out, const uint32_t *end, const uint8_t *in) */
.macro load_block x0, x1, x2, x3 /* from x0 */
    lw      \x1, 4(\x0)
    lw      \x2, 8(\x0)
    lw      \x3, 12(\x0)
    lw      \x0, 0(\x0)
.endm
.macro store_block x0, x1, x2, x3
    sw      \x0, 0(RAW_OUT)
    sw      \x1, 4(RAW_OUT)
    sw      \x2, 8(RAW_OUT)
    sw      \x3, 12(RAW_OUT)
.endm
entry runnel_lea_rv32_block
    load_block BLOCK_A
    jal     LINK, .Lrounds_of_one
    store_block BLOCK_A
    ret
endfunc

#endif
