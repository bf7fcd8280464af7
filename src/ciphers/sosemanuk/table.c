/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK with the products of a byte by alpha and by its inverse in tables, as specified. Secrets index them, so
 * this is constant-time only on processors without a data cache. */
#include "kernels.h"

#include "tables.h"

#include "steps.h"

const runnel_kernel runnel_sosemanuk_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("Berbain and others 2005, with its two tables"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_sosemanuk_set_key,
    .stream = {.iv = runnel_sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks},
    RUNNEL_BATCH_ON_X86_64(runnel_sosemanuk_batch_avx2)
};
