/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for RV32: what surrounds the assembly. */
#include "ciphers/lea/kernels.h"

#if RUNNEL_RISCV_WORDS

#include "arch/common/aligned.h"
#include "job.h"

static inline const uint32_t *lea_end_of(const runnel_lea_schedule *schedule)
{
    return schedule->words + LEA_RV32_EACH * schedule->rounds;
}

void runnel_lea_rv32_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    const uint32_t *const end = lea_end_of(schedule);
    uint32_t aligned[4];
    uint8_t *const bytes = (uint8_t *)aligned;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
            runnel_lea_rv32_block(schedule->words, out, end, in);
            continue;
        }
        memcpy(aligned, in, 16);
        runnel_lea_rv32_block(schedule->words, bytes, end, bytes);
        memcpy(out, aligned, 16);
        runnel_wipe(aligned, sizeof aligned);
    }
}

#if RUNNEL_RISCV_ROTATES
static inline void lea_set_list(lea_rv32_run *run, const uint32_t *words, const uint32_t x[4])
{
    uint32_t all[LEA_FIRST_ROUNDS_WORDS];
    runnel_lea_set_first_rounds(all, words, x[0], x[1], x[2], LEA_RV32_EACH);
    run->list[0] = all[LEA_1_X2];
    run->list[1] = all[LEA_2_X1];
    run->list[2] = all[LEA_2_X3];
    run->list[3] = all[LEA_3_X3];
    run->list[4] = all[LEA_3_X0];
    run->list[5] = all[LEA_4_X3];
}
#else
/* Returns a sum, shifted. What a rotation would bring to the top is the same in all blocks of the run; it is XORed into
 * the keys that the next round XORs to the sum. */
static inline uint32_t lea_spare(uint32_t sum, unsigned bits, uint32_t *key, uint32_t *next_key)
{
    const uint32_t top = sum << (32 - bits);
    *key ^= top;
    if (next_key != NULL)
        *next_key ^= top;
    return sum >> bits;
}

/* The byte that counts is the highest of its word, and carries only go up: in the first four rounds the lowest bits of
 * the sums that are rotated to the right do not change in a run, so that the assembly only shifts them. */
static inline void lea_set_list(lea_rv32_run *run, const uint32_t *words, const uint32_t x[4])
{
    uint32_t *const l = run->list;
    runnel_lea_set_first_rounds(l, words, x[0], x[1], x[2], LEA_RV32_EACH);
    uint32_t x1, x2 = lea_spare((x[3] ^ l[LEA_1_K5]) + l[LEA_1_X2], 3, &l[LEA_2_K3], &l[LEA_2_K4]);
    x1 = lea_spare(l[LEA_2_X1] + (x2 ^ l[LEA_2_K3]), 5, &l[LEA_3_K1], &l[LEA_3_K2]);
    x2 = lea_spare((x2 ^ l[LEA_2_K4]) + l[LEA_2_X3], 3, &l[LEA_3_K3], &l[LEA_3_K4]);
    x1 = lea_spare((x1 ^ l[LEA_3_K2]) + (x2 ^ l[LEA_3_K3]), 5, &l[LEA_4_K1], &l[LEA_4_K2]);
    x2 = lea_spare((x2 ^ l[LEA_3_K4]) + l[LEA_3_X3], 3, &l[LEA_4_K3], &l[LEA_4_K4]);
    l[LEA_5_X1] = l[LEA_5_X2] = 0;
    lea_spare((x1 ^ l[LEA_4_K2]) + (x2 ^ l[LEA_4_K3]), 5, &l[LEA_5_X1], NULL);
    lea_spare((x2 ^ l[LEA_4_K4]) + l[LEA_4_X3], 3, &l[LEA_5_X2], NULL);
}
#endif

static inline void lea_load_block(uint32_t x[4], const uint8_t *block)
{
    if (((uintptr_t)block & 3) == 0) { /* as a context's is */
        memcpy(x, __builtin_assume_aligned(block, 4), 16);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        x[i] = runnel_load32le(block + 4 * i);
}

void runnel_lea_rv32_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                           size_t nblocks)
{
    (void)prefix;
    const runnel_lea_schedule *schedule = state;
    const uint32_t *const end = lea_end_of(schedule);
    uint32_t x[4];
    lea_load_block(x, block);
    if (nblocks == 1) { /* nothing to share */
        uint8_t *const bytes = (uint8_t *)x;
        runnel_lea_rv32_block(schedule->words, bytes, end, bytes);
        runnel_xor_bytes(out, in, bytes, 16);
        runnel_wipe_words(x, 4);
        return;
    }
    lea_rv32_run run;
    run.keys = schedule->words + 4 * LEA_RV32_EACH;
    run.end = end;
    run.counter = x[3];
    lea_set_list(&run, schedule->words, x);
    runnel_xor_aligned(runnel_lea_rv32_blocks, &run, out, in, nblocks, 16);
    runnel_wipe_words(run.list, LEA_RV32_LIST_WORDS);
}

#if RUNNEL_RV32

const runnel_kernel runnel_lea_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("KS X 3246, four blocks at once; the first rounds' constants once a call"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = runnel_lea_rv32_set_key,
    .block = {.encrypt_blocks = runnel_lea_rv32_encrypt_blocks, .ctr32 = runnel_lea_rv32_ctr32},
};

#endif
#endif
