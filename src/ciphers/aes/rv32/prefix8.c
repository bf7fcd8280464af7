/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR on RV32I, bitsliced, eight blocks at a time (the layout of prefix8_groups.S), from their state after
 * round 2.
 *
 * In a run, the blocks that differ in their last byte b alone, the state after two rounds is table[b] XOR what is the
 * same for the whole run (Park, Lee, FACE, TCHES 2018/3). Both are kept packed. The table depends on the key and on
 * bytes 0, 5 and 10 of the counter block; a group of eight blocks is built when it first comes up, and costs less than
 * the rounds it replaces: b changes one byte of each row after round 1, and round 2 brings each of the four into a
 * column of its own. So one S-box pass over four columns serves all eight blocks. */
#include "fixslice.h"

#if RUNNEL_RV32 && RUNNEL_AES_SCHEDULE_BYTES >= 11 * 160

#define TABLE table[GROUPS][4][8]
#define SHARED_WORDS 32
#include "prefix.h"

_Static_assert(sizeof(aes_prefix) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_rv32_prefix8), "prefix tables");

void runnel_aes_rv32_prefix8_groups(aes_rv32_job *job);

/* In the schedule: packed round keys of 32 words; in place of the last one the key itself, then keys 0, 1 and 2; and all
 * keys packed for pairs, of 8 words. */
#define PACKED 32
#define PLAIN 4
#define MOST_IN_PAIRS 4 /* blocks: with five, eight at a time take less time than pairs */

static uint32_t *aes_packed_key(runnel_aes_schedule *s, unsigned round)
{
    return s->keys.words + PACKED * round;
}

static const uint32_t *aes_plain_keys(const runnel_aes_schedule *s)
{
    return s->keys.words + PACKED * s->rounds + PLAIN;
}

static const uint32_t *aes_pair_keys(const runnel_aes_schedule *s)
{
    return s->keys.words + PACKED * (s->rounds + 1u);
}

/* Words of 4 columns to the same bytes by rows, or back. */
static void aes_transpose_bytes(uint32_t x[4])
{
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t t = (x[i] >> 16 ^ x[i + 2]) & 0xffff;
        x[i + 2] ^= t;
        x[i] ^= t << 16;
    }
    for (unsigned i = 0; i < 4; i += 2) {
        const uint32_t t = (x[i] >> 8 ^ x[i + 1]) & 0x00ff00ff;
        x[i + 1] ^= t;
        x[i] ^= t << 8;
    }
}

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t words[60];
    const unsigned rounds = runnel_aes_rv32_expand_key(words, key, key_bytes);
    s->rounds = (uint8_t)rounds;
    for (unsigned r = 0; r < rounds; r++)
        runnel_aes_rv32_spread_block(aes_packed_key(s, r), words + 4 * r, r > 0 ? 0x01010101u * AES_RV32_NOTS : 0);
    AES_RV32_UNROLLED
    for (unsigned c = 0; c < 4; c++)
        aes_packed_key(s, rounds)[c] = words[4 * rounds + c] ^ 0x01010101u * AES_RV32_NOTS;
    aes_rv32_copy(aes_packed_key(s, rounds) + PLAIN, words, 12);
    runnel_aes_rv32_pack_keys(aes_packed_key(s, rounds + 1), words, rounds);
    aes_rv32_wipe(words, 60);
}

/* Makes the job continue at this round, with `shared` XORed to each group. */
static void aes_start_at(aes_rv32_job *job, const runnel_aes_schedule *s, unsigned round, const uint32_t shared[32])
{
    job->last_3 = shared;
    job->keys = s->keys.words + PACKED * round;
    job->last = s->keys.words + PACKED * s->rounds;
}

