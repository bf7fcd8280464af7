/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of the bitsliced RV32 kernels, and their way through a message. */
#include "fixslice.h"

#if RUNNEL_RV32

#define PLANE uint32_t
#define UNROLLED AES_RV32_UNROLLED
#define TRANSPOSE_BITS void runnel_aes_rv32_transpose
#include "arch/common/transpose.h"

#define LONGEST_BATCH 128

uint32_t runnel_aes_rv32_sub_word(uint32_t word)
{
    uint32_t planes[8];
    AES_RV32_UNROLLED
    for (unsigned j = 0; j < 8; j++)
        planes[j] = aes_rv32_bit(word, j);
    runnel_aes_rv32_sub_bytes(planes);
    word = 0x01010101u * AES_RV32_NOTS;
    AES_RV32_UNROLLED
    for (unsigned j = 0; j < 8; j++)
        word ^= aes_rv32_bit(planes[j], 0) << j;
    aes_rv32_wipe(planes, 8);
    return word;
}

void runnel_aes_rv32_sub_block(uint32_t words[4])
{
    uint32_t planes[8] = {words[0], words[1], words[2], words[3]};
    runnel_aes_rv32_transpose(planes);
    runnel_aes_rv32_sub_bytes(planes);
    runnel_aes_rv32_transpose(planes);
    AES_RV32_UNROLLED
    for (unsigned c = 0; c < 4; c++)
        words[c] = planes[c] ^ 0x01010101u * AES_RV32_NOTS;
    aes_rv32_wipe(planes, 8);
}

void runnel_aes_rv32_expand(uint32_t *words, const uint32_t *end, size_t key_bytes);

unsigned runnel_aes_rv32_expand_key(uint32_t w[60], const uint8_t *key, size_t key_bytes)
{
    const unsigned rounds = (unsigned)key_bytes / 4 + 6;
    memcpy(w, key, key_bytes);
    runnel_aes_rv32_expand(w, w + 4 * (rounds + 1), key_bytes);
    return rounds;
}

void runnel_aes_rv32_two_rounds(uint32_t x[4], const uint32_t keys[12])
{
    for (int c = 0; c < 4; c++)
        x[c] ^= keys[c];
    for (int round = 1; round <= 2; round++) {
        uint32_t s[4];
        runnel_aes_rv32_sub_block(x);
        aes_rv32_copy(s, x, 4);
        AES_RV32_UNROLLED
        for (unsigned c = 0; c < 4; c++)
            x[c] = aes_rv32_mix_column(aes_rv32_column_back(s, c, 3)) ^ keys[4 * round + (int)c];
        aes_rv32_wipe(s, 4);
    }
}

static const uint32_t aes_zeros[LONGEST_BATCH / 4];

static void aes_run_to_buffer(aes_rv32_job *job, aes_rv32_loop loop, uint32_t *buffer)
{
    job->out = (uint8_t *)buffer;
    job->in = (const uint8_t *)aes_zeros;
    job->in_step = 0;
    job->batches = 1;
    loop(job);
}

void runnel_aes_rv32_run(aes_rv32_job *job, aes_rv32_loop loop, size_t batch_bytes, uint8_t *out, const uint8_t *in,
                         size_t batches)
{
    if (aes_rv32_is_aligned(out) && aes_rv32_is_aligned(in)) {
        job->out = out;
        job->in = in != NULL ? in : (const uint8_t *)aes_zeros;
        job->in_step = in != NULL ? batch_bytes : 0;
        job->batches = batches;
        loop(job);
        return;
    }
    uint32_t buffer[LONGEST_BATCH / 4];
    for (; batches > 0; batches--) {
        aes_run_to_buffer(job, loop, buffer);
        runnel_xor_bytes(out, in, (const uint8_t *)buffer, batch_bytes);
        out += batch_bytes;
        if (in != NULL)
            in += batch_bytes;
    }
    aes_rv32_wipe(buffer, LONGEST_BATCH / 4);
}

void runnel_aes_rv32_run_part(aes_rv32_job *job, aes_rv32_loop loop, uint8_t *out, const uint8_t *in, size_t first,
                              size_t count)
{
    uint32_t buffer[LONGEST_BATCH / 4];
    aes_run_to_buffer(job, loop, buffer);
    runnel_xor_bytes(out, in, (const uint8_t *)buffer + 16 * first, 16 * count);
    aes_rv32_wipe(buffer, LONGEST_BATCH / 4);
}

#endif
