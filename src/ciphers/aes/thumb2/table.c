/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by table look-ups for Thumb-2 (Cortex-M3 and later): table_blocks.S. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_THUMB2

extern const uint32_t runnel_aes_thumb2_table_entries[256];
#define AES_TABLE_BLOCKS runnel_aes_thumb2_table_blocks
#define AES_TABLE_ENTRY(x) runnel_aes_thumb2_table_entries[x]
#define AES_TABLE_SIZES RUNNEL_AES_SIZES_thumb2_table
#include "ciphers/aes/one_table.h"

const runnel_kernel runnel_aes_thumb2_table = {
    .name = RUNNEL_TEXT("thumb2-table"),
    .citation = RUNNEL_TEXT("one rotated table: Schwabe, Stoffelen, SAC 2016; FACE's rd2+: Park, Lee, TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .run_bits = 8,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32, .prefix_used = aes_prefix_used},
};

#endif
