/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR on RV32I, fixsliced, two blocks at a time, from their state after round 2.
 *
 * In a run, the blocks that differ in their last byte b alone, the state after two rounds is table[b] XOR what is the
 * same for the whole run (Park, Lee, FACE, TCHES 2018/3). Here both are kept packed, which saves packing, counting,
 * whitening and two rounds. The table depends on the key and on bytes 0, 5 and 10 of the counter block; it is built
 * eight blocks at a time when they first come up, and cheaply: b changes four bytes after round 1, one in each row, so
 * four pairs of blocks share the two S-box passes. */
#include "fixslice.h"

#if RUNNEL_RV32

#define TABLE table[RUN / 2][8]
#define SHARED_WORDS 8
#include "prefix.h"

_Static_assert(sizeof(aes_prefix) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_rv32_prefix), "prefix tables");

#define SHORT 6 /* blocks of a message for which no table is made, as it may be the nonce's only one */

void runnel_aes_rv32_fill_pairs(uint32_t entries[4][8], uint32_t column, unsigned b, unsigned v);
static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t words[60];
    const unsigned rounds = runnel_aes_rv32_expand_key(words, key, key_bytes);
    s->rounds = (uint8_t)rounds;
    runnel_aes_rv32_pack_keys(s->keys.words, words, rounds);
    aes_rv32_wipe(words, 60);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    runnel_aes_rv32_encrypt_pairs(s->keys.words, s->rounds, out, in, nblocks);
}

/* Row r of a round key's bytes that lie (1 + phase) r columns further on: of key 0 those that ShiftRows brings into column
 * 0, of key 1 that column. */
static uint32_t aes_column_of_key(const uint32_t planes[8], unsigned phase, uint32_t nots)
{
    uint32_t column = nots;
    for (unsigned r = 0; r < 4; r++) {
        const unsigned at = 8 * r + 2 * ((1 + phase) * r % 4);
        AES_RV32_UNROLLED
        for (unsigned j = 0; j < 8; j++)
            column ^= (planes[j] >> at & 1) << (8 * r + j);
    }
    return column;
}

/* Fills in what all blocks of the run share, from its block number 2 * pair. */
static void aes_set_shared(aes_rv32_job *job, aes_prefix *p, const runnel_aes_schedule *s, const uint32_t first[4],
                           unsigned pair)
{
    uint32_t planes[8], x[4];
    aes_rv32_copy(x, first, 4);
    x[3] |= (uint32_t)pair << 25;
    runnel_aes_rv32_pack_key(planes, x, aes_rv32_phase(s->rounds), 0);
    aes_rv32_start_pairs(job, s->keys.words, s->rounds, 1);
    job->from = planes;
    job->last_3 = job->keys;
    aes_rv32_copy(job->words, s->keys.words, 8);
    runnel_aes_rv32_prefix_pairs(job);
    AES_RV32_UNROLLED
    for (unsigned j = 0; j < 8; j++) {
        const uint32_t even = p->table[pair][j] & 0x55555555;
        p->shared[j] = job->words[j] ^ even ^ even << 1;
    }
    aes_keep_run(p, first);
    aes_rv32_wipe(planes, 8);
}

/* Notes what table the block would want. Returns whether that is another than the last time. */
static int aes_is_first_sight(aes_prefix *p, const uint8_t *block)
{
    if (p->set && aes_same_column(p->bytes, block))
        return 0;
    aes_keep_column(p->bytes, block);
    p->set = AES_SEEN;
    p->filled = 0;
    return 1;
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    aes_prefix *p = prefix;
    if (p == NULL || (nblocks <= SHORT && aes_is_first_sight(p, block))) {
        runnel_aes_rv32_count_pairs(s->keys.words, s->rounds, block, out, in, nblocks);
        return;
    }
    const unsigned v = (2 + aes_rv32_phase(s->rounds)) % 4;
    if (!aes_column_is_set(p, block))
        aes_open_column(p, aes_column_of_key(s->keys.words, aes_rv32_phase(s->rounds), 0),
                        aes_column_of_key(s->keys.words + 8, aes_rv32_phase(s->rounds), 0x01010101u * AES_RV32_NOTS),
                        block, v == 3);
    uint32_t first[4];
    aes_rv32_load_block(first, block);
    uint32_t high = runnel_load32be(block + 12);
    unsigned b = high % RUN;
    high -= b;
    aes_rv32_job job;
    /* Not with run_bits: without this loop the compiled code takes 0.2 % longer for 4 KiB. */
    for (;;) {
        const size_t in_run = nblocks < RUN - b ? nblocks : RUN - b;
        for (unsigned g = b / GROUP; g <= (b + in_run - 1) / GROUP; g++) {
            if (p->filled >> g & 1)
                continue;
            runnel_aes_rv32_fill_pairs(p->table + 4 * g, p->column_0, 8 * g ^ p->key_15, v);
            p->filled |= (uint32_t)1 << g;
        }
        runnel_store32be((uint8_t *)&first[3], high);
        if (!aes_run_is_set(p, first))
            aes_set_shared(&job, p, s, first, b / 2);
        aes_rv32_start_pairs(&job, s->keys.words, s->rounds, 3);
        aes_rv32_copy(job.words, p->shared, 8);
        for (size_t n, left = in_run; left > 0; left -= n) {
            job.from = p->table[b / 2];
            if (b % 2 || left < 2) {
                n = 1;
                runnel_aes_rv32_run_part(&job, runnel_aes_rv32_prefix_pairs, out, in, b % 2, n);
            } else {
                n = left / 2 * 2;
                runnel_aes_rv32_run(&job, runnel_aes_rv32_prefix_pairs, 32, out, in, n / 2);
            }
            b += (unsigned)n;
            out += 16 * n;
            in = in == NULL ? NULL : in + 16 * n;
        }
        nblocks -= in_run;
        if (nblocks == 0)
            break;
        b = 0;
        high += RUN;
    }
    aes_rv32_wipe(job.words, 8);
}

const runnel_kernel runnel_aes_rv32_prefix = {
    .name = RUNNEL_TEXT("rv32-prefix"),
    .citation = RUNNEL_TEXT("fixslicing: Adomnicai, Peyrin, TCHES 2021/1; prefix caching after FACE, TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32, .prefix_used = aes_prefix_used},
};

#endif