/* Eight blocks, of which count are wanted. */
static void aes_encrypt_group(const runnel_aes_schedule *s, uint8_t *out, const uint8_t *in, uint32_t blocks[8][4],
                              size_t count)
{
    uint32_t packed[4][8];
    for (unsigned b = 0; b < GROUP; b++) {
        uint32_t rows[4];
        aes_rv32_copy(rows, blocks[b], 4);
        aes_transpose_bytes(rows);
        for (unsigned r = 0; r < 4; r++)
            packed[r][b] = rows[r];
        aes_rv32_wipe(rows, 4);
    }
    for (unsigned r = 0; r < 4; r++)
        runnel_aes_rv32_transpose(packed[r]);
    aes_rv32_job job;
    aes_start_at(&job, s, 1, s->keys.words);
    job.from = packed;
    if (count == GROUP)
        runnel_aes_rv32_run(&job, runnel_aes_rv32_prefix8_groups, 128, out, in, 1);
    else
        runnel_aes_rv32_run_part(&job, runnel_aes_rv32_prefix8_groups, out, in, 0, count);
    aes_rv32_wipe(packed[0], 32);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    while (nblocks > MOST_IN_PAIRS) {
        const size_t n = nblocks < GROUP ? nblocks : GROUP;
        uint32_t blocks[GROUP][4];
        for (size_t i = 0; i < GROUP; i++)
            aes_rv32_load_block(blocks[i], in + 16 * (i < n ? i : 0));
        aes_encrypt_group(s, out, NULL, blocks, n);
        aes_rv32_wipe(blocks[0], 32);
        in += 16 * n;
        out += 16 * n;
        nblocks -= n;
    }
    runnel_aes_rv32_encrypt_pairs(aes_pair_keys(s), s->rounds, out, in, nblocks);
}

/* y = 2 x in the field, on planes. */
static inline void aes_double_planes(uint32_t y[8], const uint32_t x[8])
{
    AES_RV32_UNROLLED
    for (unsigned j = 0; j < 8; j++)
        y[j] = (j > 0 ? x[j - 1] : 0) ^ (0x1b >> j & 1 ? x[7] : 0);
}

/* Blocks b = 8 g to 8 g + 7. Byte c is column c of round 2's MixColumns, to which row -c brings what b moves. */
static inline void aes_fill_group(aes_prefix *p, unsigned g)
{
    const uint32_t b = 0x01010101u * (8 * g ^ p->key_15);
    uint32_t x[8], y[8];
    AES_RV32_UNROLLED
    for (unsigned j = 0; j < 8; j++)
        x[j] = aes_rv32_spread_bit(b, j);
    x[0] ^= 0xaaaaaaaa;
    x[1] ^= 0xcccccccc;
    x[2] ^= 0xf0f0f0f0;
    runnel_aes_rv32_sub_bytes(x);
    aes_double_planes(y, x);
    AES_RV32_UNROLLED
    for (unsigned j = 0; j < 8; j++) /* MixColumns of row 3: rows 0 and 1 once, 2 three times, 3 twice */
        y[j] = (x[j] & 0xffff00ff) ^ (y[j] & 0x00ffff00) ^ aes_rv32_spread_bit(p->column_0, j);
    runnel_aes_rv32_sub_bytes(y);
    aes_double_planes(x, y);
    for (unsigned r = 0; r < 4; r++) {
        /* Where this row takes its own byte, twice, and where that of the row below, three times. */
        const uint32_t own = (uint32_t)0xff << 8 * (-r % 4), below = (uint32_t)0xff << 8 * (-(r + 1) % 4);
        AES_RV32_UNROLLED
        for (unsigned j = 0; j < 8; j++)
            p->table[g][r][j] = (y[j] & ~own) ^ (x[j] & (own | below));
    }
    p->filled |= (uint32_t)1 << g;
    aes_rv32_wipe(x, 8);
    aes_rv32_wipe(y, 8);
}

/* Fills those of groups first to last that are missing. A function of its own, to save registers. */
static RUNNEL_NOINLINE void aes_fill_groups(aes_prefix *p, unsigned first, unsigned last)
{
    for (unsigned g = first; g <= last; g++)
        if (!(p->filled >> g & 1))
            aes_fill_group(p, g);
}

