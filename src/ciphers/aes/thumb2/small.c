/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest AES for Thumb-2 (Cortex-M3 and later), for processors without a data cache: it looks up bytes of the
 * state in the S-box. Counter mode is left to core/counter.c. */
#include "arch/common/offsets.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_THUMB2

/* small_blocks.S */
void runnel_aes_thumb2_small_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_aes_thumb2_small_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);

RUNNEL_CHECK_OFFSET(runnel_aes_schedule, rounds, 0);
RUNNEL_CHECK_OFFSET(runnel_aes_schedule, keys, RUNNEL_ALIGN);

const runnel_kernel runnel_aes_thumb2_small = {
    .name = RUNNEL_TEXT("thumb2-small"),
    .citation = RUNNEL_TEXT("AES Proposal, 5.1: Daemen, Rijmen"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_thumb2_small_key,
    .block = {.encrypt_blocks = runnel_aes_thumb2_small_blocks},
};

#endif
