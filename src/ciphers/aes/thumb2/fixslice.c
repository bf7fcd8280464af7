/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Constant-time AES for Thumb-2 (Cortex-M3 and later): fixslicing, two blocks at a time, with prefix tables stored as
 * the rounds need them, in bit planes.
 *
 * While only the last counter byte changes, only column 0 changes in round 1, and the state after round 2 is a sum:
 * one part depends on the last byte (and on the key and bytes 0, 5 and 10), the other one on everything else. The
 * table holds the first for the 128 pairs of an even and an odd last byte, `delta` the second for a run of 256
 * blocks. */
#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "ciphers/aes/column.h"
#include "ciphers/aes/expand.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_THUMB2

typedef uint32_t aes_planes[8];

/* fixslice_rounds.S and fixslice_key.S */
void runnel_aes_thumb2_pack_key(aes_planes q, const uint32_t words[4], unsigned v);
uint32_t runnel_aes_thumb2_sub_word(uint32_t w);
void runnel_aes_thumb2_sub_bytes(aes_planes q);
void runnel_aes_thumb2_two_rounds(aes_planes q, const uint8_t blocks[32], const uint32_t *keys);
void runnel_aes_thumb2_four_entries(aes_planes *entries, const aes_planes columns);
void runnel_aes_thumb2_rounds(const uint32_t *keys, const aes_planes *states, const aes_planes delta, uint8_t *out,
                              const uint8_t *in, size_t pairs, const uint32_t *last);

#define PAYS_FROM 77 /* blocks with the same bytes 0, 5 and 10: the table */
#define NOTS 0x63    /* bit i: the S-box circuit gives the complement of bit i */

typedef struct aes_tables {
    aes_column_table column;
    uint8_t delta_of[16]; /* the block, with 0 for its last byte */
    aes_planes delta;
    aes_planes table[128];
} aes_tables;

_Static_assert(RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_thumb2_fixslice) == sizeof(aes_tables),
               "kernels.inc gives another size");
#ifndef RUNNEL_AES_KERNEL
_Static_assert(RUNNEL_AES_PREFIX_BYTES == 0 || RUNNEL_AES_PREFIX_BYTES >= sizeof(aes_tables),
               "the context is too small");
#endif

/* scratch is not needed. */
static uint32_t aes_sub_word(uint32_t w, uint32_t *scratch)
{
    (void)scratch;
    return runnel_aes_thumb2_sub_word(w) ^ 0x01010101u * NOTS;
}

/* The first and the last round key stay words; the last one includes the NOTs of the S-box. */
static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t w[60];
    const unsigned rounds = aes_expand_key(w, key, key_bytes, aes_sub_word, NULL);
    s->rounds = (uint8_t)rounds;

    uint32_t *keys = s->keys.words;
    for (unsigned c = 0; c < 4; c++)
        keys[c] = w[c];
    for (unsigned r = 1; r < rounds; r++)
        runnel_aes_thumb2_pack_key(keys + 8 * r, w + 4 * r, r % 4);
    for (unsigned c = 0; c < 4; c++)
        keys[8 * rounds + c] = w[4 * rounds + c] ^ 0x01010101u * NOTS;
    runnel_wipe(w, sizeof w);
}

static const aes_planes aes_zero;

/* in XOR the pairs whose states after round 2 are given as a sum. */
static void aes_last_rounds(const runnel_aes_schedule *s, const aes_planes *states, const aes_planes delta,
                            uint8_t *out, const uint8_t *in, size_t pairs)
{
    const uint32_t *keys = s->keys.words;
    runnel_aes_thumb2_rounds(keys + 8 * 3, states, delta, out, in, pairs, keys + 8 * (s->rounds - 3u));
}

/* Eight words, where memset of a small C library goes byte by byte. */
static inline void aes_wipe_planes(uint32_t *q)
{
    for (unsigned i = 0; i < 8; i++)
        q[i] = 0;
    __asm__ volatile("" : : "r"(q) : "memory");
}

