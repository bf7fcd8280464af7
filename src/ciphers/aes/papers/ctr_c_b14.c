/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C, all of it, and what changes with b14 alone. */
#define CTR_C_KEEPS_RD2 1
#define CTR_C_KEEPS_RD1_PLUS 1
#define CTR_C_KEEPS_OVER_B14 1
#include "ctr_c.h"

_Static_assert(sizeof(memory) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_ctr_c_b14), "what kernels.inc says");

const runnel_kernel runnel_aes_ctr_c_b14 = {
    .name = RUNNEL_TEXT("ctr-c-b14"),
    .citation = RUNNEL_TEXT("AES-CTR-C (Park, Paik, Lee, 2011), all and section 3.2: State[2], State[3]"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = runnel_aes_ttable_encrypt_blocks,
              .ctr32 = ctr32,
              .nonce = nonce,
              .prefix_used = prefix_used,
              .decrypt_key = runnel_aes_ttable_decrypt_key,
              .decrypt_blocks = runnel_aes_ttable_decrypt_blocks},
};
