/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The key expansion (FIPS 197 5.2) of the bitsliced kernels, in constant time.
 *
 * Bit j of a word's four bytes is to be bit 0 of each byte of plane j: shifting the word by j does that, and what else
 * is in the planes goes through the S-boxes too and is thrown away. So a word costs little more than one pass. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "fixslice.inc"

#define to keys
#define constant nibbles /* 0 in the second half of a step with a key of 256 bits */
#define key_bytes w1
#define from w2

#define FRAME_END 4 /* after FRAME_JOB */
#define FRAME_KEY_BYTES 8
#define FRAME_CONSTANT 12

/* to[i] = from[i] ^ the word before, for two words. Uses w3 and w4. */
.macro two_words at
    lw      w3, \at(from)
    lw      w4, \at + 4(from)
    xor     w0, w0, w3
    sw      w0, \at(to)
    xor     w0, w0, w4
    sw      w0, \at + 4(to)
.endm

/* void runnel_aes_rv32_expand(uint32_t *words, const uint32_t *end, size_t key_bytes): the key is in words. */
function runnel_aes_rv32_expand
    enter   0
    sw      a1, FRAME_END(sp)
    sw      a2, FRAME_KEY_BYTES(sp)
    add     to, a0, a2
    li      constant, 1
    li      columns, 0x01010101
    sw      constant, FRAME_CONSTANT(sp)
.Lstep:
    lw      q0, -4(to)
    beqz    constant, .Lsubstitute
    srli    w0, q0, 8
    slli    q0, q0, 24
    or      q0, q0, w0
.Lsubstitute:
    srli    q1, q0, 1
    srli    q2, q0, 2
    srli    q3, q0, 3
    srli    q4, q0, 4
    srli    q5, q0, 5
    srli    q6, q0, 6
    srli    q7, q0, 7
    sub_bytes
    and     w0, p7, columns
    .irp    p, p6, p5, p4, p3, p2, p1, p0
    and     \p, \p, columns
    slli    w0, w0, 1
    or      w0, w0, \p
    .endr
    lw      key_bytes, FRAME_KEY_BYTES(sp)
    li      w3, 0x01010101 * 0x63 /* the NOTs that sub_bytes leaves out */
    sub     from, to, key_bytes
    xor     w0, w0, w3
    xor     w0, w0, constant
    two_words 0
    two_words 8
    lw      w5, FRAME_END(sp)
    addi    to, to, 16
    addi    w6, key_bytes, -32
    beq     to, w5, .Lexpanded
    beqz    w6, .Lhalf
    addi    w6, key_bytes, -24
    bnez    w6, .Lnext
    addi    from, from, 16
    two_words 0
    addi    to, to, 8
    j       .Lnext
.Lhalf: /* a key of 256 bits takes a word through the S-boxes twice in eight, once without constant */
    lw      w3, FRAME_CONSTANT(sp)
    beqz    constant, .Lconstant
    li      constant, 0
    j       .Lstep
.Lnext:
    mv      w3, constant
.Lconstant:
    slli    constant, w3, 1
    srli    w3, w3, 7
    neg     w3, w3
    andi    w3, w3, 0x11b
    xor     constant, constant, w3
    sw      constant, FRAME_CONSTANT(sp)
    j       .Lstep
.Lexpanded:
    leave   0
endfunc

#endif
