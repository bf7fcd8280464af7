/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by table look-ups for Thumb-1 (Cortex-M0, M0+ and M23): table_blocks.S. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_THUMB1

/* The second half of an entry is not used. */
extern const uint32_t runnel_aes_thumb1_table_entries[256][2];
#define AES_TABLE_BLOCKS runnel_aes_thumb1_table_blocks
#define AES_TABLE_ENTRY(x) runnel_aes_thumb1_table_entries[x][0]
#define AES_TABLE_SIZES RUNNEL_AES_SIZES_thumb1_table
#define AES_TABLE_WANTS_WORDS
#include "ciphers/aes/one_table.h"

const runnel_kernel runnel_aes_thumb1_table = {
    .name = RUNNEL_TEXT("thumb1-table"),
    .citation = RUNNEL_TEXT("one rotated table, its mask the rotation; FACE's rd2+: Park, Lee, TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .run_bits = 8,
    .key = runnel_aes_ttable_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32, .prefix_used = aes_prefix_used},
};

#endif
