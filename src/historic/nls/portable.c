/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2 without secret addresses: each look-up reads the whole table, which follows no rule that could be computed. */
#include "kernels.h"

static inline uint32_t nls_s_box(uint8_t x)
{
    return runnel_find32(runnel_nls_s_box, 256, x);
}

#include "steps.h"

const runnel_kernel runnel_nls_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("own: table read in full, register in a window that moves"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = nls_set_key,
    .stream = {.iv = nls_set_iv, .xor_blocks = nls_xor_blocks},
};
