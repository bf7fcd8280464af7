/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on RV32I, fixsliced, two blocks at a time, semi and fully; plainly, and with the table of "Implementation of
 * Fixslicing AES-CTR Speed Optimized Using Pre-Computed on 32-Bit RISC-V" (JKIISC 32/1, 2022).
 *
 * The table: up to the S-box of round 2 the state falls into four columns (before ShiftRows), each of which depends on
 * one byte of the counter alone, for one key and nonce. 4 x 256 words are made at IV set-up; a block takes four of
 * them, restores the order of their bytes, packs them, and goes on at MixColumns of round 2. */
#include "ciphers/aes/rv32/fixslice.h"

#if RUNNEL_RV32

#define RUN 256 /* blocks that differ in their last byte alone */

/* In the context. Key set-up zeroes the first 8 bytes; the rest is undefined while set is 0. */
typedef struct aes_table {
    uint32_t set;
    uint32_t nonce[3];
    uint32_t columns[4][256]; /* by counter byte, the last one first; S-boxes without NOTs */
} aes_table;

_Static_assert(RUNNEL_AES_PREFIX_BYTES == 0 || sizeof(aes_table) <= RUNNEL_AES_PREFIX_BYTES, "prefix tables");

void runnel_aes_rv32_full_pairs(aes_rv32_job *job);
void runnel_aes_rv32_semi_pairs(aes_rv32_job *job);
void runnel_aes_rv32_fill_table(aes_rv32_job *job);

/* How many ShiftRows are left out in a round, if nothing makes up for them, and with ShiftRows twice in even rounds but
 * the last, where it comes after the key. */
static unsigned fully(unsigned round, unsigned rounds)
{
    (void)rounds;
    return round % 4;
}

static unsigned semi(unsigned round, unsigned rounds)
{
    return round == rounds ? 2 : round % 2;
}

static inline void set_key(runnel_aes_schedule *s, const uint8_t *key, size_t key_bytes,
                           unsigned (*left_out)(unsigned round, unsigned rounds))
{
    uint32_t words[60];
    const unsigned rounds = runnel_aes_rv32_expand_key(words, key, key_bytes);
    s->rounds = (uint8_t)rounds;
    for (unsigned r = 0; r <= rounds; r++)
        runnel_aes_rv32_pack_key(s->keys.words + 8 * r, words + 4 * r, left_out(r, rounds), r > 0);
    aes_rv32_wipe(words, 60);
}

static void set_full_key(void *state, const uint8_t *key, size_t key_bytes)
{
    set_key(state, key, key_bytes, fully);
}

static void set_semi_key(void *state, const uint8_t *key, size_t key_bytes)
{
    set_key(state, key, key_bytes, semi);
}

static void start(aes_rv32_job *job, const runnel_aes_schedule *s)
{
    job->keys = s->keys.words + 8;
    job->last = s->keys.words + 8 * (s->rounds - 1u);
    job->last_3 = NULL;
    if (s->rounds == 12)
        job->last_3 = s->keys.words + 8 * 9;
}

static inline void encrypt(const runnel_aes_schedule *s, aes_rv32_loop loop, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    aes_rv32_job job;
    start(&job, s);
    if ((uintptr_t)in % 4 == 0 && nblocks >= 2) {
        job.from = in;
        job.from_step = 32;
        runnel_aes_rv32_run(&job, loop, 32, out, NULL, nblocks / 2);
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
        runnel_aes_rv32_run_part(&job, loop, out, NULL, 0, n);
        aes_rv32_wipe(job.words, 8);
        in += 16 * n;
        out += 16 * n;
        nblocks -= n;
    }
}

static inline void count(const runnel_aes_schedule *s, aes_rv32_loop loop, const uint8_t *block, uint8_t *out,
                         const uint8_t *in, size_t nblocks)
{
    aes_rv32_job job;
    start(&job, s);
    job.from = job.words;
    job.from_step = 0;
    aes_rv32_load_block(job.words, block);
    aes_rv32_copy(job.words + 4, job.words, 4);
    uint32_t counter = runnel_load32be(block + 12);
    while (nblocks > 0) {
        const size_t in_run = RUN - counter % RUN;
        size_t n = nblocks < in_run ? nblocks : in_run;
        runnel_store32be((uint8_t *)&job.words[3], counter);
        runnel_store32be((uint8_t *)&job.words[7], counter + 1);
        if (n == 1) {
            runnel_aes_rv32_run_part(&job, loop, out, in, 0, 1);
        } else {
            n = n / 2 * 2;
            runnel_aes_rv32_run(&job, loop, 32, out, in, n / 2);
        }
        counter += (uint32_t)n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
        nblocks -= n;
    }
}

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

