/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 in constant time on every processor: each look-up reads all 256 entries. Slow. */
#include "kernels.h"

#include "arch/common/lookup.h"

static inline uint32_t hc128_look_up_entry(const uint32_t *table, unsigned index)
{
    return runnel_find32(table, 256, index);
}

#include "steps.h"

const runnel_kernel runnel_hc128_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("Wu 2004, with look-ups that read the whole table"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hc128_set_key,
    .stream = {.iv = hc128_set_iv, .xor_blocks = hc128_xor_blocks},
};
