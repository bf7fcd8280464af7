/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two blocks at a time, for neon_tbl.c. v0 to v3 are the two words of the right half and of the left, each word of both
 * blocks; v4 and v5 are the words in F; v8 to v11 are G's masks. */
#include "arch/aarch64/asm.h"

#if RUNNEL_AARCH64

#define quarter v15.16b /* 64 */

#include "ciphers/seed/aarch64/s_boxes.inc"

/* Arguments, */
#define JOB   x0
#define OUT   x1
#define IN    x2 /* or 0 */
#define PAIRS x3
#define MODE  w4
#define FROM  x5
/* a job, */
#define WORDS    0
#define RIGHT_1  8
#define LEFT_0   16
#define LEFT_1   24
#define INDEX    32 /* together with REST */
#define C        48
#define MASK     56
#define SCHEDULE 64
/* and what else is in registers. */
#define KEY      x6
#define KEYS     x7
#define ROUNDS   w16

#define PLAIN    0
#define STANDARD 1
#define LEFT     2
#define RAW      3

.macro gather x
    uzp1    v6.8b, v\x\().8b, v\x\().8b
    uzp2    v7.8b, v\x\().8b, v\x\().8b
.endm

/* v12 holds S0 of bytes 0 and 2, v13 S1 of bytes 1 and 3. Two bytes of G take each as it is, the other two with its
 * halves exchanged. */
.macro mix x
    zip1    v6.8b, v12.8b, v12.8b
    zip1    v7.8b, v13.8b, v13.8b
    and     v12.8b, v6.8b, v8.8b
    and     v13.8b, v7.8b, v9.8b
    and     v6.8b, v6.8b, v10.8b
    and     v7.8b, v7.8b, v11.8b
    eor     v12.8b, v12.8b, v13.8b
    eor     v6.8b, v6.8b, v7.8b
    rev32   v6.4h, v6.4h
    eor     v\x\().8b, v12.8b, v6.8b
.endm

/* Every other G takes the S-boxes in reverse order, so that it begins with the one that is still in v16 to v31, and
 * loads the next during its look-ups. */
.macro g_a x
    gather  \x
    s_box_1 12, 6, NEXT_1
    s_box_1 13, 7
    mix     \x
.endm

.macro g_b x
    gather  \x
    s_box_1 13, 7, NEXT_0
    s_box_1 12, 6
    mix     \x
.endm

/* The steps after the first G. */
.macro rest_of_round left_0, left_1, g_first, g_second
    add     v4.2s, v4.2s, v5.2s
    \g_second 4
    add     v5.2s, v5.2s, v4.2s
    \g_first 5
    add     v4.2s, v4.2s, v5.2s
    eor     v\left_0\().8b, v\left_0\().8b, v4.8b
    eor     v\left_1\().8b, v\left_1\().8b, v5.8b
.endm

.macro round left_0, left_1, right_0, right_1, g_first, g_second
    ld2r    {v12.2s, v13.2s}, [KEY], #8
    eor     v4.8b, v\right_0\().8b, v12.8b
    eor     v5.8b, v\right_1\().8b, v13.8b
    eor     v5.8b, v5.8b, v4.8b
    \g_first 5
    rest_of_round \left_0, \left_1, \g_first, \g_second
.endm

/* From the S-box's bytes 0 alone to their part of G. */
.macro part_of_byte_0 x, spare
    trn1    v\spare\().4h, v8.4h, v10.4h
    trn1    v\x\().8b, v\x\().8b, v\x\().8b
    trn1    v\x\().4h, v\x\().4h, v\x\().4h
    and     v\x\().8b, v\x\().8b, v\spare\().8b
.endm

