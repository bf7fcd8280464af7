/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by look-ups in four tables of 1 KiB, for RV32I: two blocks at a time.
 *
 * RV32I has neither rotations nor scaled addresses. A look-up is therefore four instructions, the two that cut out a
 * byte and multiply it by four, the addition of the tables' address, and the load; the address lies 2 KiB into the
 * tables, so that the load's own offset reaches all of them. What can be saved is around the look-ups:
 * - two blocks side by side share the loads of the round keys, and each look-up has the time of the other one to
 *   arrive;
 * - in counter mode rounds 1 and 2 are one and four look-ups, as the rest of their terms is constant for a run of 256
 *   blocks (Bernstein, Schwabe: New AES software speed records), which the caller has added up;
 * - in the last round the byte of row 1 comes from a table of halfwords, where it is already in its place;
 * - the last seven middle rounds are straight code, and the loop of AES-128 in counter mode tests nothing but its end.
 *   Longer keys and raw blocks leave it after each pair, to go through a loop of two rounds first. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "ttable.h"

/* Two states of four columns, and what becomes of them in the next round. A column is a word, row 0 in the low byte. */
#define STATE_A s0, s1, s2, s3
#define STATE_B s4, s5, s6, s7
#define NEXT_A s8, s9, s10, s11
#define NEXT_B t3, t4, t5, t6

#define FIRST a0      /* temporaries of the first and the second block */
#define SECOND ra
#define OUT a1
#define IN a2
#define END a3        /* of OUT; for longer keys and raw blocks, of the pair */
#define TABLES a4     /* 2 KiB into them */
#define KEYS a5       /* of the last seven middle rounds and the last one */
#define INDEX a6      /* four times the last counter byte; in the loop of two rounds: its keys */
#define INDEX_KEY a7
#define COLUMN t0     /* raw: the first key */
#define CONSTANT_2 t1 /* of columns 2 and 3; those of 0 and 1 are in memory */
#define CONSTANT_3 t2

#define INTO 2048
#define HALVES AES_RV32_HALVES-INTO
#define BYTES AES_RV32_BYTES-INTO
#define TABLE(row) AES_RV32_COLUMNS+1024*row-INTO

/* Stack */
#define CONSTANTS 0
#define INDEX_SAVED 8
#define FLAGS 12
#define RUN_END 16
#define RAW_IN 20
#define ZEROS 24
#define REGISTERS 56
#define FRAME 112

/* to_x = four times the byte of x in a row, and the same for y. */
.macro cut_scaled to_x, to_y, x, y, row
    .if \row == 0
    andi    \to_x, \x, 0xff
    andi    \to_y, \y, 0xff
    slli    \to_x, \to_x, 2
    slli    \to_y, \to_y, 2
    .else
    srli    \to_x, \x, 8*\row-2
    srli    \to_y, \y, 8*\row-2
    andi    \to_x, \to_x, 0x3fc
    andi    \to_y, \to_y, 0x3fc
    .endif
.endm

/* FIRST, SECOND = the term of MixColumns(SubBytes) that the byte of x and of y in a row give. */
.macro look_up x, y, row
    cut_scaled FIRST, SECOND, \x, \y, \row
    add     FIRST, FIRST, TABLES
    add     SECOND, SECOND, TABLES
    lw      SECOND, TABLE(\row)(SECOND)
    lw      FIRST, TABLE(\row)(FIRST)
.endm

/* Keys at the same place are loaded once. */
.macro load_keys to_x, to_y, key, at_x, at_y
    lw      \to_x, \at_x(\key)
    .if (\at_x) - (\at_y)
    lw      \to_y, \at_y(\key)
    .endif
.endm

.macro add_first to_x, to_y, at_x, at_y
    .if (\at_x) - (\at_y)
    xor     \to_y, \to_y, SECOND
    .else
    xor     \to_y, \to_x, SECOND
    .endif
    xor     \to_x, \to_x, FIRST
.endm

/* A column of each block after a round, from the columns that its rows 0 to 3 come from; or two columns of one block,
 * with keys at two places. */
