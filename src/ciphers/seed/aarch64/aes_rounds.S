/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of aes.c.
 *
 * The bytes of two registers, 8 blocks, are gathered by S-box, so that each register needs the map after one S-box
 * only, and s0 and s2 (s1 and s3) of a block are 8 bytes apart. ShiftRows in AESE keeps them so, and it is undone
 * where look-ups put the bytes back into words anyway. The two halves of the map before the S-box are added by AESE's
 * own XOR. Four blocks in one register take both maps for all bytes, which costs less than two registers half full. */
#include "arch/aarch64/asm.h"

#if RUNNEL_AARCH64

#define GATHER_0 v19.16b
#define GATHER_1 v20.16b
#define SCATTER_0 v21.16b
#define SCATTER_1 v22.16b
#define P_LOW    v23.16b
#define P_HIGH   v24.16b
#define Q0_LOW   v25.16b
#define Q0_HIGH  v26.16b
#define Q1_LOW   v27.16b
#define Q1_HIGH  v28.16b
#define bits_0123 v29.16b
#define bits_0145 v30.16b
#define bits_2345 v31.16b

#define PICK_0 GATHER_0
#define PICK_1 GATHER_1

#include "rounds.inc"

.macro partner to, from
    ext     v\to\().16b, v\from\().16b, v\from\().16b, #8
.endm

/* The two registers' bytes for S0 into `even`, those for S1 into `odd`. */
.macro gather x, y, even, odd
    tbl     v\even\().16b, {v\x\().16b, v\y\().16b}, GATHER_0
    tbl     v\odd\().16b, {v\x\().16b, v\y\().16b}, GATHER_1
.endm

.macro scatter x, y, even, odd
    tbl     v\x\().16b, {v\even\().16b, v\odd\().16b}, SCATTER_0
    tbl     v\y\().16b, {v\even\().16b, v\odd\().16b}, SCATTER_1
.endm

/* The high nibbles replace their registers. */
.macro nibbles high_0, high_1, low_0, low_1
    and     v\low_0\().16b, v\high_0\().16b, bits_0123
    and     v\low_1\().16b, v\high_1\().16b, bits_0123
    ushr    v\high_0\().16b, v\high_0\().16b, #4
    ushr    v\high_1\().16b, v\high_1\().16b, #4
.endm

.macro look_up low, high, table_low, table_high
    tbl     v\low\().16b, {\table_low}, v\low\().16b
    tbl     v\high\().16b, {\table_high}, v\high\().16b
.endm

/* The S-box of AES, behind the isomorphism P. */
.macro substitute low, high
    aese    v\low\().16b, v\high\().16b
.endm

.macro add_to to, from
    eor     v\to\().16b, v\to\().16b, v\from\().16b
.endm

.macro g_8a x, y
    gather  \x, \y, 4, 5
    nibbles 4, 5, 6, 7
    look_up 6, 4, P_LOW, P_HIGH
    look_up 7, 5, P_LOW, P_HIGH
    substitute 6, 4
    substitute 7, 5
    nibbles 6, 7, 4, 5
    look_up 4, 6, Q0_LOW, Q0_HIGH
    look_up 5, 7, Q1_LOW, Q1_HIGH
    add_to  4, 6
    add_to  5, 7
    mix     4, 5, 6, 7
    scatter \x, \y, 5, 6
.endm

.macro g_8b x, y
    g_8a    \x, \y
.endm

.macro g_16a w, x, y, z
    gather  \w, \x, 8, 9
    gather  \y, \z, 12, 13
    nibbles 8, 9, 10, 11
    nibbles 12, 13, 14, 15
    look_up 10, 8, P_LOW, P_HIGH
    look_up 11, 9, P_LOW, P_HIGH
    look_up 14, 12, P_LOW, P_HIGH
    look_up 15, 13, P_LOW, P_HIGH
    substitute 10, 8
    substitute 11, 9
    substitute 14, 12
    substitute 15, 13
    nibbles 10, 11, 8, 9
    nibbles 14, 15, 12, 13
    look_up 8, 10, Q0_LOW, Q0_HIGH
    look_up 9, 11, Q1_LOW, Q1_HIGH
    look_up 12, 14, Q0_LOW, Q0_HIGH
    look_up 13, 15, Q1_LOW, Q1_HIGH
    add_to  8, 10
    add_to  9, 11
    add_to  12, 14
    add_to  13, 15
    mix_two 8, 9, 10, 11, 12, 13, 14, 15
    scatter \w, \x, 9, 10
    scatter \y, \z, 13, 14
.endm

.macro g_16b w, x, y, z
    g_16a   \w, \x, \y, \z
.endm

/* With k the bytes s0 s3 s2 s1 and l s1 s0 s3 s2 of each word, and k', l' the same with halves exchanged, the result is
 * l ^ k' ^ l' in bits 0 and 1, k ^ k' ^ l' in bits 2 and 3, and in the other bits that with halves exchanged. */
.macro g_4 x
    and     v2.16b, v\x\().16b, bits_0123
    ushr    v3.16b, v\x\().16b, #4
    look_up 2, 3, P_LOW, P_HIGH
    substitute 2, 3
    ushr    v3.16b, v2.16b, #4
    and     v2.16b, v2.16b, bits_0123
    tbl     v4.16b, {Q0_LOW}, v2.16b
    tbl     v\x\().16b, {Q0_HIGH}, v3.16b
    tbl     v5.16b, {Q1_LOW}, v2.16b
    tbl     v3.16b, {Q1_HIGH}, v3.16b
    add_to  4, \x
    add_to  5, 3
    tbl     v2.16b, {v4.16b, v5.16b}, PICK_0
    tbl     v3.16b, {v4.16b, v5.16b}, PICK_1
    eor     v4.16b, v2.16b, v3.16b
    bit     v2.16b, v3.16b, bits_0145
    mov     v5.16b, v4.16b
    bit     v5.16b, v2.16b, bits_0123
    bit     v2.16b, v4.16b, bits_0123
    rev32   v2.8h, v2.8h
    eor     v\x\().16b, v5.16b, v2.16b
