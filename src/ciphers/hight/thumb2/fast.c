/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for Thumb-2 with the DSP instructions: what surrounds the assembly, and what the counter blocks of a run have
 * in common. */
#include "arch/common/bytes.h"
#include "ciphers/hight/kernels.h"

#if RUNNEL_THUMB2_DSP

#include "job.h"

static void hight_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_hight_thumb2_encrypt(state, out, in, nblocks, NULL);
}

#define WORTH 6 /* from so many blocks on, pairs are faster */

static void hight_xor_few(const void *state, const uint8_t *block, uint32_t counter, uint8_t *out, const uint8_t *in,
                          size_t nblocks)
{
    uint8_t blocks[8 * (WORTH - 1)];
    for (size_t i = 0; i < nblocks; i++) {
        memcpy(blocks + 8 * i, block, 4);
        runnel_store32be(blocks + 8 * i + 4, counter + (uint32_t)i);
    }
    runnel_hight_thumb2_encrypt(state, out, blocks, nblocks, in);
}

static void hight_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                        size_t nblocks)
{
    (void)prefix;
    uint32_t counter = runnel_load32be(block + 4);
    /* Not with run_bits: that takes 0.1 % longer for 4 KiB, two runs. */
    while (nblocks > 0) {
        const size_t most = 256 - (counter & 0xff), n = nblocks < most ? nblocks : most;
        if (n < WORTH) {
            hight_xor_few(state, block, counter, out, in, n);
        } else {
            runnel_hight_thumb2_pairs run;
            runnel_hight_thumb2_begin_pairs(&run, state, runnel_load32le(block), counter);
            runnel_hight_thumb2_ctr_pairs(&run, out, in, n);
            runnel_wipe_words(run.words, HIGHT_PAIR_WORDS);
        }
        counter += (uint32_t)n;
        out += 8 * n;
        in = in == NULL ? NULL : in + 8 * n;
        nblocks -= n;
    }
}

const runnel_kernel runnel_hight_thumb2 = {
    .name = RUNNEL_TEXT("thumb2"),
    .citation = RUNNEL_TEXT("two bytes in a word, UADD8; the counter's constants of the first seven rounds"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks, .ctr32 = hight_ctr32},
};

#endif
