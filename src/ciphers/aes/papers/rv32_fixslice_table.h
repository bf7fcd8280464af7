/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fixsliced kernels with the table of "Implementation of Fixslicing AES-CTR Speed Optimized Using Pre-Computed on
 * 32-Bit RISC-V" (JKIISC 32/1, 2022). Included as rv32_fixslice.h, which it includes.
 *
 * The table: up to the S-box of round 2 the state falls into four columns (before ShiftRows), each of which depends on
 * one byte of the counter alone, for one key and nonce. 4 x 256 words are made at IV set-up; a block takes four of
 * them, restores the order of their bytes, packs them, and goes on at MixColumns of round 2. */
#include "rv32_fixslice.h"

#define TABLE_SOURCE "table of the first rounds: JKIISC 32/1, 2022; " SOURCE

/* In the context. Key set-up zeroes the first 8 bytes; the rest is undefined while set is 0. */
typedef struct aes_table {
    uint32_t set;
    uint32_t nonce[3];
    uint32_t columns[4][256]; /* by counter byte, the last one first; S-boxes without NOTs */
} aes_table;

_Static_assert(RUNNEL_AES_PREFIX_BYTES == 0 || sizeof(aes_table) <= RUNNEL_AES_PREFIX_BYTES, "prefix tables");

void runnel_aes_rv32_fill_table(aes_rv32_job *job);

static void fill_table(const void *state, void *prefix, const uint8_t *block)
{
    const runnel_aes_schedule *s = state;
    aes_table *table = prefix;
    if (table->set && memcmp(table->nonce, block, sizeof table->nonce) == 0)
        return;
    memcpy(table->nonce, block, sizeof table->nonce);
    table->set = 1;
    aes_rv32_job job;
    job.keys = s->keys.words + 8;
    job.out = (uint8_t *)table->columns;
    job.batches = 128;
    memcpy(job.words, table->nonce, 12);
    memcpy(job.words + 4, table->nonce, 12);
    job.words[3] = 0;
    job.words[7] = 0x01010101;
    runnel_aes_rv32_fill_table(&job);
}

/* Whether the table is this block's. */
static inline int table_fits(const aes_table *table, const uint8_t *block)
{
    return table != NULL && table->set && memcmp(table->nonce, block, sizeof table->nonce) == 0;
}

static inline void look_up(const runnel_aes_schedule *s, const aes_table *table, const uint8_t *block, uint8_t *out,
                           const uint8_t *in, size_t nblocks)
{
    aes_rv32_job job;
    start(&job, s);
    job.from = table->columns;
    job.from_step = AES_RV32_LOOK_UP;
    uint32_t counter = runnel_load32be(block + 12);
    while (nblocks > 0) {
        size_t n = nblocks;
        job.words[0] = counter & ~(uint32_t)1;
        if (counter % 2 || n == 1) {
            n = 1;
            runnel_aes_rv32_run_part(&job, PAIRS, out, in, counter % 2, 1);
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

static uint32_t table_used(const void *prefix)
{
    const aes_table *table = prefix;
    return table->set ? sizeof *table : 8;
}

static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                  size_t nblocks)
{
    if (table_fits(prefix, block))
        look_up(state, prefix, block, out, in, nblocks);
    else
        count(state, block, out, in, nblocks);
}
