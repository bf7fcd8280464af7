/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Semi-fixsliced: ShiftRows twice in even rounds but the last, where it comes after the key. With the table. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_RV32

#define HALF semi
#define LEFT_OUT(round, rounds) ((round) == (rounds) ? 2 : (round) % 2)

#include "rv32_fixslice_table.h"

const runnel_kernel runnel_aes_rv32_fixslice_semi_table = {
    .name = RUNNEL_TEXT("rv32-fixslice-semi-table"),
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
