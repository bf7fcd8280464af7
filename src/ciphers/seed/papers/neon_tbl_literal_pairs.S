/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two blocks at a time, for neon_tbl_literal.c: the thesis's Tables 3-1, 3-2 and 3-3 with its registers, line by line,
 * in the notation of GNU's assembler. What they do not print is chosen so that all their lines do what the text says:
 *  - What v0 to v3 hold before Table 3-1. The text has a block in each register, and two blocks. If v2 and v3 held
 *    other words than v0 and v1, lines 5 to 8 would lose bytes 1 and 2 of every word. Nothing is lost, and the bytes
 *    match Table 3-3's masks, if v2 and v3 are v0 and v1 with the halves of each word exchanged. Here both blocks are
 *    loaded as the text says; then v0 is the left half of both and v1 the right one.
 *  - After it v0 and v1 are bytes 0 and 2 of each word (S0), v2 and v3 bytes 3 and 1 (S1), all twice. They stay so
 *    until the blocks are done; XORs and S-boxes need nothing else.
 *  - How words are added in F. A carry runs from byte to byte: ZIP1 puts bytes in order for an addition, UZP1 and UZP2
 *    align the sum.
 *  - How masks are applied. Byte i of G's input goes with mask i + j to byte j, for j = 0 and 2 and for j = 1 and 3
 *    together, so that Table 3-3's v8 to v11 belong to bytes 0 to 3 in the first case. */
#include "arch/aarch64/asm.h"

#if RUNNEL_AARCH64

    external runnel_seed_aarch64_s_boxes

/* Arguments, */
#define JOB   x0
#define OUT   x1
#define IN    x2 /* or 0 */
#define PAIRS x3
#define MODE  w4
#define FROM  x5
/* a job, */
#define COMMON   32 /* LEFT: F of the right half */
#define SCHEDULE 64
/* and what else is in registers. */
#define KEY     x6
#define KEYS    x7
#define S0      x8
#define S1      x9
#define COUNTER x10 /* the word of the first block that counts */
#define ROUNDS  w11

#define LEFT 2
#define RAW  3

/* Table 3-1. v0 to v3: blocks, v28 to v31: temporary. */
.macro align_blocks
    trn1    v28.16b, v0.16b, v2.16b
    trn1    v29.16b, v1.16b, v3.16b
    trn2    v30.16b, v0.16b, v2.16b
    trn2    v31.16b, v1.16b, v3.16b
    uzp1    v0.8h, v28.8h, v28.8h
    uzp1    v1.8h, v29.8h, v29.8h
    uzp2    v2.8h, v30.8h, v30.8h
    uzp2    v3.8h, v31.8h, v31.8h
.endm

/* Table 3-2. v16 to v31: S-box, v15: 0x40, v12 to v14: temporary. */
.macro sbox reg, address
    ld1     {v16.16b - v19.16b}, [\address], #64
    ld1     {v20.16b - v23.16b}, [\address], #64
    ld1     {v24.16b - v27.16b}, [\address], #64
    ld1     {v28.16b - v31.16b}, [\address]
    sub     \address, \address, #192
    sub     v14.16b, v\reg\().16b, v15.16b
    tbl     v\reg\().16b, {v16.16b - v19.16b}, v\reg\().16b
    sub     v13.16b, v14.16b, v15.16b
    tbx     v\reg\().16b, {v20.16b - v23.16b}, v14.16b
    sub     v12.16b, v13.16b, v15.16b
    tbx     v\reg\().16b, {v24.16b - v27.16b}, v13.16b
    tbx     v\reg\().16b, {v28.16b - v31.16b}, v12.16b
.endm

/* Table 3-3. v8 to v11: m0 to m3, v12: temporary. */
.macro align_masks
    movi    v8.16b, #0xfc
    movi    v9.16b, #0xf3
    movi    v10.16b, #0xcf
    movi    v11.16b, #0x3f
    trn1    v12.16b, v8.16b, v10.16b
    mov     v8.16b, v12.16b
    trn1    v12.16b, v9.16b, v11.16b
    mov     v9.16b, v12.16b
    trn1    v12.16b, v10.16b, v8.16b
    mov     v10.16b, v12.16b
    trn1    v12.16b, v11.16b, v9.16b
    mov     v11.16b, v12.16b
.endm

/* Two bytes of G into x, from S-boxes' outputs in v16 to v19, each twice, by the masks of these registers. */
.macro masked x, first, second, third, fourth
    and     v20.16b, v16.16b, v\first\().16b
    and     v21.16b, v17.16b, v\second\().16b
    and     v22.16b, v18.16b, v\third\().16b
    and     v23.16b, v19.16b, v\fourth\().16b
    eor     v20.16b, v20.16b, v21.16b
    eor     v22.16b, v22.16b, v23.16b
    eor     v\x\().16b, v20.16b, v22.16b
.endm

/* G of v4, bytes 0 and 2, and v5, bytes 1 and 3. */
.macro g
    sbox    4, S0
    sbox    5, S1
    trn1    v16.16b, v4.16b, v4.16b
    trn1    v17.16b, v5.16b, v5.16b
    trn2    v18.16b, v4.16b, v4.16b
    trn2    v19.16b, v5.16b, v5.16b
    masked  4, 8, 9, 10, 11
    masked  5, 9, 10, 11, 8
