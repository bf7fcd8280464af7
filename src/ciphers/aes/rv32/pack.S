/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block in the layouts of the bitsliced kernels, as often as they take blocks: round keys, and what a run's blocks
 * share. Both functions are leaves that save nothing. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32
#include "fixslice.inc"

#define x0 t0
#define x1 t1
#define x2 t2
#define x3 t3
#define scratch t4
#define m5 a4
#define m3 a5
#define mf a6
#define rows_1_3 a4
#define rows_2_3 a5

.macro load_block base
    lw      x0, 0(\base)
    lw      x1, 4(\base)
    lw      x2, 8(\base)
    lw      x3, 12(\base)
.endm

/* Swaps the bits of a under mask << n with those of b under mask. */
.macro swap_parts a, b, n, mask
    srli    scratch, \a, \n
    xor     scratch, scratch, \b
    and     scratch, scratch, \mask
    xor     \b, \b, scratch
    slli    scratch, scratch, \n
    xor     \a, \a, scratch
.endm

/* Rows 2 and 3 by two columns. */
.macro shift_by_2 a, b, mask
    xor     scratch, \a, \b
    and     scratch, scratch, \mask
    xor     \a, \a, scratch
    xor     \b, \b, scratch
.endm

/* In row 1 and 3, each column takes what the column named after it has. */
.macro take_rows a, b, c, d
    and     t5, \a, rows_1_3
    and     t6, \b, rows_1_3
    and     a6, \c, rows_1_3
    and     a7, \d, rows_1_3
    xor     \a, \a, t5
    xor     \b, \b, t6
    xor     \c, \c, a6
    xor     \d, \d, a7
    or      \a, \a, t6
    or      \b, \b, a6
    or      \c, \c, a7
    or      \d, \d, t5
.endm

/* The planes 2 i and 2 i + 1, each bit for both blocks, from x. */
.macro store_planes i, x
    and     scratch, \x, m5
    xor     \x, \x, scratch
    slli    t5, scratch, 1
    srli    t6, \x, 1
    or      scratch, scratch, t5
    or      \x, \x, t6
    sw      scratch, 8 * \i(a0)
    sw      \x, 8 * \i + 4(a0)
.endm

/* void runnel_aes_rv32_pack_key(uint32_t planes[8], const uint32_t key[4], unsigned v, int nots) */
function runnel_aes_rv32_pack_key
    load_block a1
    beqz    a2, .Lshifted
    li      rows_1_3, 0xff00ff00
    addi    a2, a2, -2
    bnez    a2, .Lshift_odd
    shift_by_2 x0, x2, rows_1_3
    shift_by_2 x1, x3, rows_1_3
    j       .Lshifted
.Lshift_odd:
    li      rows_2_3, 0xffff0000
    shift_by_2 x0, x2, rows_2_3
    shift_by_2 x1, x3, rows_2_3
    bltz    a2, .Lshift_3
    take_rows x0, x1, x2, x3
    j       .Lshifted
.Lshift_3:
    take_rows x0, x3, x2, x1
.Lshifted:
    li      m5, 0x55555555
    li      m3, 0x33333333
    li      mf, 0x0f0f0f0f
    swap_parts x0, x1, 2, m3
    swap_parts x2, x3, 2, m3
    swap_parts x0, x2, 4, mf
    swap_parts x1, x3, 4, mf
    beqz    a3, .Lstore
    not     x0, x0 /* planes 0 and 1, 5, 6: AES_RV32_NOTS */
    not     scratch, m5
    xor     x2, x2, scratch
    xor     x3, x3, m5
.Lstore:
    store_planes 0, x0
    store_planes 1, x1
    store_planes 2, x2
    store_planes 3, x3
    ret
endfunc

/* Eight words of row r, each byte all ones or zeros. */
.macro spread_row r, x
    .irp    j, 0, 1, 2, 3, 4, 5, 6, 7
    .if \j > 0
    srli    scratch, \x, \j
    and     scratch, scratch, m5
    .else
    and     scratch, \x, m5
    .endif
    slli    t5, scratch, 8
    sub     t5, t5, scratch
    sw      t5, 32 * \r + 4 * \j(a0)
    .endr
.endm

/* void runnel_aes_rv32_spread_block(uint32_t packed[32], const uint32_t block[4], uint32_t added) */
function runnel_aes_rv32_spread_block
    load_block a1
    li      m3, 0x0000ffff
    li      mf, 0x00ff00ff
    li      m5, 0x01010101
    .irp    x, x0, x1, x2, x3
    xor     \x, \x, a2
    .endr
    swap_parts x0, x2, 16, m3
    swap_parts x1, x3, 16, m3
    swap_parts x0, x1, 8, mf
    swap_parts x2, x3, 8, mf
    spread_row 0, x0
    spread_row 1, x1
    spread_row 2, x2
    spread_row 3, x3
    ret
endfunc

#endif
