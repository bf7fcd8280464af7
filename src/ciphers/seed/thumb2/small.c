/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest SEED for Thumb-2 (Cortex-M3 and later), for processors without a data cache: it looks up bytes in the
 * two S-boxes. Counter mode is left to core/counter.c. */
#include "arch/common/offsets.h"
#include "ciphers/seed/kernels.h"

#if RUNNEL_THUMB2

RUNNEL_CHECK_OFFSET(runnel_seed_schedule, words, 0);

/* small_blocks.S */
void runnel_seed_thumb2_small_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_seed_thumb2_small_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks);

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, runnel_seed_thumb2_small_key, runnel_seed_reverse)

const runnel_kernel runnel_seed_thumb2_small = {
    .name = RUNNEL_TEXT("thumb2-small"),
    .citation = RUNNEL_TEXT("RFC 4269"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_seed_thumb2_small_key,
    .block = {.encrypt_blocks = runnel_seed_thumb2_small_blocks,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, runnel_seed_thumb2_small_blocks)},
};

#endif
