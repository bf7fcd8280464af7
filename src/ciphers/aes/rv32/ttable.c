/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by tables for RV32: what surrounds the assembly. Aligned pairs of blocks go there directly, others through the
 * stack; a single block has its own code. */
#include "ciphers/aes/ttable.h"

#if RUNNEL_RV32

#include "arch/common/wipe.h"
#include "ttable.h"

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t *const words = s->keys.words;
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    for (size_t i = 0; i < key_bytes / 4; i++)
        words[i] = runnel_load32le(key + 4 * i);
    runnel_aes_rv32_ttable_expand(words, words + 4 * (s->rounds + 1u), key_bytes);
}

/* The term that one row contributes to a column in round 1 or 2, after ShiftRows. */
#define TERM(x, column, row) runnel_aes_rv32_ttable_tables.columns[row][x[((column) + (row)) % 4] >> 8 * (row) & 0xff]

/* The run of counter blocks from this one on. Its last byte is row 3 of column 3, which round 1 brings into column 0;
 * from there round 2 brings row r into column -r. */
static void aes_start_run(aes_rv32_run *run, const runnel_aes_schedule *s, const uint8_t *block, uint32_t number)
{
    const uint32_t *key = s->keys.words;
    const uint32_t x[4] = {runnel_load32le(block) ^ key[0], runnel_load32le(block + 4) ^ key[1],
                           runnel_load32le(block + 8) ^ key[2], aes_swap_bytes(number) ^ key[3]};
    const uint32_t y[4] = {0, TERM(x, 1, 0) ^ TERM(x, 1, 1) ^ TERM(x, 1, 2) ^ TERM(x, 1, 3) ^ key[5],
                           TERM(x, 2, 0) ^ TERM(x, 2, 1) ^ TERM(x, 2, 2) ^ TERM(x, 2, 3) ^ key[6],
                           TERM(x, 3, 0) ^ TERM(x, 3, 1) ^ TERM(x, 3, 2) ^ TERM(x, 3, 3) ^ key[7]};
    run->last_keys = key + 4 * (s->rounds - 7);
    run->flags = 16 * (s->rounds - 10u);
    run->column = TERM(x, 0, 0) ^ TERM(x, 0, 1) ^ TERM(x, 0, 2) ^ key[4];
    run->index = 4 * (number & 0xff);
    run->index_key = key[3] >> 24 << 2;
    run->constant[0] = TERM(y, 0, 1) ^ TERM(y, 0, 2) ^ TERM(y, 0, 3) ^ key[8];
    run->constant[1] = TERM(y, 1, 0) ^ TERM(y, 1, 1) ^ TERM(y, 1, 2) ^ key[9];
    run->constant[2] = TERM(y, 2, 0) ^ TERM(y, 2, 1) ^ TERM(y, 2, 3) ^ key[10];
    run->constant[3] = TERM(y, 3, 0) ^ TERM(y, 3, 2) ^ TERM(y, 3, 3) ^ key[11];
}

static int aes_aligned(const uint8_t *out, const uint8_t *in)
{
    return (((uintptr_t)out | (uintptr_t)in) & 3) == 0;
}

/* The pairs of one run; pairs that are not aligned go through the stack. */
static void aes_xor_pairs(aes_rv32_run *run, uint8_t *out, const uint8_t *in, size_t pairs)
{
    if (in != NULL && aes_aligned(out, in)) {
        runnel_aes_rv32_ttable_pairs(run, out, in, pairs);
        return;
    }
    for (; pairs > 0; pairs--) {
        uint32_t keystream[8] = {0};
        uint8_t *const bytes = (uint8_t *)keystream;
        runnel_aes_rv32_ttable_pairs(run, bytes, bytes, 1);
        runnel_xor_bytes(out, in, bytes, sizeof keystream);
        run->index += 8;
        out += 32;
        in = in == NULL ? NULL : in + 32;
        runnel_wipe(keystream, sizeof keystream);
    }
}

static void aes_xor_block(const runnel_aes_schedule *s, const uint8_t *block, uint32_t number, uint8_t *out,
                          const uint8_t *in)
{
    uint32_t x[4];
    memcpy(x, block, 12);
    x[3] = aes_swap_bytes(number);
    runnel_aes_rv32_ttable_block(s->keys.words, s->keys.words + 4 * s->rounds, x);
    runnel_xor_bytes(out, in, (const uint8_t *)x, 16);
    runnel_wipe(x, sizeof x);
}

/* Pairs, and an odd block by itself. */
static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    const uint32_t number = runnel_load32be(block + 12);
    const size_t n = nblocks & ~(size_t)1;
    if (n > 0) {
        aes_rv32_run run;
        aes_start_run(&run, state, block, number);
        aes_xor_pairs(&run, out, in, n / 2);
        runnel_wipe(&run, sizeof run);
    }
    if (nblocks > n)
        aes_xor_block(state, block, number + (uint32_t)n, out + 16 * n, in == NULL ? NULL : in + 16 * n);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    const uint32_t *key = s->keys.words, *const last_key = key + 4 * s->rounds;
    if (nblocks >= 2 && aes_aligned(out, in)) {
        const aes_rv32_run run = {
            .last_keys = last_key - 28, .flags = 16 * (s->rounds - 8u) | AES_RV32_RAW, .first_key = key};
        const size_t most = nblocks & ~(size_t)1;
        runnel_aes_rv32_ttable_pairs(&run, out, in, most / 2);
        out += 16 * most;
        in += 16 * most;
        nblocks -= most;
    }
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        uint32_t x[4];
        memcpy(x, in, sizeof x);
        runnel_aes_rv32_ttable_block(key, last_key, x);
        memcpy(out, x, sizeof x);
        runnel_wipe(x, sizeof x);
    }
}

const runnel_kernel runnel_aes_rv32_ttable = {
    .name = RUNNEL_TEXT("rv32-ttable"),
    .citation = RUNNEL_TEXT("tables: Daemen, Rijmen, AES Proposal 5.2.1; counter mode: Bernstein, Schwabe, 2008"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_SECRET_INDEXED,
    .run_bits = 8,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32},
};

#endif
