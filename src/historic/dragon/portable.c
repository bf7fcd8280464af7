/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon without secret addresses: each look-up reads a whole table. The tables were found by a search; no formula
 * computes them. */
#include "kernels.h"

static inline uint32_t dragon_s1(uint8_t x)
{
    return runnel_find32(runnel_dragon_s1, 256, x);
}

static inline uint32_t dragon_s2(uint8_t x)
{
    return runnel_find32(runnel_dragon_s2, 256, x);
}

#include "steps.h"

const runnel_kernel runnel_dragon_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("own: tables read in full"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = dragon_set_key,
    .stream = {.iv = dragon_set_iv, .xor_blocks = dragon_xor_blocks},
};
