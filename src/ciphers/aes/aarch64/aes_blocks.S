/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The inner loops of aes.c: AES by AESE and AESMC, 8 blocks at a time.
 *
 * AESE adds its key before the S-box. So what all blocks of a run share costs nothing: a table's entry is loaded as
 * the state, and the run's constant is part of the first key. Only the last key needs an XOR of its own, which the
 * data share. Loads and stores move four registers. AESE and AESMC of a block are adjacent, for processors that fuse
 * them.
 *
 * Registers: v0 to v7 blocks; v16 the first key; v18 to v31 those after it, up to the last one in v31: a cipher with
 * fewer rounds enters the chain of rounds further down. */
#include "arch/aarch64/asm.h"

#if RUNNEL_AARCH64

/* Arguments. */
#define keys      x0 /* the first round key */
#define rounds    x1 /* how many follow: 8 to 14 */
#define from      x2
#define out       x3
#define in        x4 /* or 0 */
#define nblocks   x5
#define ngroups   x5
#define store     x6 /* or 0 */

#define skipped   x9 /* rounds that the longest cipher has before ours */
#define address   x10
#define upper     x11
#define entry     x12
#define entry_2   x13

#define first     v16.16b
#define counter   v17.16b
#define before_last v30.16b
#define last      v31.16b

#define ONE   v0.16b
#define TWO   v0.16b, v1.16b
#define FOUR  v0.16b, v1.16b, v2.16b, v3.16b
#define EIGHT v0.16b, v1.16b, v2.16b, v3.16b, v4.16b, v5.16b, v6.16b, v7.16b

.macro round key, blocks:vararg
    .irp    x, \blocks
    aese    \x, \key
    aesmc   \x, \x
    .endr
.endm

/* The rounds of the keys in v18 to v29, entered anywhere. */
.macro chain blocks:vararg
    .irp    key, v18.16b, v19.16b, v20.16b, v21.16b, v22.16b, v23.16b
    round   \key, \blocks
    .endr
    .irp    key, v24.16b, v25.16b, v26.16b, v27.16b, v28.16b, v29.16b
    round   \key, \blocks
    .endr
.endm

.macro last_round blocks:vararg
    .irp    x, \blocks
    aese    \x, before_last
    .endr
.endm

.macro add_last_key blocks:vararg
    .irp    x, \blocks
    eor     \x, \x, last
    .endr
.endm

/* By llvm-mca, EOR3 in place of both takes 3 % off Neoverse V2: too little for a kernel of its own. In ARIA's diffusion
 * layer it adds 8 % there, where half the units have it. */
.macro add_data x, data
    eor     \data, \data, last
    eor     \x, \x, \data
.endm

/* Where to enter the loads of the keys, and a chain of 8 blocks, whose round has 64 bytes. Landing pads inside the
 * chain would cost every entry time; they are behind it, each with a branch into it. */
#if LANDING_PAD_BYTES
#define LOG_LOAD_BYTES 3
#define LOG_ENTRY_BYTES 3
#define ENTRIES(of) .L\of\()_pads
#else
#define LOG_LOAD_BYTES 2
#define LOG_ENTRY_BYTES 6
#define ENTRIES(of) .L\of\()_chain
#endif

.macro load_keys
    mov     skipped, #14
    sub     skipped, skipped, rounds
    add     address, keys, #16
    adr     entry, .Lkeys\@
    add     entry, entry, skipped, lsl #LOG_LOAD_BYTES
    br      entry
.Lkeys\@:
    .irp    key, v18.16b, v19.16b, v20.16b, v21.16b, v22.16b, v23.16b
    landing_pad
    ld1     {\key}, [address], #16
    .endr
    landing_pad
    ld1     {v24.16b - v27.16b}, [address], #64
    ld1     {v28.16b - v31.16b}, [address]
.endm

.macro find_entry to, of
    adr     \to, ENTRIES(of)
    add     \to, \to, skipped, lsl #LOG_ENTRY_BYTES
.endm

/* For each number of rounds that may be skipped. */
.macro landing_pads of
#if LANDING_PAD_BYTES
    .p2align 3
.L\of\()_pads:
    .irp    round, 0, 1, 2, 3, 4, 5, 6, 7
    landing_pad
    b       .L\of\()_chain + (\round << 6)
    .endr
#endif
.endm

.macro store_eight pointer
    st1     {v0.16b - v3.16b}, [\pointer], #64
    st1     {v4.16b - v7.16b}, [\pointer], #64
.endm

