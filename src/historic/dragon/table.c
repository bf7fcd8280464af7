/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon with its two tables of 1 KiB looked up by secrets. */
#include "kernels.h"

static inline uint32_t dragon_s1(uint8_t x)
{
    return runnel_flash32(&runnel_dragon_s1[x]);
}

static inline uint32_t dragon_s2(uint8_t x)
{
    return runnel_flash32(&runnel_dragon_s2[x]);
}

#include "steps.h"

const runnel_kernel runnel_dragon_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("the specification"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = dragon_set_key,
    .stream = {.iv = dragon_set_iv, .xor_blocks = dragon_xor_blocks},
};