.macro count word, offset
    movi    v14.2s, #2
    add     v14.2s, v14.2s, v\word\().2s
    str     d14, [JOB, #\offset]
.endm

/* void runnel_seed_neon_tbl_pairs(seed_job *job, uint8_t *out, const uint8_t *in, size_t npairs, unsigned mode, const uint8_t *from) */
function runnel_seed_neon_tbl_pairs, 5
    save_d8_to 15
    find_s_boxes
    load_s0
    movi    quarter, #64
    movi    v12.8b, #0xfc
    movi    v13.8b, #0xf3
    movi    v14.8b, #0xcf
    movi    v7.8b, #0x3f
    trn1    v8.8b, v12.8b, v13.8b
    trn1    v9.8b, v13.8b, v14.8b
    trn1    v10.8b, v14.8b, v7.8b
    trn1    v11.8b, v7.8b, v12.8b
    ldr     KEYS, [JOB, #SCHEDULE]
    ldp     d0, d1, [JOB, #WORDS]
    cmp     MODE, #LEFT
    b.lo    .Lright_half
    b.hi    .Lnext_blocks

    /* F of the right half. */
    movi    v2.2s, #0
    movi    v3.2s, #0
    mov     KEY, KEYS
    round   2, 3, 0, 1, g_a, g_b
    ldr     d4, [JOB, #LEFT_0]
    eor     v2.8b, v2.8b, v4.8b
    str     d2, [JOB, #LEFT_0]
    str     d3, [JOB, #MASK]
    b       .Lnext_left

    /* All but byte 0 of the first G's input. */
.Lright_half:
    cbz     MODE, .Lnext_plain
    ld2r    {v12.2s, v13.2s}, [KEYS]
    eor     v4.8b, v0.8b, v12.8b
    str     d4, [JOB, #C]
    eor     v14.8b, v4.8b, v13.8b
    str     d14, [JOB, #INDEX]
    eor     v5.8b, v14.8b, v1.8b
    bic     v5.2s, #0xff
    g_a     5
    movi    v6.8b, #0xa9 /* S0(0) */
    part_of_byte_0 6, 7
    eor     v5.8b, v5.8b, v6.8b
    str     d5, [JOB, #INDEX + 8]
    load_s0

.Lnext_standard:
    ld1     {v0.2s - v3.2s}, [JOB]
    count   1, RIGHT_1
    ldp     d6, d14, [JOB, #INDEX]
    ldr     d4, [JOB, #C]
    eor     v6.8b, v6.8b, v1.8b
    s_box_1 5, 6, NEXT_1
    part_of_byte_0 5, 7
    eor     v5.8b, v5.8b, v14.8b
    rest_of_round 2, 3, g_a, g_b
    add     KEY, KEYS, #8
    mov     ROUNDS, #8
    b       .Lsecond_round

.Lnext_left:
    ld1     {v0.2s - v3.2s}, [JOB]
    count   3, LEFT_1
    ldr     d14, [JOB, #MASK]
    eor     v3.8b, v3.8b, v14.8b
    add     KEY, KEYS, #8
    mov     ROUNDS, #8
    b       .Lsecond_round

.Lnext_plain:
    ld1     {v0.2s - v3.2s}, [JOB]
    count   1, RIGHT_1
    b       .Lall_rounds

.Lnext_blocks:
    ld4     {v4.2s - v7.2s}, [FROM], #32
    rev32   v2.8b, v4.8b
    rev32   v3.8b, v5.8b
    rev32   v0.8b, v6.8b
    rev32   v1.8b, v7.8b

.Lall_rounds:
    mov     KEY, KEYS
    mov     ROUNDS, #8
.Ltwo_rounds:
    round   2, 3, 0, 1, g_a, g_b
.Lsecond_round:
    round   0, 1, 2, 3, g_b, g_a
    subs    ROUNDS, ROUNDS, #1
    b.ne    .Ltwo_rounds

    rev32   v0.8b, v0.8b
    rev32   v1.8b, v1.8b
    rev32   v2.8b, v2.8b
    rev32   v3.8b, v3.8b
    cbz     IN, .Lstore
    ld4     {v4.2s - v7.2s}, [IN], #32
    eor     v0.8b, v0.8b, v4.8b
    eor     v1.8b, v1.8b, v5.8b
    eor     v2.8b, v2.8b, v6.8b
    eor     v3.8b, v3.8b, v7.8b
.Lstore:
    st4     {v0.2s - v3.2s}, [OUT], #32
    subs    PAIRS, PAIRS, #1
    b.eq    .Ldone
    cbz     MODE, .Lnext_plain
    cmp     MODE, #LEFT
    b.lo    .Lnext_standard
    b.hi    .Lnext_blocks
    load_s1
    b       .Lnext_left

.Ldone:
    restore_d8_to 15
    ret
endfunc

#endif
