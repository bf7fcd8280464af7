/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode through all rounds, a run of 256 blocks at a time. Included as rv32_fixslice.h, which it includes. */
#include "rv32_fixslice.h"

static RUNNEL_NOINLINE void aes_count(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out,
                                      const uint8_t *in, size_t nblocks)
{
    aes_rv32_job job;
    aes_start(&job, s);
    job.from = job.words;
    job.from_step = 0;
    aes_rv32_load_block(job.words, block);
    aes_rv32_copy(job.words + 4, job.words, 4);
    uint32_t counter = runnel_load32be(block + 12);
    while (nblocks > 0) {
        size_t n = nblocks;
        runnel_store32be((uint8_t *)&job.words[3], counter);
        runnel_store32be((uint8_t *)&job.words[7], counter + 1);
        if (n == 1) {
            runnel_aes_rv32_run_part(&job, PAIRS, out, in, 0, 1);
        } else {
            n = n / 2 * 2;
            runnel_aes_rv32_run(&job, PAIRS, 32, out, in, n / 2);
        }
        counter += (uint32_t)n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
        nblocks -= n;
    }
}
