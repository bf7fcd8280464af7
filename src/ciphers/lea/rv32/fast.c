/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for RV32: what surrounds the assembly. */
#include "ciphers/lea/kernels.h"

#if RUNNEL_RISCV_WORDS

#include "arch/common/aligned.h"
#include "job.h"

static inline const uint32_t *end_of(const runnel_lea_schedule *schedule)
{
    return schedule->words + LEA_RV32_EACH * schedule->rounds;
}

void runnel_lea_rv32_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    const uint32_t *const end = end_of(schedule);
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

/* Rounds 1 to 3 of the words that do not change. */
static void set_constants(lea_rv32_run *run, const uint32_t *words, const uint8_t *block)
{
    enum { K0, K1, K2, K3, K4 = LEA_RV32_EACH == 4 ? 3 : 4, K5 = LEA_RV32_EACH == 4 ? 1 : 5 };
    const uint32_t *const second = words + LEA_RV32_EACH, *const third = second + LEA_RV32_EACH;
    const uint32_t x0 = runnel_load32le(block), x1 = runnel_load32le(block + 4), x2 = runnel_load32le(block + 8);
    const uint32_t k3 = words[LEA_RV32_EACH == 4 ? K1 : K3];
    const uint32_t y0 = runnel_rotl32((x0 ^ words[K0]) + (x1 ^ words[K1]), 9);
    const uint32_t y1 = runnel_rotl32((x1 ^ words[K2]) + (x2 ^ k3), 27);
    const uint32_t z0 = runnel_rotl32((y0 ^ second[K0]) + (y1 ^ second[K1]), 9);
    run->constants[0] = x2 ^ words[K4];
    run->constants[1] = y1 ^ second[K2];
    run->constants[2] = x0 ^ second[K5];
    run->constants[3] = y0 ^ third[K5];
    run->constants[4] = z0 ^ third[K0];
    run->constants[5] = z0 ^ third[LEA_RV32_EACH + K5];
}

void runnel_lea_rv32_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                           size_t nblocks)
{
    (void)prefix;
    const runnel_lea_schedule *schedule = state;
    lea_rv32_run run = {.keys = schedule->words + 4 * LEA_RV32_EACH, .end = end_of(schedule)};
    set_constants(&run, schedule->words, block);
    run.counter = runnel_load32le(block + 12);
    runnel_xor_aligned(runnel_lea_rv32_blocks, &run, out, in, nblocks, 16);
    runnel_wipe(&run, sizeof run);
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