/* Fills in what all blocks of the run share, from its block number 8 * group. */
static RUNNEL_NOINLINE void aes_set_shared(aes_prefix *p, const uint32_t keys[12], const uint32_t first[4],
                                           unsigned group)
{
    uint32_t x[4];
    aes_rv32_copy(x, first, 4);
    x[3] |= (uint32_t)group << 27;
    runnel_aes_rv32_two_rounds(x, keys);
    runnel_aes_rv32_spread_block(p->shared, x, 0);
    for (unsigned i = 0; i < 32; i++)
        p->shared[i] ^= aes_rv32_spread_bit(p->table[group][i / 8][i % 8], 0);
    aes_keep_run(p, first);
    aes_rv32_wipe(x, 4);
}

static void aes_ctr32_without_prefix(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out,
                                     const uint8_t *in, size_t nblocks)
{
    uint32_t blocks[GROUP][4], counter = runnel_load32be(block + 12);
    for (unsigned i = 0; i < GROUP; i++)
        aes_rv32_load_block(blocks[i], block);
    while (nblocks > MOST_IN_PAIRS) {
        const size_t n = nblocks < GROUP ? nblocks : GROUP;
        for (unsigned i = 0; i < GROUP; i++)
            runnel_store32be((uint8_t *)&blocks[i][3], counter + i);
        aes_encrypt_group(s, out, in, blocks, n);
        counter += (uint32_t)n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
        nblocks -= n;
    }
    runnel_store32be((uint8_t *)&blocks[0][3], counter);
    runnel_aes_rv32_count_pairs(aes_pair_keys(s), s->rounds, (const uint8_t *)blocks[0], out, in, nblocks);
}

/* Blocks of one run by the tables. */
static void aes_xor_groups(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block, uint8_t *out,
                           const uint8_t *in, size_t nblocks)
{
    const uint32_t *keys = aes_plain_keys(s);
    uint32_t first[4];
    if (!aes_column_is_set(p, block))
        aes_open_column(p, (keys[0] & 0xff) | (keys[1] & 0xff00) | (keys[2] & 0xff0000) | (keys[3] & 0xff000000),
                        keys[4], block, 1);
    aes_rv32_load_block(first, block);
    unsigned b = block[15];
    first[3] &= 0x00ffffff;
    aes_rv32_job job;
    aes_start_at(&job, s, 3, p->shared);
    aes_fill_groups(p, b / GROUP, (b + (unsigned)nblocks - 1) / GROUP);
    if (!aes_run_is_set(p, first))
        aes_set_shared(p, keys, first, b / GROUP);
    for (size_t n; nblocks > 0; nblocks -= n) {
        job.from = p->table[b / GROUP];
        if (b % GROUP || nblocks < GROUP) {
            n = GROUP - b % GROUP;
            if (n > nblocks)
                n = nblocks;
            runnel_aes_rv32_run_part(&job, runnel_aes_rv32_prefix8_groups, out, in, b % GROUP, n);
        } else {
            n = nblocks / GROUP * GROUP;
            runnel_aes_rv32_run(&job, runnel_aes_rv32_prefix8_groups, 128, out, in, n / GROUP);
        }
        b += (unsigned)n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    if (prefix == NULL) {
        aes_ctr32_without_prefix(s, block, out, in, nblocks);
        return;
    }
    size_t rest = (block[15] + nblocks) % GROUP;
    if (nblocks <= MOST_IN_PAIRS)
        rest = nblocks;
    else if (rest > MOST_IN_PAIRS || rest > nblocks)
        rest = 0;
    nblocks -= rest;
    if (nblocks > 0)
        aes_xor_groups(s, prefix, block, out, in, nblocks);
    if (rest > 0) {
        uint8_t next[16];
        memcpy(next, block, 16);
        next[15] = (uint8_t)(next[15] + nblocks);
        runnel_aes_rv32_count_pairs(aes_pair_keys(s), s->rounds, next, out + 16 * nblocks,
                                    in == NULL ? NULL : in + 16 * nblocks, rest);
    }
}

const runnel_kernel runnel_aes_rv32_prefix8 = {
    .name = RUNNEL_TEXT("rv32-prefix8"),
    .citation = RUNNEL_TEXT("barrel layout: Adomnicai, Peyrin, TCHES 2021/1; prefix caching after FACE, TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32, .prefix_used = aes_prefix_used},
};

#endif