/* From the first key's round on to the output, on 8 blocks, and back to .L…_loop for the next ones. */
.macro finish_eight of
.L\of\()_chain:
    chain   EIGHT
    last_round EIGHT
    cbz     in, .Lno_data\@
    ld1     {v8.16b - v11.16b}, [in], #64
    add_data v0.16b, v8.16b
    add_data v1.16b, v9.16b
    add_data v2.16b, v10.16b
    add_data v3.16b, v11.16b
    ld1     {v8.16b - v11.16b}, [in], #64
    add_data v4.16b, v8.16b
    add_data v5.16b, v9.16b
    add_data v6.16b, v10.16b
    add_data v7.16b, v11.16b
    store_eight out
    subs    ngroups, ngroups, #1
    b.ne    .L\of\()_loop
    b       .Ldone\@
.Lno_data\@:
    add_last_key EIGHT
    store_eight out
    subs    ngroups, ngroups, #1
    b.ne    .L\of\()_loop
.Ldone\@:
.endm

/* void runnel_aes_aarch64_table_groups(const uint8_t *keys, size_t rounds, const uint8_t *from, uint8_t *out,
 *                                      const uint8_t *in, size_t ngroups, uint8_t *store, uint8x16_t first)
 * The blocks at `from` with `first` in place of the first key. What they are after the first round goes to store. */
function runnel_aes_aarch64_table_groups, 5
    save_d8_to 11
    mov     first, v0.16b
    load_keys
    find_entry entry, table_groups
    .p2align 5
.Ltable_groups_loop:
    ld1     {v0.16b - v3.16b}, [from], #64
    ld1     {v4.16b - v7.16b}, [from], #64
    round   first, EIGHT
    cbz     store, .Ltable_rest
    store_eight store
.Ltable_rest:
    br      entry
    finish_eight table_groups
    restore_d8_to 11
    ret
    landing_pads table_groups
endfunc

/* void runnel_aes_aarch64_counter_groups(const uint8_t *keys, size_t rounds, const uint8_t *block, uint8_t *out,
 *                                        const uint8_t *in, size_t ngroups, uint8_t *store)
 * Groups of counter blocks from `block` on, whose last byte is a multiple of 8 and does not overflow. What they are
 * after two rounds goes to store. */
#define zeroth    v12.16b
#define step      v13.16b
#define second    v14.16b
function runnel_aes_aarch64_counter_groups, 5
    save_d8_to 15
    ldr     q17, [from]
    load_keys
    ldp     q12, q14, [keys]
    movi    step, #8
    movi    v0.16b, #0
    ext     step, v0.16b, step, #1
    eor     first, counter, zeroth
    adr     from, .Lzero_to_seven
    add     upper, from, #64
    find_entry entry, counter_groups
    add     entry_2, entry, #1 << LOG_ENTRY_BYTES
    .p2align 5
.Lcounter_groups_loop:
    ld1     {v0.16b - v3.16b}, [from]
    ld1     {v4.16b - v7.16b}, [upper]
    round   first, EIGHT
    add     counter, counter, step
    eor     first, counter, zeroth
    cbz     store, .Lcounter_rest
    round   second, EIGHT
    store_eight store
    br      entry_2
.Lcounter_rest:
    br      entry
    finish_eight counter_groups
    restore_d8_to 15
    ret
    landing_pads counter_groups
endfunc

/* void runnel_aes_aarch64_little_groups(const uint8_t *keys, size_t rounds, const uint8_t *block, uint8_t *out,
 *                                       const uint8_t *in, size_t ngroups)
 * Groups of counter blocks from `block` on, whose first four bytes count, little-endian. */
function runnel_aes_aarch64_little_groups, 5
    save_d8_to 13
    ldr     q17, [from]
    load_keys
    ldr     q16, [keys]
    movi    v12.4s, #8
    movi    v13.16b, #0
    mov     v13.s[0], v12.s[0]
    adr     from, .Llittle_zero_to_seven
    add     upper, from, #64
    find_entry entry, little_groups
    .p2align 5
.Llittle_groups_loop:
    ld1     {v0.16b - v3.16b}, [from]
    ld1     {v4.16b - v7.16b}, [upper]
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
    add     v\n\().4s, v\n\().4s, v17.4s
    .endr
    add     v17.4s, v17.4s, v13.4s
    round   first, EIGHT
    br      entry
    finish_eight little_groups
    restore_d8_to 13
    ret
    landing_pads little_groups
endfunc

/* void runnel_aes_aarch64_few(const uint8_t *keys, size_t rounds, const uint8_t *from, uint8_t *out,
 *                             const uint8_t *in, size_t nblocks)
 * 1 to 7 of the blocks at `from`.
 * void runnel_aes_aarch64_few_counters(const uint8_t *keys, size_t rounds, const uint8_t *block, uint8_t *out,
 *                                      const uint8_t *in, size_t nblocks)
 * 1 to 8 counter blocks from `block` on, whose last byte does not overflow.
 * 10, 12 or 14 rounds in both. With 10 the first key is in v21, before that of the round after it. */
#define first_of_10 v21.16b

