/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fully fixsliced: the omitted ShiftRows are never made up for.
 * With the table of the paper. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_RV32

#define HALF full_table4k
#define LEFT_OUT(round, rounds) ((void)(rounds), (round) % 4)

#include "rv32_table4k.h"

const runnel_kernel runnel_aes_rv32_fixslice_full_table4k = {
    .name = RUNNEL_TEXT("rv32-fixslice-full-table4k"),
    .citation = RUNNEL_TEXT(TABLE_SOURCE),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .ctr32 = aes_ctr32,
              .ctr32_little = aes_ctr32_little,
              .prefix_used = aes_tables_used},
};

#endif
