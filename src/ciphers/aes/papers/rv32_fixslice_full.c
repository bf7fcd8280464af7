/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fully fixsliced: the omitted ShiftRows are never made up for. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_RV32

#define HALF full
#define LEFT_OUT(round, rounds) ((void)(rounds), (round) % 4)

#include "rv32_fixslice_count.h"

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    aes_count(state, block, out, in, nblocks);
}

const runnel_kernel runnel_aes_rv32_fixslice_full = {
    .name = RUNNEL_TEXT("rv32-fixslice-full"),
    .citation = RUNNEL_TEXT(SOURCE),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32},
};

#endif