.macro load_10
    ld1     {v21.16b - v24.16b}, [keys], #64
    ld1     {v25.16b - v28.16b}, [keys], #64
    ld1     {v29.16b - v31.16b}, [keys]
.endm

/* rounds was compared with 12 before this and the next. */
.macro load_longer
    ldr     q16, [keys], #16
    b.eq    .Lof_12\@
    ldp     q18, q19, [keys], #32
.Lof_12\@:
    ld1     {v20.16b - v23.16b}, [keys], #64
    ld1     {v24.16b - v27.16b}, [keys], #64
    ld1     {v28.16b - v31.16b}, [keys]
.endm

.macro longer_rounds blocks:vararg
    round   first, \blocks
    b.eq    .Lof_12\@
    round   v18.16b, \blocks
    round   v19.16b, \blocks
.Lof_12\@:
    round   v20.16b, \blocks
    round   v21.16b, \blocks
.endm

.macro rounds_in_common blocks:vararg
    .irp    key, v22.16b, v23.16b, v24.16b, v25.16b, v26.16b, v27.16b, v28.16b, v29.16b
    round   \key, \blocks
    .endr
    last_round \blocks
.endm

.macro add_four x0, x1, x2, x3
    add_data \x0, v4.16b
    .ifnb   \x1
    add_data \x1, v5.16b
    .endif
    .ifnb   \x2
    add_data \x2, v6.16b
    add_data \x3, v7.16b
    .endif
.endm

/* 2^log blocks, if nblocks has that bit; the data come into v4 and on. */
.macro some_blocks log, registers, data, blocks:vararg
    tbz     nblocks, #\log, .Ldone\@
    ld1     {\registers}, [from], #(16 << \log)
    .irp    x, \blocks
    add     \x, \x, counter
    .endr
    cmp     rounds, #12
    b.ge    .Llonger\@
    round   first_of_10, \blocks
    b       .Lin_common\@
.Llonger\@:
    longer_rounds \blocks
.Lin_common\@:
    rounds_in_common \blocks
    cbz     in, .Lno_data\@
    ld1     {\data}, [in], #(16 << \log)
    add_four \blocks
    st1     {\registers}, [out], #(16 << \log)
    b       .Ldone\@
.Lno_data\@:
    add_last_key \blocks
    st1     {\registers}, [out], #(16 << \log)
.Ldone\@:
.endm

function runnel_aes_aarch64_few_counters, 5
    tbz     nblocks, #3, .Lfewer_than_8
    ldr     q0, [from]
    adr     address, .Lone_to_four
    ld1     {v4.16b - v7.16b}, [address]
    add     v1.16b, v0.16b, v4.16b
    add     v2.16b, v0.16b, v5.16b
    add     v3.16b, v0.16b, v6.16b
    add     v4.16b, v0.16b, v7.16b
    add     v5.16b, v1.16b, v7.16b
    add     v6.16b, v2.16b, v7.16b
    add     v7.16b, v3.16b, v7.16b
    cmp     rounds, #12
    b.ge    .Leight_longer
    load_10
    round   first_of_10, EIGHT
.Leight_in_common:
    rounds_in_common EIGHT
    cbz     in, .Leight_without_data
    ld1     {v16.16b - v19.16b}, [in], #64
    ld1     {v20.16b - v23.16b}, [in]
    add_data v0.16b, v16.16b
    add_data v1.16b, v17.16b
    add_data v2.16b, v18.16b
    add_data v3.16b, v19.16b
    add_data v4.16b, v20.16b
    add_data v5.16b, v21.16b
    add_data v6.16b, v22.16b
    add_data v7.16b, v23.16b
    store_eight out
    ret
.Leight_without_data:
    add_last_key EIGHT
    store_eight out
    ret
.Leight_longer:
    load_longer
    longer_rounds EIGHT
    b       .Leight_in_common
.Lfewer_than_8:
    ldr     q17, [from]
    adr     from, .Lzero_to_seven
    b       .Lfew
endfunc

function runnel_aes_aarch64_few, 5
    movi    counter, #0
.Lfew:
    cmp     rounds, #12
    b.ge    .Llonger
    load_10
    b       .Lsome
.Llonger:
    load_longer
.Lsome:
    some_blocks 2, "v0.16b - v3.16b", "v4.16b - v7.16b", FOUR
    some_blocks 1, "v0.16b, v1.16b", "v4.16b, v5.16b", TWO
    some_blocks 0, v0.16b, v4.16b, ONE
    ret
endfunc

/* Blocks with a number in the last byte. */
    .p2align 6
.Lzero_to_seven:
    .xword  0, 0
.Lone_to_four:
    .irp    n, 1, 2, 3, 4, 5, 6, 7
    .xword  0, \n << 56
    .endr
/* And in the first four. */
.Llittle_zero_to_seven:
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7
    .xword  \n, 0
    .endr

#endif
