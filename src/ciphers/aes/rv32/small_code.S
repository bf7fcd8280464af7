/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in few bytes of code, for RV32I: one loop over the columns of all rounds, an S-box of 256 bytes, MixColumns by
 * arithmetic on the four bytes of a word. The state rotates through four registers, so that each new column is
 * extracted from the same four places; key expansion uses the same SubBytes. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#define KEYS a0
#define LAST_KEY a1  /* the last round's */
#define KEY a2       /* of the column to be made */
#define OUT a3
#define IN a4
#define BLOCKS a5
#define S_BOX a6
#define COLUMN a7    /* the new column */
#define LINK t0
#define C0 t1
#define C1 t2
#define C2 t3
#define C3 t4
#define T t5
#define U t6
#define HIGH_BITS s0 /* of every byte */
#define REDUCTION s1 /* x^8 in every byte */
#define PLACE ra     /* where the column goes */

#define COUNTER 0    /* stack: the counter block, the new state, saved registers */
#define NEXT 16
#define REGISTERS 32
#define FRAME 48

code runnel_aes_rv32_small

/* COLUMN = SubBytes of rows 0 to 3 of C0 to C3. */
subroutine .Lsubstitute
    andi    COLUMN, C0, 0xff
    add     COLUMN, COLUMN, S_BOX
    lbu     COLUMN, 0(COLUMN)
    srli    T, C1, 8
    andi    T, T, 0xff
    add     T, T, S_BOX
    lbu     T, 0(T)
    srli    U, C2, 16
    andi    U, U, 0xff
    slli    T, T, 8
    or      COLUMN, COLUMN, T
    add     U, U, S_BOX
    lbu     U, 0(U)
    srli    T, C3, 24
    add     T, T, S_BOX
    lbu     T, 0(T)
    slli    U, U, 16
    or      COLUMN, COLUMN, U
    slli    T, T, 24
    or      COLUMN, COLUMN, T
    jr      LINK
endsub

/* to = from rotated to the right; to and from differ */
.macro rotate to, from, bits, temporary
    srli    \to, \from, \bits
    slli    \temporary, \from, 32-\bits
    or      \to, \to, \temporary
.endm

/* void runnel_aes_rv32_small_ctr(const uint32_t *keys, const uint32_t *last_key, const uint8_t *block, uint8_t *out,
 *                                const uint8_t *in, size_t nblocks) */
entry runnel_aes_rv32_small_ctr
    push_frame FRAME, REGISTERS, ra, s0, s1
    lla     S_BOX, runnel_aes_s_box
    li      HIGH_BITS, 0x80808080
    li      REDUCTION, 0x1b1b1b1b
    mv      PLACE, sp
    addi    U, sp, COUNTER + 16
.Lcopy:
    lbu     T, 0(a2)
    addi    a2, a2, 1
    sb      T, 0(PLACE)
    addi    PLACE, PLACE, 1
    bne     PLACE, U, .Lcopy

.Lblock:
    mv      KEY, KEYS
    lw      C0, COUNTER(sp)
    lw      C1, COUNTER + 4(sp)
    lw      C2, COUNTER + 8(sp)
    lw      C3, COUNTER + 12(sp)
    .irp    c, C0, C1, C2, C3
    lw      T, 0(KEY)
    addi    KEY, KEY, 4
    xor     \c, \c, T
    .endr

.Lround:
    addi    PLACE, sp, NEXT
.Lcolumn:
    jal     LINK, .Lsubstitute
    bgeu    KEY, LAST_KEY, .Ladd_key
    rotate  T, COLUMN, 8, U           /* with t = a + (a one row below), MixColumns is 2 t + a one row below */
    xor     COLUMN, COLUMN, T         /* + t two rows below */
    and     U, COLUMN, HIGH_BITS
    xor     LINK, COLUMN, U
    slli    LINK, LINK, 1
    xor     T, T, LINK
    srli    LINK, U, 7
    sub     U, U, LINK
    and     U, U, REDUCTION
    xor     T, T, U
    rotate  U, COLUMN, 16, LINK
    xor     COLUMN, T, U
