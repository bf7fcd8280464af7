/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of neon.c, and the S-boxes for TBL.
 *
 * An S-box fills sixteen registers, so only one is loaded at a time. Every other G uses them in reverse order and
 * begins with the one that is loaded. */
#include "arch/aarch64/asm.h"

#if RUNNEL_AARCH64

#include "ciphers/seed/s_boxes.h"

#define quarter    v12.16b /* 64 */
#define bits_0145  v13.16b
#define bits_0123  v14.16b
#define bits_2345  v15.16b

#include "rounds.inc"
#include "s_boxes.inc"

.macro partner to, from
    rev16   v\to\().16b, v\from\().16b
.endm

.macro gather even, odd, x, y
    uzp1    v\even\().16b, v\x\().16b, v\y\().16b
    uzp2    v\odd\().16b, v\x\().16b, v\y\().16b
.endm

/* The registers may be in any order: `x` may be one of its two operands. */
.macro scatter x, y, even, odd
    .if     \x == \odd || \x == \even
    zip2    v\y\().16b, v\even\().16b, v\odd\().16b
    zip1    v\x\().16b, v\even\().16b, v\odd\().16b
    .else
    zip1    v\x\().16b, v\even\().16b, v\odd\().16b
    zip2    v\y\().16b, v\even\().16b, v\odd\().16b
    .endif
.endm

.macro g_8a x, y
    gather  4, \y, \x, \y
    s_box_1 \x, 4, NEXT_1
    s_box_1 4, \y
    mix     \x, 4, \y, 5
    scatter \x, \y, 4, \y
.endm

.macro g_8b x, y
    gather  4, \y, \x, \y
    s_box_1 \x, \y, NEXT_0
    s_box_1 \y, 4
    mix     \y, \x, 4, 5
    scatter \x, \y, \x, 4
.endm

.macro g_16a w, x, y, z
    gather  8, \x, \w, \x
    gather  9, \z, \y, \z
    s_box_2 \w, \y, 8, 9, NEXT_1
    s_box_2 8, 9, \x, \z
    mix_two \w, 8, \x, 10, \y, 9, \z, 11
    scatter \w, \x, 8, \x
    scatter \y, \z, 9, \z
.endm

.macro g_16b w, x, y, z
    gather  8, \x, \w, \x
    gather  9, \z, \y, \z
    s_box_2 \w, \y, \x, \z, NEXT_0
    s_box_2 \x, \z, 8, 9
    mix_two \x, \w, 8, 10, \z, \y, 9, 11
    scatter \w, \x, \w, 8
    scatter \y, \z, \y, 9
.endm

.macro constants
    find_s_boxes
    movi    quarter, #64
    movi    bits_0145, #0x33
    movi    bits_0123, #0x0f
    movi    bits_2345, #0x3c
    load_s0
.endm

/* void runnel_seed_aarch64_neon_8(uint32_t state[4][8], const uint32_t *keys, unsigned rounds) */
function runnel_seed_aarch64_neon_8, 5
    save_d8_to 15
    constants
    rounds_8 load_s1
    restore_d8_to 15
    ret
endfunc

/* void runnel_seed_aarch64_neon_16(uint32_t state[4][16], const uint32_t *keys, unsigned rounds) */
function runnel_seed_aarch64_neon_16, 5
    save_d8_to 15
    constants
    rounds_16 load_s1
    restore_d8_to 15
    ret
endfunc

/* void runnel_seed_aarch64_neon_g(uint32_t words[32]): G of each. */
function runnel_seed_aarch64_neon_g, 5
    save_d8_to 15
    constants
    ld1     {v0.4s - v3.4s}, [x0], #64
    ld1     {v4.4s - v7.4s}, [x0]
    g_16a   0, 1, 2, 3
    g_16b   4, 5, 6, 7
    st1     {v4.4s - v7.4s}, [x0]
    sub     x0, x0, #64
    st1     {v0.4s - v3.4s}, [x0]
    restore_d8_to 15
    ret
endfunc

    tables 6
#define BYTE(s) .byte 0x##s;
const runnel_seed_aarch64_s_boxes
    SEED_S0(BYTE)
    SEED_S1(BYTE)
endconst

#endif