.macro round_column to_x, to_y, key, at_x, at_y, x0, x1, x2, x3, y0, y1, y2, y3
    load_keys \to_x, \to_y, \key, \at_x, \at_y
    look_up \x0, \y0, 0
    add_first \to_x, \to_y, \at_x, \at_y
    look_up \x1, \y1, 1
    xor     \to_y, \to_y, SECOND
    xor     \to_x, \to_x, FIRST
    look_up \x2, \y2, 2
    xor     \to_y, \to_y, SECOND
    xor     \to_x, \to_x, FIRST
    look_up \x3, \y3, 3
    xor     \to_y, \to_y, SECOND
    xor     \to_x, \to_x, FIRST
.endm

/* The states x, y after a round in u, v. */
.macro one_round key, at, x0, x1, x2, x3, y0, y1, y2, y3, u0, u1, u2, u3, v0, v1, v2, v3
    round_column \u0, \v0, \key, \at, \at, \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
    round_column \u1, \v1, \key, \at+4, \at+4, \x1, \x2, \x3, \x0, \y1, \y2, \y3, \y0
    round_column \u2, \v2, \key, \at+8, \at+8, \x2, \x3, \x0, \x1, \y2, \y3, \y0, \y1
    round_column \u3, \v3, \key, \at+12, \at+12, \x3, \x0, \x1, \x2, \y3, \y0, \y1, \y2
.endm

/* to_x, to_y = SubBytes of the byte of x and of y in a row; in row 1 times 2^8. */
.macro substitute to_x, to_y, x, y, row
    .if \row == 1
    srli    \to_x, \x, 7
    srli    \to_y, \y, 7
    andi    \to_x, \to_x, 0x1fe
    andi    \to_y, \to_y, 0x1fe
    add     \to_x, \to_x, TABLES
    add     \to_y, \to_y, TABLES
    lhu     \to_y, HALVES(\to_y)
    lhu     \to_x, HALVES(\to_x)
    .else
    .if \row == 0
    andi    \to_x, \x, 0xff
    andi    \to_y, \y, 0xff
    .else
    srli    \to_x, \x, 8*\row
    srli    \to_y, \y, 8*\row
    .if \row == 2
    andi    \to_x, \to_x, 0xff
    andi    \to_y, \to_y, 0xff
    .endif
    .endif
    add     \to_x, \to_x, TABLES
    add     \to_y, \to_y, TABLES
    lbu     \to_y, BYTES(\to_y)
    lbu     \to_x, BYTES(\to_x)
    .endif
.endm

/* As round_column, after the last round. s, t: two more temporaries; they may be x0 and y0. A byte takes three cycles
 * to arrive, so each is used only after the next load. */
.macro last_column to_x, to_y, at_x, at_y, x0, x1, x2, x3, y0, y1, y2, y3, s, t
    load_keys \to_x, \to_y, KEYS, \at_x, \at_y
    substitute FIRST, SECOND, \x0, \y0, 0
    substitute \s, \t, \x1, \y1, 1
    add_first \to_x, \to_y, \at_x, \at_y
    substitute FIRST, SECOND, \x2, \y2, 2
    xor     \to_y, \to_y, \t
    xor     \to_x, \to_x, \s
    substitute \s, \t, \x3, \y3, 3
    slli    SECOND, SECOND, 16
    slli    FIRST, FIRST, 16
    xor     \to_y, \to_y, SECOND
    xor     \to_x, \to_x, FIRST
    slli    \t, \t, 24
    slli    \s, \s, 24
    xor     \to_y, \to_y, \t
    xor     \to_x, \to_x, \s
.endm

/* As one_round; x3 and y3 are lost. */
.macro last_round at, x0, x1, x2, x3, y0, y1, y2, y3, u0, u1, u2, u3, v0, v1, v2, v3
    last_column \u0, \v0, \at, \at, \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3, \u1, \v1
    last_column \u1, \v1, \at+4, \at+4, \x1, \x2, \x3, \x0, \y1, \y2, \y3, \y0, \u2, \v2
    last_column \u2, \v2, \at+8, \at+8, \x2, \x3, \x0, \x1, \y2, \y3, \y0, \y1, \u3, \v3
    last_column \u3, \v3, \at+12, \at+12, \x3, \x0, \x1, \x2, \y3, \y0, \y1, \y2, \x3, \y3
.endm

