/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 as specified: secrets index its own state, so it is constant-time only on processors without a data cache. */
#include "kernels.h"

#if RUNNEL_WORD_BITS == 64 && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include "unrolled.h"
#else
static inline uint32_t hc128_look_up_entry(const uint32_t *table, unsigned index)
{
    return table[index];
}

#include "steps.h"
#endif

const runnel_kernel runnel_hc128_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("Wu 2004, step by step"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_hc128_set_key,
    .stream = {.iv = hc128_set_iv, .xor_blocks = hc128_xor_blocks},
    RUNNEL_BATCH_ON_X86_64(runnel_hc128_batch_avx2)
};
