/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C, version 1: the columns of the block and of round 1 that stay the same. */
#define CTR_C_KEEPS_RD2 0
#define CTR_C_KEEPS_RD1_PLUS 0
#include "ctr_c.h"

_Static_assert(sizeof(memory) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_ctr_c_1), "what kernels.inc says");

const runnel_kernel runnel_aes_ctr_c_1 = {
    .name = RUNNEL_TEXT("ctr-c-1"),
    .citation = RUNNEL_TEXT("AES-CTR-C (Park, Paik, Lee, 2011), version 1: rd0, rd1"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = runnel_aes_ttable_encrypt_blocks,
              .ctr32 = ctr32,
              .prefix_used = prefix_used,
              .decrypt_key = runnel_aes_ttable_decrypt_key,
              .decrypt_blocks = runnel_aes_ttable_decrypt_blocks},
};
