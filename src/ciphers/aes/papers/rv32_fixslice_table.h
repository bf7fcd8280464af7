/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fixsliced kernels with a quarter of the table of "Implementation of Fixslicing AES-CTR Speed Optimized Using
 * Pre-Computed on 32-Bit RISC-V" (JKIISC 32/1, 2022), which rv32_table4k.h has whole. Included as rv32_fixslice.h, which it
 * includes.
 *
 * The paper's table is 4 x 256 words: up to the S-box of round 2 the state falls into four columns (before ShiftRows),
 * each of which depends on one byte of the counter alone, for one key and nonce. In a run of 256 blocks only the last of
 * these bytes moves. So only its 256 words are made, and one word each of the three others for the run: a block takes as
 * many words, and making them is a sixth of the work. A pair of blocks takes five words, restores the order of their
 * bytes, packs them, and continues at MixColumns of round 2.
 *
 * The 256 words: what the byte moves is 256 bytes in round 1 and 4 x 256 in round 2, 40 passes of 32 S-boxes. */
#include "ciphers/aes/column.h"
#include "rv32_fixslice_count.h"

#define TABLE_SOURCE "after the table of JKIISC 32/1, 2022, a quarter of it; " SOURCE

/* In the context. Key set-up zeroes the first 8 bytes; the rest is undefined until `set` says otherwise. */
typedef struct aes_table {
    uint8_t set;             /* 1: all is defined */
    uint8_t column_bytes[3]; /* bytes 0, 5 and 10 of the counter blocks that the table belongs to */
    uint32_t unused;
    uint32_t keys[8];     /* round keys 0 and 1 as FIPS 197 has them */
    uint32_t run[4];      /* a run: its first counter block, */
    uint32_t columns[3];  /* and columns 1 to 3 of all its blocks after the S-box of round 2 */
    uint32_t column[256]; /* column 0 by the last byte; S-boxes without NOTs, as in columns */
} aes_table;

_Static_assert(sizeof(aes_table) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_rv32_fixslice_full_table), "prefix tables");

void runnel_aes_rv32_sub_to_table(const uint32_t planes[8], unsigned added, uint8_t *out);

/* Unpacks keys 0 and 1, of which LEFT_OUT is 0 and 1. */
static void aes_set_table_keys(aes_table *table, const runnel_aes_schedule *s)
{
    uint32_t x[16], columns[4];
    aes_rv32_copy(x, s->keys.words, 16);
    runnel_aes_rv32_transpose(x);
    runnel_aes_rv32_transpose(x + 8);
    for (unsigned c = 0; c < 4; c++) {
        table->keys[c] = x[2 * c];
        columns[c] = x[8 + 2 * c];
    }
    for (unsigned c = 0; c < 4; c++)
        table->keys[4 + c] = aes_rv32_column_back(columns, c, 3) ^ 0x01010101u * AES_RV32_NOTS;
    aes_rv32_wipe(x, 16);
    aes_rv32_wipe(columns, 4);
}

