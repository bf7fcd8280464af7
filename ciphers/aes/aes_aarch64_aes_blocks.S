/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The inner loops of aes_aarch64_aes.c: AES by AESE and AESMC, 8 blocks at a time.
 *
 * AESE adds its key before the S-box. So what all blocks of a run share costs nothing: a table's entry is loaded as the
 * state, and the run's constant comes in with the first key. Only the last key is left to be XORed, with the data.
 * Loads and stores move four registers. AESE and AESMC of a block stand side by side, for processors that fuse them.
 *
 * Registers: v0 to v7 blocks; v16 the first key; v18 to v31 those after it, up to the last one in v31: a cipher with
 * fewer rounds enters the chain of rounds further down. */
#if defined(__aarch64__) && defined(__ELF__)

    .arch armv8-a+crypto
    .text

/* Arguments. */
#define keys      x0 /* the first round key */
#define rounds    x1 /* how many follow: 8 to 14 */
#define out       x2
#define in        x3 /* or 0 */
#define from      x4
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

.macro add_data x, data
    eor     \data, \data, last
    eor     \x, \x, \data
.endm

.macro load_keys
    mov     skipped, #14
    sub     skipped, skipped, rounds
    add     address, keys, #16
    adr     entry, 1f
    add     entry, entry, skipped, lsl #2
    br      entry
1:  .irp    key, v18.16b, v19.16b, v20.16b, v21.16b, v22.16b, v23.16b
    ld1     {\key}, [address], #16
    .endr
    ld1     {v24.16b - v27.16b}, [address], #64
    ld1     {v28.16b - v31.16b}, [address]
.endm

/* Where to enter a chain of 2^blocks_log blocks. */
.macro find_entry to, chain, blocks_log
    adr     \to, \chain
    add     \to, \to, skipped, lsl #3 + \blocks_log
.endm

.macro store_eight pointer
    st1     {v0.16b - v3.16b}, [\pointer], #64
    st1     {v4.16b - v7.16b}, [\pointer], #64
.endm

/* From the first key's round on to the output, on 8 blocks, and back to `again` for the next ones. */
.macro finish_eight again, chain
\chain:
    chain   EIGHT
    last_round EIGHT
    cbz     in, 3f
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
    b.ne    \again
    b       4f
3:  add_last_key EIGHT
    store_eight out
    subs    ngroups, ngroups, #1
    b.ne    \again
4:
.endm

/* void runnel_aes_aarch64_table_groups(const uint8_t *keys, size_t rounds, uint8_t *out, const uint8_t *in,
 *                                      const uint8_t *from, size_t ngroups, uint8_t *store, uint8x16_t first)
 * The blocks at `from` with `first` in place of the first key. What they are after the first round goes to store. */
    .globl  runnel_aes_aarch64_table_groups
    .hidden runnel_aes_aarch64_table_groups
    .type   runnel_aes_aarch64_table_groups, %function
    .p2align 5
