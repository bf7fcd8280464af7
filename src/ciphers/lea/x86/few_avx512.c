/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arch/x86/target.h"
#include "few_avx512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512vl")
#define VECTOR_AVX512
#include "arch/x86/blocks_256.h"
#include "rounds.h"

TARGET void runnel_lea_encrypt_few(const runnel_lea_schedule *schedule, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (schedule->rounds == 24)
        lea_encrypt_sets(schedule, 4, 1, out, in, nblocks);
    else
        lea_encrypt_sets(schedule, 6, 1, out, in, nblocks);
}

TARGET void runnel_lea_xor_few(const runnel_lea_schedule *schedule, const uint8_t *block, uint8_t *out,
                               const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    if (schedule->rounds == 24)
        lea_xor_set(schedule, 4, block, out, in, nblocks, leftover);
    else
        lea_xor_set(schedule, 6, block, out, in, nblocks, leftover);
}

#endif
