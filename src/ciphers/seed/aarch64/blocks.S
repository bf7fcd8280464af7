/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blocks into the state that the rounds of the AArch64 kernels take, four rows with one word of all blocks each, and
 * back. LD4 and ST4 separate and join the words of four blocks. In assembly because gcc 12 moves their registers
 * through memory. */
#include "arch/aarch64/asm.h"

#if RUNNEL_AARCH64

/* void runnel_seed_aarch64_load(uint32_t *state, size_t row_bytes, const uint8_t *in, size_t nblocks)
 * Where there is no block, the state is as it was or zero. */
#define ROW_0   x0
#define STEP    x1
#define FROM    x2
#define NBLOCKS x3
#define ROW_1   x4
#define ROW_2   x5
#define ROW_3   x6
function runnel_seed_aarch64_load
    add     ROW_1, ROW_0, STEP
    add     ROW_2, ROW_1, STEP
    add     ROW_3, ROW_2, STEP
.Lload_four:
    subs    NBLOCKS, NBLOCKS, #4
    b.lt    .Lload_last
    ld4     {v0.4s - v3.4s}, [FROM], #64
.Lload_store:
    rev32   v0.16b, v0.16b
    rev32   v1.16b, v1.16b
    rev32   v2.16b, v2.16b
    rev32   v3.16b, v3.16b
    str     q0, [ROW_0], #16
    str     q1, [ROW_1], #16
    str     q2, [ROW_2], #16
    str     q3, [ROW_3], #16
    cbnz    NBLOCKS, .Lload_four
    ret
.Lload_last:
    movi    v0.4s, #0
    movi    v1.4s, #0
    movi    v2.4s, #0
    movi    v3.4s, #0
    cmp     NBLOCKS, #-2
    mov     NBLOCKS, #0
    ld4     {v0.s - v3.s}[0], [FROM], #16
    b.lt    .Lload_store
    ld4     {v0.s - v3.s}[1], [FROM], #16
    b.eq    .Lload_store
    ld4     {v0.s - v3.s}[2], [FROM]
    b       .Lload_store
endfunc
#undef ROW_0
#undef STEP
#undef FROM
#undef NBLOCKS
#undef ROW_1
#undef ROW_2
#undef ROW_3

/* void runnel_seed_aarch64_store(uint8_t *out, const uint8_t *in, const uint32_t *state, size_t row_bytes,
 *                                size_t nblocks)
 * Writes in XOR the state; in == 0: the state. The halves are swapped, since there is no swap after the last round. */
#define OUT     x0
#define IN      x1
#define ROW_0   x2
#define STEP    x3
#define NBLOCKS x4
#define ROW_1   x5
#define ROW_2   x6
#define ROW_3   x7
function runnel_seed_aarch64_store
    add     ROW_1, ROW_0, STEP
    add     ROW_2, ROW_1, STEP
    add     ROW_3, ROW_2, STEP
.Lstore_four:
    ldr     q0, [ROW_2], #16
    ldr     q1, [ROW_3], #16
    ldr     q2, [ROW_0], #16
    ldr     q3, [ROW_1], #16
    rev32   v0.16b, v0.16b
    rev32   v1.16b, v1.16b
    rev32   v2.16b, v2.16b
    rev32   v3.16b, v3.16b
    subs    NBLOCKS, NBLOCKS, #4
    b.lt    .Lstore_last
    cbz     IN, .Lfour_joined
    ld4     {v4.4s - v7.4s}, [IN], #64
    eor     v0.16b, v0.16b, v4.16b
    eor     v1.16b, v1.16b, v5.16b
    eor     v2.16b, v2.16b, v6.16b
    eor     v3.16b, v3.16b, v7.16b
.Lfour_joined:
    st4     {v0.4s - v3.4s}, [OUT], #64
    cbnz    NBLOCKS, .Lstore_four
    ret
.Lstore_last:
    cmp     NBLOCKS, #-2
    cbz     IN, .Llast_joined
    ld4     {v4.s - v7.s}[0], [IN], #16
    b.lt    .Llast_data
    ld4     {v4.s - v7.s}[1], [IN], #16
    b.eq    .Llast_data
    ld4     {v4.s - v7.s}[2], [IN]
.Llast_data:
    eor     v0.16b, v0.16b, v4.16b
    eor     v1.16b, v1.16b, v5.16b
    eor     v2.16b, v2.16b, v6.16b
    eor     v3.16b, v3.16b, v7.16b
.Llast_joined:
    st4     {v0.s - v3.s}[0], [OUT], #16
    b.lt    .Lstore_end
    st4     {v0.s - v3.s}[1], [OUT], #16
    b.eq    .Lstore_end
    st4     {v0.s - v3.s}[2], [OUT]
.Lstore_end:
    ret
endfunc

#endif
