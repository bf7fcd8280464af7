/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fully fixsliced: the omitted ShiftRows are never made up for. With the table. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_RV32

#define HALF full
#define LEFT_OUT(round, rounds) ((void)(rounds), (round) % 4)

#include "rv32_fixslice_table.h"

const runnel_kernel runnel_aes_rv32_fixslice_full_table = {
    .name = RUNNEL_TEXT("rv32-fixslice-full-table"),
    .citation = RUNNEL_TEXT(TABLE_SOURCE),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .ctr32 = aes_ctr32,
              .nonce = aes_fill_table,
              .prefix_used = aes_table_used},
};

#endif