/* All rounds of two blocks. */
static void aes_encrypt_pair(const runnel_aes_schedule *s, uint8_t out[32], const uint8_t *in, const uint8_t blocks[32])
{
    aes_planes q[1];
    runnel_aes_thumb2_two_rounds(q[0], blocks, s->keys.words);
    aes_last_rounds(s, (const aes_planes *)q, aes_zero, out, in, 1);
    aes_wipe_planes(q[0]);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks >= 2; nblocks -= 2) {
        aes_encrypt_pair(state, out, NULL, in);
        in += 32;
        out += 32;
    }
    if (nblocks > 0) {
        uint32_t pair[8];
        uint8_t *const both = (uint8_t *)pair;
        memcpy(both, in, 16);
        memcpy(both + 16, in, 16);
        aes_encrypt_pair(state, both, NULL, both);
        memcpy(out, both, 16);
        aes_wipe_planes(pair);
    }
}

static void aes_ctr32_plain(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    uint8_t pair[32];
    uint32_t counter = runnel_load32be(block + 12);
    memcpy(pair, block, 12);
    memcpy(pair + 16, block, 12);
    for (;; nblocks -= 2, counter += 2) {
        runnel_store32be(pair + 12, counter);
        runnel_store32be(pair + 28, counter + 1);
        if (nblocks < 2)
            break;
        aes_encrypt_pair(s, out, in, pair);
        out += 32;
        if (in != NULL)
            in += 32;
    }
    if (nblocks > 0) {
        aes_encrypt_pair(s, pair, NULL, pair);
        runnel_xor_bytes(out, in, pair, 16);
        runnel_wipe(pair, sizeof pair);
    }
}

static uint32_t aes_rotate_right(uint32_t w, unsigned n)
{
    return w >> n | w << (32 - n);
}

static uint32_t aes_mix_column(uint32_t w)
{
    uint32_t high = w & 0x80808080, doubled = (w ^ high) << 1 ^ ((high - (high >> 7)) & 0x1b1b1b1b);
    return doubled ^ aes_rotate_right(doubled ^ w, 8) ^ aes_rotate_right(w, 16) ^ aes_rotate_right(w, 24);
}

/* Column 0 after round 1 without the contribution of the block's last byte. */
static uint32_t aes_column_without_last_byte(const uint32_t *keys, const uint8_t *block)
{
    uint32_t diagonal = ((keys[0] ^ block[0]) & 0xff) | ((keys[1] ^ (uint32_t)block[5] << 8) & 0xff00) |
                        ((keys[2] ^ (uint32_t)block[10] << 16) & 0xff0000);
    uint32_t column = aes_mix_column(aes_sub_word(diagonal, NULL) & 0xffffff);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned row = 0; row < 4; row++) /* of the round key in planes; its column 0 is in column `row` */
            column ^= ((keys[8 + i] >> 10 * row & 1) ^ (NOTS >> i & 1)) << (8 * row + i);
    return column;
}

static uint32_t aes_all_bits(uint32_t bit)
{
    return 0 - (bit & 1);
}

/* Rotates the bits of every byte to the left. */
static uint32_t aes_rotate_in_bytes(uint32_t w, unsigned n)
{
    const uint32_t low = 0x01010101 * (0xffu >> n);
    return (w & low) << n | (w & ~low) >> (8 - n);
}

/* Round 2's results of column 0 for every last byte, without round key and NOTs, which are in delta: two S-boxes and
 * MixColumns. First the S-box of 32 last bytes in one word, then of the columns of eight of them. */