/* Columns of both blocks after round 2: a constant, and the term of column 0, which x and y hold. */
.macro second_round x, y, u0, u1, u2, u3, v0, v1, v2, v3
    lw      \u0, CONSTANTS(sp)
    look_up \x, \y, 0
    xor     \v0, \u0, SECOND
    xor     \u0, \u0, FIRST
    look_up \x, \y, 1
    xor     \v3, CONSTANT_3, SECOND
    xor     \u3, CONSTANT_3, FIRST
    look_up \x, \y, 2
    xor     \v2, CONSTANT_2, SECOND
    xor     \u2, CONSTANT_2, FIRST
    lw      \u1, CONSTANTS+4(sp)
    look_up \x, \y, 3
    xor     \v1, \u1, SECOND
    xor     \u1, \u1, FIRST
.endm

/* Rounds 1 and 2 of a pair of counter blocks; round 1 leaves column 0 in two registers of the next state. */
.macro counter_rounds
    xor     FIRST, INDEX, INDEX_KEY
    addi    INDEX, INDEX, 4
    xor     SECOND, INDEX, INDEX_KEY
    add     FIRST, FIRST, TABLES
    add     SECOND, SECOND, TABLES
    lw      s11, TABLE(3)(FIRST)
    lw      t6, TABLE(3)(SECOND)
    addi    INDEX, INDEX, 4
    xor     s11, s11, COLUMN
    xor     t6, t6, COLUMN
    second_round s11, t6, STATE_A, STATE_B
.endm

.macro load_state from, at, x0, x1, x2, x3
    lw      \x0, \at(\from)
    lw      \x1, \at+4(\from)
    lw      \x2, \at+8(\from)
    lw      \x3, \at+12(\from)
.endm

.macro store_state to, at, x0, x1, x2, x3
    sw      \x0, \at(\to)
    sw      \x1, \at+4(\to)
    sw      \x2, \at+8(\to)
    sw      \x3, \at+12(\to)
.endm

.macro xor_state x0, x1, x2, x3, y0, y1, y2, y3
    xor     \x0, \x0, \y0
    xor     \x1, \x1, \y1
    xor     \x2, \x2, \y2
    xor     \x3, \x3, \y3
.endm

/* void runnel_aes_rv32_ttable_pairs(const aes_rv32_run *run, uint8_t *out, const uint8_t *in, size_t pairs) */
function runnel_aes_rv32_ttable_pairs
    push_frame FRAME, REGISTERS, ra, SAVED
    slli    END, END, 5
    add     END, OUT, END
    lw      s0, AES_RV32_CONSTANT(a0)
    lw      s1, AES_RV32_CONSTANT + 4(a0)
    lw      CONSTANT_2, AES_RV32_CONSTANT + 8(a0)
    lw      CONSTANT_3, AES_RV32_CONSTANT + 12(a0)
    sw      s0, CONSTANTS(sp)
    sw      s1, CONSTANTS + 4(sp)
    lw      s2, AES_RV32_FLAGS(a0)
    lw      KEYS, AES_RV32_LAST_KEYS(a0)
    lw      COLUMN, AES_RV32_COLUMN(a0)
    lw      INDEX, AES_RV32_INDEX(a0)
    lw      INDEX_KEY, AES_RV32_INDEX_KEY(a0)
    lla     TABLES, runnel_aes_rv32_ttable_tables + INTO
    sw      s2, FLAGS(sp)
    bnez    s2, .Lother_mode

.Lcounter_pair:
    counter_rounds
.Lseven_rounds:
    one_round KEYS, 0, STATE_A, STATE_B, NEXT_A, NEXT_B
    one_round KEYS, 16, NEXT_A, NEXT_B, STATE_A, STATE_B
    one_round KEYS, 32, STATE_A, STATE_B, NEXT_A, NEXT_B
    one_round KEYS, 48, NEXT_A, NEXT_B, STATE_A, STATE_B
    one_round KEYS, 64, STATE_A, STATE_B, NEXT_A, NEXT_B
    one_round KEYS, 80, NEXT_A, NEXT_B, STATE_A, STATE_B
    one_round KEYS, 96, STATE_A, STATE_B, NEXT_A, NEXT_B
    last_round 112, NEXT_A, NEXT_B, STATE_A, STATE_B
    load_state IN, 0, NEXT_A
    load_state IN, 16, NEXT_B
    addi    IN, IN, 32
    xor_state STATE_A, NEXT_A
    xor_state STATE_B, NEXT_B
    store_state OUT, 0, STATE_A
    store_state OUT, 16, STATE_B
    addi    OUT, OUT, 32
    bne     OUT, END, .Lcounter_pair

    lw      FIRST, FLAGS(sp)
    lw      END, RUN_END(sp)
    beqz    FIRST, .Lreturn
    beq     OUT, END, .Lreturn
    j       .Lother_pair