/* The 32 bytes from b = 32 g on, XOR `added`: planes of bits. */
static inline void aes_count_planes(uint32_t x[8], unsigned g, uint32_t added)
{
    static const uint32_t low[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
    AES_RV32_UNROLLED
    for (unsigned j = 0; j < 8; j++)
        x[j] = (j < 5 ? low[j] : -(g >> (j - 5) & 1)) ^ -(added >> j & 1);
}

/* The last byte is row 3 of column 0 in MixColumns of round 1: rows take it once, once, three times and twice. The rest of
 * the column is column_0. */
static void aes_fill_column(aes_table *table, uint32_t column_0)
{
    for (unsigned g = 0; g < 8; g++) {
        uint32_t x[8], twice[8];
        uint8_t *const out = (uint8_t *)(table->column + 32 * g);
        aes_count_planes(x, g, table->keys[3] >> 24);
        runnel_aes_rv32_sub_bytes(x);
        runnel_aes_rv32_sub_to_table(x, column_0, out);
        runnel_aes_rv32_sub_to_table(x, column_0 >> 8, out + 1);
        AES_RV32_UNROLLED
        for (unsigned j = 0; j < 8; j++)
            twice[j] = (j > 0 ? x[j - 1] : 0) ^ (0x1b >> j & 1 ? x[7] : 0);
        AES_RV32_UNROLLED
        for (unsigned j = 0; j < 8; j++)
            x[j] ^= twice[j];
        runnel_aes_rv32_sub_to_table(x, column_0 >> 16, out + 2);
        runnel_aes_rv32_sub_to_table(twice, column_0 >> 24, out + 3);
        aes_rv32_wipe(x, 8);
        aes_rv32_wipe(twice, 8);
    }
}

/* Sets what the run that has this block has in common. Returns column 0 after round 1 without the last byte's part. */
static uint32_t aes_set_run(aes_table *table, const uint32_t first[4])
{
    uint32_t x[4], y[4];
    aes_rv32_copy(table->run, first, 4);
    for (unsigned c = 0; c < 4; c++)
        x[c] = first[c] ^ table->keys[c];
    runnel_aes_rv32_sub_block(x);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t column = aes_rv32_column_back(x, c, 3);
        if (c == 0)
            column = (column & 0xffffff) | (uint32_t)AES_RV32_NOTS << 24; /* the NOTs that aes_fill_column leaves out */
        y[c] = aes_rv32_mix_column(column) ^ table->keys[4 + c];
    }
    const uint32_t column_0 = y[0];
    runnel_aes_rv32_sub_block(y);
    for (unsigned c = 1; c < 4; c++)
        table->columns[c - 1] = y[c] ^ 0x01010101u * AES_RV32_NOTS;
    aes_rv32_wipe(x, 4);
    aes_rv32_wipe(y, 4);
    return column_0;
}

/* The first block of the run that this block is of. */
static inline void aes_load_first(uint32_t first[4], const uint8_t *block)
{
    aes_rv32_load_block(first, block);
    first[3] &= 0x00ffffff;
}

static inline int aes_is_run(const aes_table *table, const uint32_t first[4])
{
    return table->run[0] == first[0] && table->run[1] == first[1] && table->run[2] == first[2] &&
           table->run[3] == first[3];
}

static void aes_fill_table(const void *state, void *prefix, const uint8_t *block)
{
    aes_table *table = prefix;
    uint32_t first[4];
    aes_load_first(first, block);
    if (table->set && aes_is_run(table, first))
        return;
    if (!table->set)
        aes_set_table_keys(table, state);
    const uint32_t column_0 = aes_set_run(table, first);
    if (table->set && aes_same_column(table->column_bytes, block))
        return;
    aes_fill_column(table, column_0);
    aes_keep_column(table->column_bytes, block);
    table->set = 1;
}

/* Tells whether the table is this block's. */
static inline int aes_table_fits(const aes_table *table, const uint8_t *block)
{
    return table != NULL && table->set && aes_same_column(table->column_bytes, block);
}

/* Blocks of one run. */
static inline void aes_look_up(const runnel_aes_schedule *s, aes_table *table, const uint8_t *block, uint8_t *out,
                               const uint8_t *in, size_t nblocks)
{
    uint32_t first[4];
    aes_load_first(first, block);
    if (!aes_is_run(table, first))
        aes_set_run(table, first);
    aes_rv32_job job;
    aes_start(&job, s);
    job.from = table->column;
    job.from_step = AES_RV32_LOOK_UP;
    aes_rv32_copy(job.words + 1, table->columns, 3);
    uint32_t b = block[15];
    while (nblocks > 0) {
        size_t n = nblocks;
        job.words[0] = b & ~(uint32_t)1;
        if (b % 2 || n == 1) {
            n = 1;
            runnel_aes_rv32_run_part(&job, PAIRS, out, in, b % 2, 1);
        } else {
            n = n / 2 * 2;
            runnel_aes_rv32_run(&job, PAIRS, 32, out, in, n / 2);
        }
        b += (uint32_t)n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
        nblocks -= n;
    }
    aes_rv32_wipe(job.words, 4);
}

static uint32_t aes_table_used(const void *prefix)
{
    const aes_table *table = prefix;
    return table->set ? sizeof *table : 8;
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    if (aes_table_fits(prefix, block))
        aes_look_up(state, prefix, block, out, in, nblocks);
    else
        aes_count(state, block, out, in, nblocks);
}
