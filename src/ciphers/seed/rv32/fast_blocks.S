/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED by extended S-boxes on RV32I, one block at a time: 64 instructions a round, none of which waits for a load. A
 * look-up is a shift, a mask, an addition and the load; the tables are aligned to 1 KiB, so that the address of the
 * highest byte's entry takes an OR instead of mask and addition. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "job.h"

/* A block needs caller-saved registers only, and ra. */
#define KEYS a0
#define RAW_OUT a1 /* of a block alone */
#define MASK_AT a1 /* of a run */
#define R0 a2
#define R1 a3
#define TABLE0 a4
#define TABLE1 a5
#define TABLE2 a6
#define TABLE3 a7 /* and 3 more */
#define C t0
#define D t1
#define T t2
#define U t3
#define V t4
#define L0 t5
#define L1 t6
#define LAST_KEYS ra

/* Values common to a run's blocks. */
#define OUT s0
#define IN s1
#define END s2
#define HALVES s3 /* 0x00ff00ff */
#define LEFT0 s4
#define LEFT1 s5
#define RIGHT0 s6
#define RIGHT1 s7 /* this or LEFT1 counts, and so does INDEX */
#define START_C s8
#define START_D s9
#define INDEX_KEY s10
#define INDEX s11

#define RUN 0     /* stack */
#define LAST 4    /* END of all blocks: where the left half counts, END is that of the next one */
#define REGISTERS 8
#define FRAME 64

/* to = G(x); x is lost, to is not x. */
.macro g to, x
    andi    \to, \x, 0xff
    srli    U, \x, 6
    slli    \to, \to, 2
    andi    U, U, 0x3fc
    add     \to, \to, TABLE0
    add     U, U, TABLE1
    lw      \to, 0(\to)
    srli    V, \x, 14
    lw      U, 0(U)
    andi    V, V, 0x3fc
    xor     \to, \to, U
    add     V, V, TABLE2
    srli    \x, \x, 22
    lw      V, 0(V)
    or      \x, \x, TABLE3
    lw      \x, -3(\x)
    xor     \to, \to, V
    xor     \to, \to, \x
.endm

/* The rest of a round: from c and d = G(c ^ d) the XOR into the other half, to0 and to1 from from0 and from1. */
.macro round_from_d to0, to1, from0, from1
    add     T, C, D
    g       C, T
    add     T, D, C
    g       D, T
    add     C, C, D
    xor     \to1, \from1, D
    xor     \to0, \from0, C
.endm

/* The beginning of a round: c and d. */
.macro first_g at, r0, r1
    lw      C, \at(KEYS)
    lw      T, \at+4(KEYS)
    xor     C, C, \r0
    xor     T, T, \r1
    xor     T, T, C
    g       D, T
.endm

/* to0, to1 = from0, from1 ^ F(r0, r1) */
.macro one_round at, r0, r1, to0, to1, from0, from1
    first_g \at, \r0, \r1
    round_from_d \to0, \to1, \from0, \from1
.endm

/* Reverses the bytes of x; halves is 0x00ff00ff. */
.macro swap_bytes x, halves
    srli    T, \x, 8
    and     \x, \x, \halves
    and     T, T, \halves
    slli    \x, \x, 8
    or      \x, \x, T
    srli    T, \x, 16
    slli    \x, \x, 16
    or      \x, \x, T
.endm

.macro swap_block halves
    swap_bytes R0, \halves
    swap_bytes R1, \halves
    swap_bytes L0, \halves
    swap_bytes L1, \halves
.endm

.macro load_tables
    lla     TABLE0, runnel_seed_rv32_table
    addi    TABLE1, TABLE0, 1024
    addi    TABLE2, TABLE1, 1024
    addi    TABLE3, TABLE2, 1024 + 3
.endm