.endm

.macro in_order x
    zip1    v\x\().16b, v4.16b, v5.16b
.endm

.macro aligned x
    uzp1    v4.16b, v\x\().16b, v\x\().16b
    uzp2    v5.16b, v\x\().16b, v\x\().16b
.endm

/* F of a half and the round keys into v4 and v5, aligned as halves are. Within F, v6 is word C of both blocks and v7
 * word D, each twice, and bytes for S1 are in the order 1 and 3. */
.macro f right_0, right_1
    ld2r    {v4.4s, v5.4s}, [KEY], #8
    eor     v4.16b, v4.16b, v\right_0\().16b
    eor     v5.16b, v5.16b, v\right_1\().16b
    rev16   v5.16b, v5.16b
    trn1    v6.8h, v4.8h, v4.8h
    trn1    v7.8h, v5.8h, v5.8h
    trn2    v4.8h, v4.8h, v4.8h
    trn2    v5.8h, v5.8h, v5.8h
    eor     v4.16b, v4.16b, v6.16b
    eor     v5.16b, v5.16b, v7.16b
    zip1    v6.16b, v6.16b, v7.16b
    g
    in_order 7
    add     v6.4s, v6.4s, v7.4s
    aligned 6
    g
    in_order 6
    add     v7.4s, v7.4s, v6.4s
    aligned 7
    g
    in_order 7
    add     v6.4s, v6.4s, v7.4s
    trn1    v6.4s, v6.4s, v7.4s
    aligned 6
    rev16   v5.16b, v5.16b
.endm

.macro round left_0, left_1, right_0, right_1
    f       \right_0, \right_1
    eor     v\left_0\().16b, v\left_0\().16b, v4.16b
    eor     v\left_1\().16b, v\left_1\().16b, v5.16b
.endm

/* From the blocks in v4 and v5 to v0 to v3. */
.macro halves
    trn1    v0.2d, v4.2d, v5.2d
    trn2    v1.2d, v4.2d, v5.2d
    rev32   v2.8h, v0.8h
    rev32   v3.8h, v1.8h
    align_blocks
.endm

/* void runnel_seed_neon_tbl_literal_pairs(seed_job *job, uint8_t *out, const uint8_t *in, size_t npairs, unsigned mode,
 *     const uint8_t *from) */
function runnel_seed_neon_tbl_literal_pairs, 5
    save_d8_to 15
    adrp    S0, runnel_seed_aarch64_s_boxes
    add     S0, S0, :lo12:runnel_seed_aarch64_s_boxes
    add     S1, S0, #256
    movi    v15.16b, #0x40
    align_masks
    ldr     KEYS, [JOB, #SCHEDULE]
    add     COUNTER, JOB, #12
    cmp     MODE, #LEFT
    b.ne    .Lnext
    add     COUNTER, JOB, #4
    ld1     {v4.16b, v5.16b}, [JOB]
    halves
    mov     KEY, KEYS
    f       1, 3
    stp     q4, q5, [JOB, #COMMON]

.Lnext:
    mov     KEY, KEYS
    mov     ROUNDS, #8
    cmp     MODE, #RAW
    b.eq    .Lblocks
    ld1     {v4.16b, v5.16b}, [JOB]
    ldr     w12, [COUNTER]
    ldr     w13, [COUNTER, #16]
    add     w12, w12, #2
    add     w13, w13, #2
    str     w12, [COUNTER]
    str     w13, [COUNTER, #16]
    halves
    cmp     MODE, #LEFT
    b.ne    .Ltwo_rounds
    ldp     q4, q5, [JOB, #COMMON]
    eor     v0.16b, v0.16b, v4.16b
    eor     v2.16b, v2.16b, v5.16b
    add     KEY, KEY, #8
    b       .Lsecond_round

.Lblocks:
    ld1     {v4.16b, v5.16b}, [FROM], #32
    rev32   v4.16b, v4.16b
    rev32   v5.16b, v5.16b
    halves

.Ltwo_rounds:
    round   0, 2, 1, 3
.Lsecond_round:
    round   1, 3, 0, 2
    subs    ROUNDS, ROUNDS, #1
    b.ne    .Ltwo_rounds

    rev16   v2.16b, v2.16b
    rev16   v3.16b, v3.16b
    zip1    v0.16b, v0.16b, v2.16b
    zip1    v1.16b, v1.16b, v3.16b
    trn1    v4.2d, v1.2d, v0.2d
    trn2    v5.2d, v1.2d, v0.2d
    rev32   v4.16b, v4.16b
    rev32   v5.16b, v5.16b
    cbz     IN, .Lstore
    ld1     {v6.16b, v7.16b}, [IN], #32
    eor     v4.16b, v4.16b, v6.16b
    eor     v5.16b, v5.16b, v7.16b
.Lstore:
    st1     {v4.16b, v5.16b}, [OUT], #32
    subs    PAIRS, PAIRS, #1
    b.ne    .Lnext

    restore_d8_to 15
    ret
endfunc

#endif