runnel_aes_aarch64_table_groups:
    stp     d8, d9, [sp, #-32]!
    stp     d10, d11, [sp, #16]
    mov     first, v0.16b
    load_keys
    find_entry entry, table_chain, 3
    .p2align 5
table_loop:
    ld1     {v0.16b - v3.16b}, [from], #64
    ld1     {v4.16b - v7.16b}, [from], #64
    round   first, EIGHT
    cbz     store, 2f
    store_eight store
2:  br      entry
    finish_eight table_loop, table_chain
    ldp     d10, d11, [sp, #16]
    ldp     d8, d9, [sp], #32
    ret
    .size   runnel_aes_aarch64_table_groups, . - runnel_aes_aarch64_table_groups

/* void runnel_aes_aarch64_counter_groups(const uint8_t *keys, size_t rounds, uint8_t *out, const uint8_t *in,
 *                                        const uint8_t *from, size_t ngroups, uint8_t *store, uint8x16_t counter)
 * Groups of the counter blocks `counter`, whose number in the run is a multiple of 8, and on; from: 8 blocks with 0 to
 * 7 in the last byte. What they are after two rounds goes to store. */
#define zeroth    v12.16b
#define step      v13.16b
#define second    v14.16b
    .globl  runnel_aes_aarch64_counter_groups
    .hidden runnel_aes_aarch64_counter_groups
    .type   runnel_aes_aarch64_counter_groups, %function
    .p2align 5
runnel_aes_aarch64_counter_groups:
    stp     d8, d9, [sp, #-64]!
    stp     d10, d11, [sp, #16]
    stp     d12, d13, [sp, #32]
    str     d14, [sp, #48]
    mov     counter, v0.16b
    load_keys
    ldp     q12, q14, [keys]
    movi    step, #8
    movi    v0.16b, #0
    ext     step, v0.16b, step, #1
    eor     first, counter, zeroth
    add     upper, from, #64
    find_entry entry, counter_chain, 3
    add     entry_2, entry, #64
    .p2align 5
counter_loop:
    ld1     {v0.16b - v3.16b}, [from]
    ld1     {v4.16b - v7.16b}, [upper]
    round   first, EIGHT
    add     counter, counter, step
    eor     first, counter, zeroth
    cbz     store, 2f
    round   second, EIGHT
    store_eight store
    br      entry_2
2:  br      entry
    finish_eight counter_loop, counter_chain
    ldr     d14, [sp, #48]
    ldp     d12, d13, [sp, #32]
    ldp     d10, d11, [sp, #16]
    ldp     d8, d9, [sp], #64
    ret
    .size   runnel_aes_aarch64_counter_groups, . - runnel_aes_aarch64_counter_groups

/* void runnel_aes_aarch64_few(const uint8_t *keys, size_t rounds, uint8_t *out, const uint8_t *in,
 *                             const uint8_t *from, size_t nblocks, uint8x16_t counter)
 * 1 to 8 of the blocks at `from`, to which counter is added byte by byte. */
.macro start blocks:vararg
    .irp    x, \blocks
    add     \x, \x, counter
    .endr
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
.macro some_blocks log, chain, registers, data, blocks:vararg
    tbz     nblocks, #\log, 4f
    ld1     {\registers}, [from], #(16 << \log)
    start   \blocks
    round   first, \blocks
    find_entry entry, \chain, \log
    br      entry
\chain:
    chain   \blocks
    last_round \blocks
    cbz     in, 3f
    ld1     {\data}, [in], #(16 << \log)
    add_four \blocks
    st1     {\registers}, [out], #(16 << \log)
    b       4f
3:  add_last_key \blocks
    st1     {\registers}, [out], #(16 << \log)
4:
.endm

    .globl  runnel_aes_aarch64_few
    .hidden runnel_aes_aarch64_few
    .type   runnel_aes_aarch64_few, %function
    .p2align 5
runnel_aes_aarch64_few:
    mov     counter, v0.16b
    ldr     q16, [keys]
    load_keys
    tbz     nblocks, #3, few_than_eight
    ld1     {v0.16b - v3.16b}, [from], #64
    ld1     {v4.16b - v7.16b}, [from]
    start EIGHT
    round   first, EIGHT
    find_entry entry, eight_chain, 3
    br      entry
eight_chain:
    chain   EIGHT
    last_round EIGHT
    cbz     in, 3f
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
3:  add_last_key EIGHT
    store_eight out
    ret
few_than_eight:
    some_blocks 2, four_chain, "v0.16b - v3.16b", "v4.16b - v7.16b", FOUR
    some_blocks 1, two_chain, "v0.16b, v1.16b", "v4.16b, v5.16b", TWO
    some_blocks 0, one_chain, v0.16b, v4.16b, ONE
    ret
    .size   runnel_aes_aarch64_few, . - runnel_aes_aarch64_few

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