.Lother_mode:
    sw      END, RUN_END(sp)
    sw      IN, RAW_IN(sp)
    .irp    at, 0, 4, 8, 12, 16, 20, 24, 28
    sw      zero, ZEROS+\at(sp)
    .endr
.Lother_pair:
    addi    END, OUT, 32
    lw      FIRST, FLAGS(sp)
    andi    FIRST, FIRST, AES_RV32_RAW
    bnez    FIRST, .Lraw_pair
    counter_rounds
    j       .Lmore_rounds
.Lraw_pair: /* the final XOR will be with zeros */
    lw      IN, RAW_IN(sp)
    load_state IN, 0, STATE_A
    load_state IN, 16, STATE_B
    load_state COLUMN, 0, NEXT_A
    xor_state STATE_A, NEXT_A
    xor_state STATE_B, NEXT_A
    addi    IN, IN, 32
    sw      IN, RAW_IN(sp)
    addi    IN, sp, ZEROS

.Lmore_rounds: /* as many pairs of rounds as the flags say */
    sw      INDEX, INDEX_SAVED(sp)
    lw      INDEX, FLAGS(sp)
    andi    INDEX, INDEX, -32
    sub     INDEX, KEYS, INDEX
.Ltwo_rounds:
    one_round INDEX, 0, STATE_A, STATE_B, NEXT_A, NEXT_B
    one_round INDEX, 16, NEXT_A, NEXT_B, STATE_A, STATE_B
    addi    INDEX, INDEX, 32
    bne     INDEX, KEYS, .Ltwo_rounds
    lw      INDEX, INDEX_SAVED(sp)
    j       .Lseven_rounds

.Lreturn:
    sw      zero, CONSTANTS(sp) /* as secret as the key */
    sw      zero, CONSTANTS + 4(sp)
    pop_frame_return FRAME, REGISTERS, ra, SAVED
endfunc

/* void runnel_aes_rv32_ttable_block(const uint32_t *keys, const uint32_t *last_key, uint32_t state[4]): one block, two
 * columns at a time */
#define LAST_KEY a1
#define BLOCK a2
#define S a3
#define T a6
#define STATE t3, t4, t5, t6
#define NEXT t0, t1, t2, a7

.macro block_round at, x0, x1, x2, x3, u0, u1, u2, u3
    round_column \u0, \u1, KEYS, \at, \at+4, \x0, \x1, \x2, \x3, \x1, \x2, \x3, \x0
    round_column \u2, \u3, KEYS, \at+8, \at+12, \x2, \x3, \x0, \x1, \x3, \x0, \x1, \x2
.endm

.macro last_block_round at, x0, x1, x2, x3, u0, u1, u2, u3
    last_column \u0, \u1, \at, \at+4, \x0, \x1, \x2, \x3, \x1, \x2, \x3, \x0, S, T
    last_column \u2, \u3, \at+8, \at+12, \x2, \x3, \x0, \x1, \x3, \x0, \x1, \x2, S, T
.endm

function runnel_aes_rv32_ttable_block
    push_frame 16, 12, ra
    mv      KEYS, a0
    lla     TABLES, runnel_aes_rv32_ttable_tables + INTO
    load_state BLOCK, 0, STATE
    load_state KEYS, 0, NEXT
    xor_state STATE, NEXT
.Lblock_rounds:
    block_round 16, STATE, NEXT
    addi    KEYS, KEYS, 32
    beq     KEYS, LAST_KEY, .Llast_block_round
    block_round 0, NEXT, STATE
    j       .Lblock_rounds
.Llast_block_round:
    last_block_round 0, NEXT, STATE
    store_state BLOCK, 0, STATE
    pop_frame_return 16, 12, ra
endfunc

#endif
