/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest HIGHT for Thumb-2, without the DSP instructions (Cortex-M3 and later). Counter mode is left to
 * core/counter.c. */
#include "ciphers/hight/kernels.h"

#if RUNNEL_THUMB2

/* small_blocks.S */
void runnel_hight_thumb2_small_blocks(const void *schedule, uint8_t *out, const uint8_t *in, size_t nblocks);

const runnel_kernel runnel_hight_thumb2_small = {
    .name = RUNNEL_TEXT("thumb2-small"),
    .citation = RUNNEL_TEXT("TTAS.KO-12.0040, two bytes in a word"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_set_key,
    .block = {.encrypt_blocks = runnel_hight_thumb2_small_blocks},
};

#endif