.endm

.macro round_4 offset
    ld2r    {v2.4s, v3.4s}, [KEYS], #8
    xor_one 0, 2
    xor_one 1, 3
    xor_one 1, 0
    g_4     1
    add_one 0, 1
    g_4     0
    add_one 1, 0
    g_4     1
    add_one 0, 1
    ldp     q2, q3, [STATE, #\offset]
    xor_one 0, 2
    xor_one 1, 3
    stp     q0, q1, [STATE, #\offset]
.endm

/* x6: the tables for gathering and scattering */
.macro constants
    adrp    x7, .Lmaps
    add     x7, x7, :lo12:.Lmaps
    ld1     {v19.16b - v22.16b}, [x6]
    ld1     {v23.16b - v26.16b}, [x7], #64
    ld1     {v27.16b, v28.16b}, [x7]
    movi    bits_0123, #0x0f
    movi    bits_0145, #0x33
    movi    bits_2345, #0x3c
.endm

.macro constants_of_pairs
    adrp    x6, .Lof_pairs
    add     x6, x6, :lo12:.Lof_pairs
    constants
.endm

/* void runnel_seed_aarch64_aes_4(uint32_t state[4][4], const uint32_t *keys, unsigned rounds) */
function runnel_seed_aarch64_aes_4, 5
    adrp    x6, .Lof_one
    add     x6, x6, :lo12:.Lof_one
    constants
    tbz     ROUNDS, #0, .Leven_4
    ldp     q0, q1, [STATE]
    b       .Lodd_4
.Leven_4:
    ldp     q0, q1, [STATE, #32]
.Ltwo_rounds_4:
    round_4 0
.Lodd_4:
    round_4 32
    subs    ROUNDS, ROUNDS, #2
    b.gt    .Ltwo_rounds_4
    ret
endfunc

/* void runnel_seed_aarch64_aes_8(uint32_t state[4][8], const uint32_t *keys, unsigned rounds) */
function runnel_seed_aarch64_aes_8, 5
    constants_of_pairs
    rounds_8
    ret
endfunc

/* void runnel_seed_aarch64_aes_16(uint32_t state[4][16], const uint32_t *keys, unsigned rounds) */
function runnel_seed_aarch64_aes_16, 5
    save_d8_to 15
    constants_of_pairs
    rounds_16
    restore_d8_to 15
    ret
endfunc

/* void runnel_seed_aarch64_aes_g(uint32_t words[32]): G of each. */
function runnel_seed_aarch64_aes_g, 5
    save_d8_to 15
    constants_of_pairs
    mov     w1, #2
.Lg_of_16:
    ld1     {v0.4s - v3.4s}, [x0]
    g_16a   0, 1, 2, 3
    st1     {v0.4s - v3.4s}, [x0], #64
    subs    w1, w1, #1
    b.ne    .Lg_of_16
    restore_d8_to 15
    ret
endfunc

    tables 6

/* Bytes 0 (1) of 8 words, then their bytes 2 (3); and from there into words, as ShiftRows has turned them. */
.Lof_pairs:
    .byte   0, 4, 8, 12, 16, 20, 24, 28, 2, 6, 10, 14, 18, 22, 26, 30
    .byte   1, 5, 9, 13, 17, 21, 25, 29, 3, 7, 11, 15, 19, 23, 27, 31
    .byte   0, 16, 8, 24, 13, 29, 5, 21, 10, 26, 2, 18, 7, 23, 15, 31
    .byte   4, 20, 12, 28, 1, 17, 9, 25, 14, 30, 6, 22, 11, 27, 3, 19

/* S-boxes in the order 0 3 2 1, and in the order 1 0 3 2, S1's bytes from the second register. */
.Lof_one:
    .byte   0, 23, 10, 29, 4, 27, 14, 17, 8, 31, 2, 21, 12, 19, 6, 25
    .byte   29, 0, 23, 10, 17, 4, 27, 14, 21, 8, 31, 2, 25, 12, 19, 6

/* By nibble: P, and the maps from the S-box of AES to S0 and S1. README.md has the algebra. */
.Lmaps:
    .byte   0x00, 0x01, 0x19, 0x18, 0x5a, 0x5b, 0x43, 0x42, 0x6b, 0x6a, 0x72, 0x73, 0x31, 0x30, 0x28, 0x29
    .byte   0x00, 0xf4, 0xcc, 0x38, 0x82, 0x76, 0x4e, 0xba, 0x06, 0xf2, 0xca, 0x3e, 0x84, 0x70, 0x48, 0xbc
    .byte   0xe7, 0x9b, 0x43, 0x3f, 0xfc, 0x80, 0x58, 0x24, 0x57, 0x2b, 0xf3, 0x8f, 0x4c, 0x30, 0xe8, 0x94
    .byte   0x00, 0x5f, 0x69, 0x36, 0xff, 0xa0, 0x96, 0xc9, 0x8a, 0xd5, 0xe3, 0xbc, 0x75, 0x2a, 0x1c, 0x43
    .byte   0x2b, 0x27, 0x60, 0x6c, 0x6f, 0x63, 0x24, 0x28, 0xd6, 0xda, 0x9d, 0x91, 0x92, 0x9e, 0xd9, 0xd5
    .byte   0x00, 0x2e, 0x2a, 0x04, 0x7e, 0x50, 0x54, 0x7a, 0x12, 0x3c, 0x38, 0x16, 0x6c, 0x42, 0x46, 0x68

#endif