/* void runnel_seed_rv32_blocks(void *run, uint8_t *out, const uint8_t *in, size_t nblocks) */
function runnel_seed_rv32_blocks
    push_frame FRAME, REGISTERS, ra, SAVED
    sw      a0, RUN(sp)
    mv      OUT, a1
    mv      IN, a2
    slli    END, a3, 4
    add     END, OUT, END
    load_tables
    li      HALVES, 0x00ff00ff
    lw      LEFT0, SEED_RV32_LEFT(a0)
    lw      LEFT1, SEED_RV32_LEFT+4(a0)
    lw      RIGHT0, SEED_RV32_RIGHT(a0)
    lw      START_C, SEED_RV32_C(a0)
    lw      START_D, SEED_RV32_D(a0)
    lw      INDEX, SEED_RV32_INDEX(a0)
    lw      INDEX_KEY, SEED_RV32_INDEX_KEY(a0)
    lw      RIGHT1, SEED_RV32_RIGHT+4(a0)
    lw      MASK_AT, SEED_RV32_MASK_AT(a0)
    lw      KEYS, SEED_RV32_KEYS(a0)
    addi    LAST_KEYS, KEYS, 128
    bnez    MASK_AT, .Lleft_counts
.Lcounter_block:
    xor     D, INDEX, INDEX_KEY
    lw      D, 0(D)
    addi    INDEX, INDEX, 4
    addi    KEYS, LAST_KEYS, -112
    xor     D, D, START_D
    add     T, START_C, D
    g       C, T
    add     T, D, C
    g       D, T
    add     C, C, D
    xor     L1, LEFT1, D
    xor     L0, LEFT0, C
    one_round -8, L0, L1, R0, R1, RIGHT0, RIGHT1
    addi    RIGHT1, RIGHT1, 1
.Ltwo_rounds:
    one_round 0, R0, R1, L0, L1, L0, L1
    first_g 8, L0, L1
.Lsecond_round:
    round_from_d R0, R1, R0, R1
    addi    KEYS, KEYS, 16
    bne     KEYS, LAST_KEYS, .Ltwo_rounds
    swap_block HALVES
    lw      T, 0(IN)
    lw      U, 4(IN)
    lw      V, 8(IN)
    lw      C, 12(IN)
    xor     R0, R0, T /* no swap after the last round */
    xor     R1, R1, U
    xor     L0, L0, V
    xor     L1, L1, C
    sw      R0, 0(OUT)
    sw      R1, 4(OUT)
    sw      L0, 8(OUT)
    sw      L1, 12(OUT)
    addi    IN, IN, 16
    addi    OUT, OUT, 16
    bne     OUT, END, .Lcounter_block
    bnez    MASK_AT, .Lnext_left
.Ldone:
    lw      T, RUN(sp)
    sw      LEFT1, SEED_RV32_LEFT+4(T)
    sw      RIGHT1, SEED_RV32_RIGHT+4(T)
    sw      INDEX, SEED_RV32_INDEX(T)
    pop_frame_return FRAME, REGISTERS, ra, SAVED
.Lleft_counts:              /* the first round is done, and the second one begins with c and d */
    sw      END, LAST(sp)
.Lnext_left:
    lw      T, LAST(sp)
    xor     D, INDEX, INDEX_KEY
    beq     OUT, T, .Ldone
    lw      D, 0(D)
    lw      L1, 0(MASK_AT)
    addi    END, OUT, 16
    addi    INDEX, INDEX, 4
    xor     D, D, START_D
    mv      C, START_C
    xor     L1, L1, LEFT1
    mv      L0, LEFT0
    mv      R0, RIGHT0
    mv      R1, RIGHT1
    addi    KEYS, LAST_KEYS, -128
    addi    LEFT1, LEFT1, 1
    j       .Lsecond_round
endfunc

/* void runnel_seed_rv32_block(const uint32_t *keys, uint8_t *out, const uint8_t *in) */
function runnel_seed_rv32_block
    push_frame 16, 12, ra
    load_tables
    lw      L0, 0(a2)
    lw      L1, 4(a2)
    lw      R1, 12(a2)
    lw      R0, 8(a2)
    li      U, 0x00ff00ff
    swap_block U
    addi    LAST_KEYS, KEYS, 128
.Ltwo_block_rounds:
    one_round 0, R0, R1, L0, L1, L0, L1
    one_round 8, L0, L1, R0, R1, R0, R1
    addi    KEYS, KEYS, 16
    bne     KEYS, LAST_KEYS, .Ltwo_block_rounds
    li      U, 0x00ff00ff
    swap_block U
    sw      R0, 0(RAW_OUT)
    sw      R1, 4(RAW_OUT)
    sw      L0, 8(RAW_OUT)
    sw      L1, 12(RAW_OUT)
    pop_frame_return 16, 12, ra
endfunc

#endif