static void aes_fill_table(const runnel_aes_schedule *s, aes_tables *t, const uint8_t *block)
{
    static const uint32_t counting[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
    const uint32_t *keys = s->keys.words;
    aes_planes q, columns[4];
    const uint32_t rest = aes_column_without_last_byte(keys, block), key = keys[3] >> 24;
    for (unsigned n = 0; n < 8; n++) {
        for (unsigned i = 0; i < 8; i++)
            q[i] = (i < 5 ? counting[i] : aes_all_bits(n >> (i - 5))) ^ aes_all_bits(key >> i);
        runnel_aes_thumb2_sub_bytes(q);
        for (unsigned i = 0; i < 8; i++)
            q[i] ^= aes_all_bits(NOTS >> i);
        for (unsigned i = 0; i < 8; i++) { /* times 1, 1, 3, 2 in rows 0 to 3; eight last bytes in each byte */
            const uint32_t doubled = (i > 0 ? q[i - 1] : 0) ^ (0x1b >> i & 1 ? q[7] : 0);
            const uint32_t row0 = q[i] ^ aes_all_bits(rest >> i);
            const uint32_t row1 = aes_rotate_in_bytes(q[i] ^ aes_all_bits(rest >> (8 + i)), 2);
            const uint32_t row2 = aes_rotate_in_bytes(q[i] ^ doubled ^ aes_all_bits(rest >> (16 + i)), 4);
            const uint32_t row3 = aes_rotate_in_bytes(doubled ^ aes_all_bits(rest >> (24 + i)), 6);
            const uint32_t even = 0x00ff00ff; /* the bytes change places with the rows */
            const uint32_t even01 = (row0 & even) | (row1 & even) << 8, odd01 = (row0 >> 8 & even) | (row1 & ~even);
            const uint32_t even23 = (row2 & even) | (row3 & even) << 8, odd23 = (row2 >> 8 & even) | (row3 & ~even);
            columns[0][i] = (even01 & 0xffff) | even23 << 16;
            columns[1][i] = (odd01 & 0xffff) | odd23 << 16;
            columns[2][i] = even01 >> 16 | (even23 & 0xffff0000);
            columns[3][i] = odd01 >> 16 | (odd23 & 0xffff0000);
        }
        for (unsigned j = 0; j < 4; j++)
            runnel_aes_thumb2_four_entries(t->table + 16 * n + 4 * j, columns[j]);
    }
    runnel_wipe(q, sizeof q);
    runnel_wipe(columns, sizeof columns);
    aes_table_built(&t->column);
}

static uint32_t aes_prefix_used(const void *prefix)
{
    return ((const aes_tables *)prefix)->column.written ? sizeof(aes_tables) : 8;
}

/* first is a counter block whose last byte is 0. */
static void aes_set_delta(const runnel_aes_schedule *s, aes_tables *t, const uint8_t first[16])
{
    if (t->column.constant_set && memcmp(t->delta_of, first, 16) == 0)
        return;
    uint8_t pair[32];
    memcpy(pair, first, 16);
    memcpy(pair + 16, first, 16);
    pair[31] = 1;
    runnel_aes_thumb2_two_rounds(t->delta, pair, s->keys.words);
    for (unsigned i = 0; i < 8; i++)
        t->delta[i] ^= t->table[0][i];
    memcpy(t->delta_of, first, 16);
    t->column.constant_set = 1;
}

/* One block of a pair. */
static void aes_xor_half(const runnel_aes_schedule *s, const aes_tables *t, unsigned last_byte, uint8_t *out,
                         const uint8_t *in)
{
    uint8_t pair[32];
    aes_last_rounds(s, (const aes_planes *)t->table + last_byte / 2, t->delta, pair, NULL, 1);
    runnel_xor_bytes(out, in, pair + 16 * (last_byte % 2), 16);
    runnel_wipe(pair, sizeof pair);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    aes_tables *t = prefix;
    if (t == NULL || !aes_table_pays(&t->column, block, nblocks, PAYS_FROM)) {
        aes_ctr32_plain(state, block, out, in, nblocks);
        return;
    }
    if (!t->column.set)
        aes_fill_table(state, t, block);
    uint8_t first[16];
    memcpy(first, block, 15);
    first[15] = 0;
    unsigned last_byte = block[15];
    aes_set_delta(state, t, first);
    if (last_byte % 2 != 0) {
        aes_xor_half(state, t, last_byte++, out, in);
        out += 16;
        in = in == NULL ? NULL : in + 16;
        nblocks--;
    }
    if (nblocks >= 2) {
        aes_last_rounds(state, (const aes_planes *)t->table + last_byte / 2, t->delta, out, in, nblocks / 2);
        out += nblocks / 2 * 32;
        in = in == NULL ? NULL : in + nblocks / 2 * 32;
        last_byte += (unsigned)nblocks / 2 * 2;
    }
    if (nblocks % 2 != 0)
        aes_xor_half(state, t, last_byte, out, in);
}

const runnel_kernel runnel_aes_thumb2_fixslice = {
    .name = RUNNEL_TEXT("thumb2-fixslice"),
    .citation = RUNNEL_TEXT("fixslicing: Adomnicai, Peyrin, TCHES 2021/1; tables after FACE: Park, Lee, TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32, .prefix_used = aes_prefix_used},
};

#endif
