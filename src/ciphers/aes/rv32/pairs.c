/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two blocks at a time through all rounds, fixsliced: what the prefix kernels do where their tables do not pay. */
#include "fixslice.h"

#if RUNNEL_RV32

void runnel_aes_rv32_pack_keys(uint32_t *packed, const uint32_t *words, unsigned rounds)
{
    for (unsigned r = 0; r <= rounds; r++)
        runnel_aes_rv32_pack_key(packed + 8 * r, words + 4 * r, (r + aes_rv32_phase(rounds)) % 4, r > 0);
}

static void aes_encrypt(const uint32_t *packed, unsigned rounds, uint8_t *out, const uint32_t blocks[8], size_t count)
{
    uint32_t planes[8];
    AES_RV32_UNROLLED
    for (unsigned c = 0; c < 4; c++) {
        planes[2 * c] = aes_rv32_column_back(blocks, c, aes_rv32_phase(rounds));
        planes[2 * c + 1] = aes_rv32_column_back(blocks + 4, c, aes_rv32_phase(rounds));
    }
    runnel_aes_rv32_transpose(planes);
    aes_rv32_job job;
    aes_rv32_start_pairs(&job, packed, rounds, 1);
    job.from = planes;
    aes_rv32_copy(job.words, packed, 8);
    if (count == 2) {
        runnel_aes_rv32_run(&job, runnel_aes_rv32_prefix_pairs, 32, out, NULL, 1);
    } else {
        runnel_aes_rv32_run(&job, runnel_aes_rv32_prefix_pairs, 32, (uint8_t *)planes, NULL, 1);
        memcpy(out, planes, 16);
    }
    aes_rv32_wipe(planes, 8);
    aes_rv32_wipe(job.words, 8);
}

void runnel_aes_rv32_encrypt_pairs(const uint32_t *packed, unsigned rounds, uint8_t *out, const uint8_t *in,
                                   size_t nblocks)
{
    while (nblocks > 0) {
        const size_t n = nblocks < 2 ? 1 : 2;
        uint32_t blocks[8];
        aes_rv32_load_block(blocks, in);
        aes_rv32_load_block(blocks + 4, in + 16 * (n - 1));
        aes_encrypt(packed, rounds, out, blocks, n);
        aes_rv32_wipe(blocks, 8);
        in += 16 * n;
        out += 16 * n;
        nblocks -= n;
    }
}

void runnel_aes_rv32_count_pairs(const uint32_t *packed, unsigned rounds, const uint8_t *block, uint8_t *out,
                                 const uint8_t *in, size_t nblocks)
{
    uint32_t blocks[8], buffer[8], counter = runnel_load32be(block + 12);
    aes_rv32_load_block(blocks, block);
    aes_rv32_copy(blocks + 4, blocks, 4);
    while (nblocks > 0) {
        const size_t n = nblocks < 2 ? 1 : 2;
        runnel_store32be((uint8_t *)&blocks[3], counter);
        runnel_store32be((uint8_t *)&blocks[7], counter + 1);
        aes_encrypt(packed, rounds, (uint8_t *)buffer, blocks, n);
        runnel_xor_bytes(out, in, (const uint8_t *)buffer, 16 * n);
        counter += 2;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
        nblocks -= n;
    }
    aes_rv32_wipe(buffer, 8);
}

#endif
