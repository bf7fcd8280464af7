/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK for Thumb-2, with its two tables, for processors without a data cache: see fast_blocks.S. */
#include <string.h>

#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_THUMB2

/* fast_blocks.S */
void runnel_sosemanuk_thumb2_blocks(runnel_sosemanuk_state *s, uint8_t *out, const uint8_t *in, size_t nblocks);

static void sosemanuk_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    if (in == NULL) {
        memset(out, 0, nblocks * SOSEMANUK_BLOCK);
        in = out;
    }
    runnel_sosemanuk_thumb2_blocks(state, out, in, nblocks);
}

const runnel_kernel runnel_sosemanuk_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("Berbain and others 2005, with its two tables; the register in a ring of twice its length"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_sosemanuk_set_key,
    .stream = {.iv = runnel_sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks},
};

#endif
