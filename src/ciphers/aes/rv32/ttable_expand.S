/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The key expansion (FIPS 197 5.2) by the tables of the RV32 table kernel: four words a step. Needs no frame. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "ttable.h"

#define TO a0
#define END a1
#define KEY_BYTES a2
#define TABLES a3
#define CONSTANT a4
#define OVERFLOW a5 /* 0x100 */
#define FROM a6
#define SIXTEEN a7
#define LAST t0
#define X0 t1
#define X1 t2
#define X2 t3
#define X3 t4
#define T t5
#define U t6

/* LAST = SubBytes of it, row by row; row 0 is taken from the byte of this number. */
.macro substitute byte
    .if \byte
    srli    X0, LAST, 8
    andi    X0, X0, 0xff
    srli    X1, LAST, 15
    srli    X2, LAST, 24
    andi    X3, LAST, 0xff
    .else
    andi    X0, LAST, 0xff
    srli    X1, LAST, 7
    srli    X2, LAST, 16
    andi    X2, X2, 0xff
    srli    X3, LAST, 24
    .endif
    andi    X1, X1, 0x1fe
    add     X2, X2, TABLES
    lbu     X2, AES_RV32_BYTES(X2)
    add     X3, X3, TABLES
    lbu     X3, AES_RV32_BYTES(X3)
    add     X0, X0, TABLES
    lbu     LAST, AES_RV32_BYTES(X0)
    add     X1, X1, TABLES
    lhu     X1, AES_RV32_HALVES(X1)
    slli    X2, X2, 16
    slli    X3, X3, 24
    xor     X2, X2, X3
    xor     LAST, LAST, X2
    xor     LAST, LAST, X1
.endm

/* Adds two words of the round keys before to LAST, which makes the next two. */
.macro two_words at
    lw      T, \at(FROM)
    lw      U, \at + 4(FROM)
    xor     LAST, LAST, T
    sw      LAST, \at(TO)
    xor     LAST, LAST, U
    sw      LAST, \at + 4(TO)
.endm

/* void runnel_aes_rv32_ttable_expand(uint32_t *keys, const uint32_t *end, size_t key_bytes): the key is in keys. */
function runnel_aes_rv32_ttable_expand
    mv      FROM, TO
    add     TO, TO, KEY_BYTES
    lla     TABLES, runnel_aes_rv32_ttable_tables
    li      CONSTANT, 1
    li      OVERFLOW, 0x100
    li      SIXTEEN, 16
    lw      LAST, -4(TO)
.Lstep:
    substitute 1
    xor     LAST, LAST, CONSTANT
    slli    CONSTANT, CONSTANT, 1
    two_words 0
    two_words 8
    addi    TO, TO, 16
    addi    FROM, FROM, 16
    beq     TO, END, .Lexpanded
    bne     KEY_BYTES, SIXTEEN, .Llonger
.Lnext:
    bne     CONSTANT, OVERFLOW, .Lstep
    li      CONSTANT, 0x1b
    j       .Lstep
.Llonger:
    andi    T, KEY_BYTES, 8
    beqz    T, .Lkey_of_256_bits
    two_words 0
    addi    TO, TO, 8
    addi    FROM, FROM, 8
    j       .Lnext
.Lkey_of_256_bits:
    substitute 0
    two_words 0
    two_words 8
    addi    TO, TO, 16
    addi    FROM, FROM, 16
    j       .Lnext
.Lexpanded:
    ret
endfunc

#endif
