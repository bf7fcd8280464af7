/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on RV32I, fixsliced, two blocks at a time, semi and fully. Included by the file of each kernel, which defines
 * HALF, semi or full, and LEFT_OUT(round, rounds): how many ShiftRows are omitted in a round. */
#include "ciphers/aes/rv32/fixslice.h"

#define SOURCE "fixslicing: Adomnicai, Peyrin, TCHES 2021/1; S-box: Boyar, Peralta, Calik"

#define PAIRS_(half) runnel_aes_rv32_##half##_pairs
#define PAIRS_OF(half) PAIRS_(half)
#define PAIRS PAIRS_OF(HALF)

void PAIRS(aes_rv32_job *job);

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t words[60];
    const unsigned rounds = runnel_aes_rv32_expand_key(words, key, key_bytes);
    s->rounds = (uint8_t)rounds;
    for (unsigned r = 0; r <= rounds; r++)
        runnel_aes_rv32_pack_key(s->keys.words + 8 * r, words + 4 * r, LEFT_OUT(r, rounds), r > 0);
    aes_rv32_wipe(words, 60);
}

static void aes_start(aes_rv32_job *job, const runnel_aes_schedule *s)
{
    job->keys = s->keys.words + 8;
    job->last = s->keys.words + 8 * (s->rounds - 1u);
    job->last_3 = NULL;
    if (s->rounds == 12)
        job->last_3 = s->keys.words + 8 * 9;
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    aes_rv32_job job;
    aes_start(&job, s);
    if ((uintptr_t)in % 4 == 0 && nblocks >= 2) {
        job.from = in;
        job.from_step = 32;
        runnel_aes_rv32_run(&job, PAIRS, 32, out, NULL, nblocks / 2);
        in += nblocks / 2 * 32;
        out += nblocks / 2 * 32;
        nblocks %= 2;
    }
    job.from = job.words;
    job.from_step = 0;
    while (nblocks > 0) {
        const size_t n = nblocks < 2 ? 1 : 2;
        aes_rv32_load_block(job.words, in);
        aes_rv32_load_block(job.words + 4, in + 16 * (n - 1));
        runnel_aes_rv32_run_part(&job, PAIRS, out, NULL, 0, n);
        aes_rv32_wipe(job.words, 8);
        in += 16 * n;
        out += 16 * n;
        nblocks -= n;
    }
}
