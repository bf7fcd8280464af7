/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of neon.c, on two sets of four blocks: word i of a set is in q<i>, of the other one in q<4 + i>, and the six
 * words of a round key, each in all elements, are in q8 to q13. VLD4 brings words into registers, VST4 back; with every
 * second register they have one half of them all. */
#include "arch/armv7/asm.h"

#if RUNNEL_ARMV7_NEON

#define words      r0
#define rounds     r1
#define out        r2
#define in         r3
#define ngroups    r4
#define block      r5 /* these three follow each other on the stack */
#define numbers    r6
#define keys       r7
#define left       r8
#define next       r9

    .equ    OLD_SP, 128
    .equ    FRAME, 144
    .equ    ARGUMENTS, 100  /* from OLD_SP on */

/* The new word of both sets, in place of b: (a XOR key_a) + (b XOR key_b), rotated to the left. */
.macro new_word a, key_a, b, key_b, a_2, b_2, by
    veor    q14, \a, \key_a
    veor    q15, \a_2, \key_a
    veor    \b, \b, \key_b
    veor    \b_2, \b_2, \key_b
    vadd.i32 q14, q14, \b
    vadd.i32 q15, q15, \b_2
    vshl.i32 \b, q14, #\by
    vshl.i32 \b_2, q15, #\by
    vsri.32 \b, q14, #32 - \by
    vsri.32 \b_2, q15, #32 - \by
.endm

.macro new_words k0, k1, k2, k3, k4, k5, a, b, c, d, a_2, b_2, c_2, d_2
    new_word \c, \k4, \d, \k5, \c_2, \d_2, 29
    new_word \b, \k2, \c, \k3, \b_2, \c_2, 27
    new_word \a, \k0, \b, \k1, \a_2, \b_2, 9
.endm

/* Of 24 rounds the second word of a key has three places. */
.macro round_4 x:vararg
    vld4.32 {d16[], d18[], d20[], d22[]}, [keys]
    vld4.32 {d17[], d19[], d21[], d23[]}, [keys]!
    new_words q8, q9, q10, q9, q11, q9, \x
.endm

.macro round_6 x:vararg
    vld4.32 {d16[], d18[], d20[], d22[]}, [keys]
    vld4.32 {d17[], d19[], d21[], d23[]}, [keys]!
    vld2.32 {d24[], d26[]}, [keys]
    vld2.32 {d25[], d27[]}, [keys]!
    new_words q8, q9, q10, q11, q12, q13, \x
.endm

/* The new word takes the place of the one that is no longer needed, so that places turn. */
.macro four_rounds of
    round_\of q0, q1, q2, q3, q4, q5, q6, q7
    round_\of q1, q2, q3, q0, q5, q6, q7, q4
    round_\of q2, q3, q0, q1, q6, q7, q4, q5
    round_\of q3, q0, q1, q2, q7, q4, q5, q6
    subs    left, left, #4
.endm

.macro all_rounds
    mov     keys, words
    mov     left, rounds
    cmp     rounds, #24
    beq     .Lfour_words\@
.Lsix_words\@:
    four_rounds 6
    bne     .Lsix_words\@
    b       .Ldone\@
.Lfour_words\@:
    four_rounds 4
    bne     .Lfour_words\@
.Ldone\@:
.endm

.macro store_sets
    vst4.32 {d0, d2, d4, d6}, [out]!
    vst4.32 {d1, d3, d5, d7}, [out]!
    vst4.32 {d8, d10, d12, d14}, [out]!
    vst4.32 {d9, d11, d13, d15}, [out]!
.endm

.macro add_set x0, x1, x2, x3
    vld4.32 {d16, d18, d20, d22}, [in]!
    vld4.32 {d17, d19, d21, d23}, [in]!
    veor    \x0, \x0, q8
    veor    \x1, \x1, q9
    veor    \x2, \x2, q10
    veor    \x3, \x3, q11
.endm

/* void runnel_lea_armv7_encrypt(const uint32_t *words, size_t rounds, uint8_t *out, const uint8_t *in, size_t ngroups) */
arm_function runnel_lea_armv7_encrypt
    push_aligned_frame FRAME, OLD_SP
    ldr     ngroups, [r12, #ARGUMENTS]
.Lencrypt_group:
    vld4.32 {d0, d2, d4, d6}, [in]!
    vld4.32 {d1, d3, d5, d7}, [in]!
    vld4.32 {d8, d10, d12, d14}, [in]!
    vld4.32 {d9, d11, d13, d15}, [in]!
    all_rounds
    store_sets
    subs    ngroups, ngroups, #1
    bne     .Lencrypt_group
    pop_aligned_frame_return OLD_SP
endfunc

/* Word number `place` counts, and is reversed in the block if there is an instruction for it. The words of both sets are
 * in memory from one group to the next. */
.macro count_groups place, first, second, reverse
    push_aligned_frame FRAME, OLD_SP
    add     r12, r12, #ARGUMENTS
    ldm     r12, {ngroups, block, numbers}
    mov     next, sp
    vld1.32 {d16-d19}, [numbers]
    vld1.32 {d0[], d1[]}, [block]!
    vld1.32 {d2[], d3[]}, [block]!
    vld1.32 {d4[], d5[]}, [block]!
    vld1.32 {d6[], d7[]}, [block]
    vmov    q4, q0
    vmov    q5, q1
    vmov    q6, q2
    vmov    q7, q3
    .ifnb   \reverse
    \reverse \second, \first
    .endif
    vadd.i32 \first, \second, q8
    vadd.i32 \second, \second, q9
    vstmia  next, {d0-d15}
    b       .Lgroup\@
.Lnext_group\@:
    vldmia  next, {d0-d15}
.Lgroup\@:
    vmov.i32 q8, #8
    add     keys, next, #16 * \place
    vadd.i32 q9, \first, q8
    vadd.i32 q10, \second, q8
    vst1.32 {d18-d19}, [keys]
    add     keys, next, #64 + 16 * \place
    vst1.32 {d20-d21}, [keys]
    .ifnb   \reverse
    \reverse \first, \first
    \reverse \second, \second
    .endif
    all_rounds
    add_set q0, q1, q2, q3
    add_set q4, q5, q6, q7
    store_sets
    subs    ngroups, ngroups, #1
    bne     .Lnext_group\@
    pop_aligned_frame_return OLD_SP
.endm

/* void runnel_lea_armv7_count(const uint32_t *words, size_t rounds, uint8_t *out, const uint8_t *in, size_t ngroups,
 *                             const uint8_t *block, const uint32_t *numbers) */
arm_function runnel_lea_armv7_count
    count_groups 3, q3, q7, vrev32.8
endfunc

/* void runnel_lea_armv7_count_little(…), with the same arguments. */
arm_function runnel_lea_armv7_count_little
    count_groups 0, q0, q4
endfunc

#endif
