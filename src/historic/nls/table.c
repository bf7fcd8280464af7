/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2 with its table of 1 KiB looked up by secrets. */
#include "kernels.h"

static inline uint32_t nls_s_box(uint8_t x)
{
    return runnel_flash32(&runnel_nls_s_box[x]);
}

#include "steps.h"

const runnel_kernel runnel_nls_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("the specification, register in a window that moves"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = nls_set_key,
    .stream = {.iv = nls_set_iv, .xor_blocks = nls_xor_blocks},
};
