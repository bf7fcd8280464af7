/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For the assembly of the AArch64 kernels: an S-box in v16 to v31, by TBL and TBX of 64 bytes each; an index out of its
 * 64 leaves TBX's register as it is. The file defines `quarter`, a register with 64 in all bytes. Registers go by their
 * numbers; in_… are changed. */

    .hidden runnel_seed_aarch64_s_boxes

/* Where the quarters of S0 and S1 are. */
#define NEXT_0 x8, x9, x10, x11
#define NEXT_1 x12, x13, x14, x15

.macro find_s_boxes
    adrp    x8, runnel_seed_aarch64_s_boxes
    add     x8, x8, :lo12:runnel_seed_aarch64_s_boxes
    add     x9, x8, #64
    add     x10, x8, #128
    add     x11, x8, #192
    add     x12, x8, #256
    add     x13, x8, #320
    add     x14, x8, #384
    add     x15, x8, #448
.endm

.macro load_s_box first, second, third, fourth
    ld1     {v16.16b - v19.16b}, [\first]
    ld1     {v20.16b - v23.16b}, [\second]
    ld1     {v24.16b - v27.16b}, [\third]
    ld1     {v28.16b - v31.16b}, [\fourth]
.endm

.macro load_s0
    load_s_box NEXT_0
.endm

.macro load_s1
    load_s_box NEXT_1
.endm

/* Looks up one register, and replaces each quarter, if one is given, by that of the S-box that is needed next. */
.macro s_box_1 to, in, first, second, third, fourth
    tbl     v\to\().16b, {v16.16b - v19.16b}, v\in\().16b
    .ifnb \first
    ld1     {v16.16b - v19.16b}, [\first]
    .endif
    sub     v\in\().16b, v\in\().16b, quarter
    tbx     v\to\().16b, {v20.16b - v23.16b}, v\in\().16b
    .ifnb \second
    ld1     {v20.16b - v23.16b}, [\second]
    .endif
    sub     v\in\().16b, v\in\().16b, quarter
    tbx     v\to\().16b, {v24.16b - v27.16b}, v\in\().16b
    .ifnb \third
    ld1     {v24.16b - v27.16b}, [\third]
    .endif
    sub     v\in\().16b, v\in\().16b, quarter
    tbx     v\to\().16b, {v28.16b - v31.16b}, v\in\().16b
    .ifnb \fourth
    ld1     {v28.16b - v31.16b}, [\fourth]
    .endif
.endm

/* The same of two. */
.macro s_box_2 to_0, to_1, in_0, in_1, first, second, third, fourth
    tbl     v\to_0\().16b, {v16.16b - v19.16b}, v\in_0\().16b
    tbl     v\to_1\().16b, {v16.16b - v19.16b}, v\in_1\().16b
    .ifnb \first
    ld1     {v16.16b - v19.16b}, [\first]
    .endif
    sub     v\in_0\().16b, v\in_0\().16b, quarter
    sub     v\in_1\().16b, v\in_1\().16b, quarter
    tbx     v\to_0\().16b, {v20.16b - v23.16b}, v\in_0\().16b
    tbx     v\to_1\().16b, {v20.16b - v23.16b}, v\in_1\().16b
    .ifnb \second
    ld1     {v20.16b - v23.16b}, [\second]
    .endif
    sub     v\in_0\().16b, v\in_0\().16b, quarter
    sub     v\in_1\().16b, v\in_1\().16b, quarter
    tbx     v\to_0\().16b, {v24.16b - v27.16b}, v\in_0\().16b
    tbx     v\to_1\().16b, {v24.16b - v27.16b}, v\in_1\().16b
    .ifnb \third
    ld1     {v24.16b - v27.16b}, [\third]
    .endif
    sub     v\in_0\().16b, v\in_0\().16b, quarter
    sub     v\in_1\().16b, v\in_1\().16b, quarter
    tbx     v\to_0\().16b, {v28.16b - v31.16b}, v\in_0\().16b
    tbx     v\to_1\().16b, {v28.16b - v31.16b}, v\in_1\().16b
    .ifnb \fourth
    ld1     {v28.16b - v31.16b}, [\fourth]
    .endif
.endm