.Ladd_key:
    lw      T, 0(KEY)
    addi    KEY, KEY, 4
    mv      U, C0
    xor     COLUMN, COLUMN, T
    sw      COLUMN, 0(PLACE)
    addi    PLACE, PLACE, 4
    mv      C0, C1
    mv      C1, C2
    mv      C2, C3
    mv      C3, U
    addi    U, sp, NEXT + 16
    bne     PLACE, U, .Lcolumn
    lw      C0, NEXT(sp)
    lw      C1, NEXT + 4(sp)
    lw      C2, NEXT + 8(sp)
    lw      C3, NEXT + 12(sp)
    bgeu    LAST_KEY, KEY, .Lround

    addi    PLACE, sp, NEXT           /* U is the end of the keystream */
.Lbyte:
    lbu     T, 0(PLACE)
    sb      zero, 0(PLACE)
    addi    PLACE, PLACE, 1
    beqz    IN, .Lkeystream
    lbu     LINK, 0(IN)
    addi    IN, IN, 1
    xor     T, T, LINK
.Lkeystream:
    sb      T, 0(OUT)
    addi    OUT, OUT, 1
    bne     PLACE, U, .Lbyte

    addi    BLOCKS, BLOCKS, -1
    beqz    BLOCKS, .Lend             /* a raw block is not counted: where its carry ends would be seen */
    addi    PLACE, sp, COUNTER + 16
.Lcount:
    addi    PLACE, PLACE, -1
    lbu     T, 0(PLACE)
    addi    T, T, 1
    sb      T, 0(PLACE)
    andi    T, T, 0xff
    beqz    T, .Lcount                /* never further than four bytes */
    j       .Lblock

.Lend:
    .irp    at, 0, 4, 8, 12 /* a raw block may be a secret */
    sw      zero, COUNTER + \at(sp)
    .endr
    pop_frame_return FRAME, REGISTERS, ra, s0, s1
endfunc

/* void runnel_aes_rv32_small_expand(uint32_t *keys, const uint32_t *end, unsigned key_bytes): the words
 * behind the key */
#define END a1      /* of all words */
#define KEY_BYTES a2
#define CONSTANT a3
#define STEP a4     /* bytes since the last word with a constant */
#define FROM a0     /* a key's length before the word to be made */
#define TO a5
entry runnel_aes_rv32_small_expand
    lla     S_BOX, runnel_aes_s_box
    add     TO, FROM, KEY_BYTES
    li      CONSTANT, 1
    li      STEP, 0
    lw      COLUMN, -4(TO)
.Lword:
    mv      C0, COLUMN
    rotate  C1, COLUMN, 8, T
    beqz    STEP, .Lwith_constant
    addi    T, KEY_BYTES, -32         /* a key of 256 bits has another substitution half way */
    bnez    T, .Lplain
    addi    T, STEP, -16
    bnez    T, .Lplain
    mv      C1, C0
.Lwith_constant:
    mv      C0, C1
    mv      C2, C1
    mv      C3, C1
    jal     LINK, .Lsubstitute
    bnez    STEP, .Lplain
    xor     COLUMN, COLUMN, CONSTANT
    slli    CONSTANT, CONSTANT, 1
    andi    T, CONSTANT, 0x100
    beqz    T, .Lplain
    xori    CONSTANT, CONSTANT, 0x11b
.Lplain:
    lw      T, 0(FROM)
    addi    FROM, FROM, 4
    xor     COLUMN, COLUMN, T
    sw      COLUMN, 0(TO)
    addi    TO, TO, 4
    addi    STEP, STEP, 4
    bne     STEP, KEY_BYTES, .Lsame_step
    li      STEP, 0
.Lsame_step:
    bne     TO, END, .Lword
    ret
endfunc

#endif