static inline void look_up(const runnel_aes_schedule *s, const aes_table *table, aes_rv32_loop loop, const uint8_t *block,
                           uint8_t *out, const uint8_t *in, size_t nblocks)
{
    aes_rv32_job job;
    start(&job, s);
    job.from = table->columns;
    job.from_step = AES_RV32_LOOK_UP;
    uint32_t counter = runnel_load32be(block + 12);
    while (nblocks > 0) {
        const size_t in_run = RUN - counter % RUN;
        size_t n = nblocks < in_run ? nblocks : in_run;
        job.words[0] = counter & ~(uint32_t)1;
        if (counter % 2 || n == 1) {
            n = 1;
            runnel_aes_rv32_run_part(&job, loop, out, in, counter % 2, 1);
        } else {
            n = n / 2 * 2;
            runnel_aes_rv32_run(&job, loop, 32, out, in, n / 2);
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

#define SOURCE "fixslicing: Adomnicai, Peyrin, TCHES 2021/1; S-box: Boyar, Peralta, Calik"
#define TABLE_SOURCE "table of the first rounds: JKIISC 32/1, 2022; " SOURCE

#define KERNELS(half, title)                                                                                           \
    static void encrypt_##half(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)                     \
    {                                                                                                                  \
        encrypt(state, runnel_aes_rv32_##half##_pairs, out, in, nblocks);                                              \
    }                                                                                                                  \
    static void ctr32_##half(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,   \
                             size_t nblocks)                                                                           \
    {                                                                                                                  \
        (void)prefix;                                                                                                  \
        count(state, runnel_aes_rv32_##half##_pairs, block, out, in, nblocks);                                         \
    }                                                                                                                  \
    static void ctr32_##half##_table(const void *state, void *prefix, const uint8_t *block, uint8_t *out,              \
                                     const uint8_t *in, size_t nblocks)                                                \
    {                                                                                                                  \
        if (table_fits(prefix, block))                                                                                 \
            look_up(state, prefix, runnel_aes_rv32_##half##_pairs, block, out, in, nblocks);                           \
        else                                                                                                           \
            count(state, runnel_aes_rv32_##half##_pairs, block, out, in, nblocks);                                     \
    }                                                                                                                  \
    const runnel_kernel runnel_aes_rv32_fixslice_##half = {                                                            \
        .name = RUNNEL_TEXT(title),                                                                                    \
        .citation = RUNNEL_TEXT(SOURCE),                                                                                 \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_CONSTANT_TIME,                                                                                \
        .key = set_##half##_key,                                                                                       \
        .block = {                                                                                                     \
            .encrypt_blocks = encrypt_##half,                                                                          \
            .ctr32 = ctr32_##half,                                                                                     \
        },                                                                                                             \
    };                                                                                                                 \
    const runnel_kernel runnel_aes_rv32_fixslice_##half##_table = {                                                    \
        .name = RUNNEL_TEXT(title "-table"),                                                                           \
        .citation = RUNNEL_TEXT(TABLE_SOURCE),                                                                           \
        .kind = RUNNEL_KIND_BLOCK,                                                                                     \
        .timing = RUNNEL_CONSTANT_TIME,                                                                                \
        .key = set_##half##_key,                                                                                       \
        .block = {                                                                                                     \
            .encrypt_blocks = encrypt_##half,                                                                          \
            .ctr32 = ctr32_##half##_table,                                                                             \
            .nonce = fill_table,                                                                                       \
            .prefix_used = table_used,                                                                                 \
        },                                                                                                             \
    };

KERNELS(full, "rv32-fixslice-full")
KERNELS(semi, "rv32-fixslice-semi")

#endif
