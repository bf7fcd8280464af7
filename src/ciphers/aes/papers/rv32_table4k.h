/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of "Implementation of Fixslicing AES-CTR Speed Optimized Using Pre-Computed on 32-Bit RISC-V" (JKIISC
 * 32/1, 2022), with its table of 4 KiB. Included by the file of each, as rv32_fixslice.h, which it includes.
 *
 * The counter is four bytes of the block. In the paper they are the first four, the first of which changes fastest: the
 * layout le32. Up to the S-box of round 2 each of them moves one column of its own. So four tables of 256 words hold
 * whatever a counter can make of these two rounds under one key and nonce. They are made before the first block of a
 * nonce is encrypted, in 128 passes over two blocks (section 3.2), and are never made again for that nonce. A pair of
 * blocks takes five words from them and continues behind the S-box of round 2 (section 3.3).
 *
 * Round 1 omits ShiftRows, so that the four bytes which a counter byte moves are in four columns. ShiftRows brings them
 * into one before they are stored, and its inverse takes that back after they are loaded. The paper has the same two steps
 * but calls the first the inverse.
 *
 * In the layouts that count at the end of the block, its last four bytes take the place of the first. */
#include "rv32_fixslice.h"

#define TABLE_SOURCE "four tables, JKIISC 32/1, 2022, section 3; " SOURCE

/* In the context. Key set-up zeroes the first 8 bytes; the rest is undefined until `set` says otherwise. */
typedef struct aes_tables {
    uint8_t set;              /* 1: all is defined */
    uint8_t little;           /* 1: the first four bytes count; 0: the last four */
    uint32_t nonce[3];        /* the other twelve */
    uint32_t columns[4][256]; /* by the byte that moves the column; S-boxes without NOTs */
} aes_tables;

_Static_assert(sizeof(aes_tables) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_rv32_fixslice_full_table4k), "prefix tables");

void runnel_aes_rv32_fill_table4k(aes_rv32_job *job);

/* In a block: the word that counts, and the first of the three that do not. */
static inline unsigned aes_counter_word(int little)
{
    return little ? 0 : 3;
}

static inline unsigned aes_nonce_word(int little)
{
    return little ? 1 : 0;
}

static void aes_fill_tables(aes_tables *t, const runnel_aes_schedule *s, const uint32_t block[4], int little)
{
    aes_rv32_job job;
    aes_rv32_copy(job.words, block, 4);
    aes_rv32_copy(job.words + 4, block, 4);
    uint32_t *const counter = job.words + aes_counter_word(little);
    counter[0] = 0;
    counter[4] = 0x01010101;
    job.from = counter;
    job.keys = s->keys.words;
    job.out = (uint8_t *)t->columns[2];
    job.batches = 128;
    runnel_aes_rv32_fill_table4k(&job);
    aes_rv32_copy(t->nonce, block + aes_nonce_word(little), 3);
    t->little = (uint8_t)little;
    t->set = 1;
}

static inline int aes_tables_fit(const aes_tables *t, const uint32_t block[4], int little)
{
    const uint32_t *const nonce = block + aes_nonce_word(little);
    return t->set && t->little == little && t->nonce[0] == nonce[0] && t->nonce[1] == nonce[1] &&
           t->nonce[2] == nonce[2];
}

static void aes_look_up(const runnel_aes_schedule *s, const aes_tables *t, uint32_t counter, int little, uint8_t *out,
                        const uint8_t *in, size_t nblocks)
{
    aes_rv32_job job;
    aes_start(&job, s);
    job.from = t->columns[2];
    /* The counter's bytes, from the fastest on, move columns 0, 3, 2 and 1; at the block's end 0, 1, 2 and 3. */
    job.from_step = (little ? 22 : 6) - 32;
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

static inline void aes_store_counter(uint32_t *word, uint32_t counter, int little)
{
    if (little)
        runnel_store32le((uint8_t *)word, counter);
    else
        runnel_store32be((uint8_t *)word, counter);
}

/* Where there is no memory for tables. */
static void aes_go_all_rounds(const runnel_aes_schedule *s, const uint32_t block[4], uint32_t counter, int little,
                              uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t blocks[8];
    aes_rv32_copy(blocks, block, 4);
    aes_rv32_copy(blocks + 4, block, 4);
    aes_rv32_job job;
    aes_start(&job, s);
    job.from = blocks;
    job.from_step = 0;
    for (size_t n; nblocks > 0; nblocks -= n) {
        n = nblocks < 2 ? 1 : 2;
        aes_store_counter(blocks + aes_counter_word(little), counter, little);
        aes_store_counter(blocks + 4 + aes_counter_word(little), counter + 1, little);
        runnel_aes_rv32_run_part(&job, PAIRS, out, in, 0, n);
        counter += 2;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
}

static void aes_count(const void *state, void *prefix, const uint8_t *block, int little, uint8_t *out,
                      const uint8_t *in, size_t nblocks)
{
    uint32_t words[4];
    aes_rv32_load_block(words, block);
    const uint32_t counter = little ? words[0] : runnel_load32be(block + 12);
    if (prefix == NULL) {
        aes_go_all_rounds(state, words, counter, little, out, in, nblocks);
        return;
    }
    if (!aes_tables_fit(prefix, words, little))
        aes_fill_tables(prefix, state, words, little);
    aes_look_up(state, prefix, counter, little, out, in, nblocks);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    aes_count(state, prefix, block, 0, out, in, nblocks);
}

static void aes_ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    aes_count(state, prefix, block, 1, out, in, nblocks);
}

static uint32_t aes_tables_used(const void *prefix)
{
    const aes_tables *t = prefix;
    return t->set ? sizeof *t : 8;
}
