/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on bit planes, 8 blocks at a time in eight 128-bit vectors, for kernels on processors that permute the bytes of a
 * vector. Bit i of every state byte is in vector i: byte p is that of byte p of the blocks, bit b of it that of block b.
 *
 * ShiftRows (SR) is never carried out (fixslicing; Adomnicai, Peyrin, TCHES 2021/1): after round r the planes hold
 * SR^-r of the state, SR^4 = 1. MixColumns fetches "the byte k rows below" k * r columns further right. Round
 * key r is stored in planes, under SR^-r and with the four NOTs of the S-box.
 *
 * Prefix caching, as in x86/prefix_table.h, in bit planes: in a run, the blocks that differ in their counter's lowest byte
 * alone (the last one, or the first if it counts little-endian), the state after one or two rounds is a table's entry XOR
 * what is the same for the whole run. Entries are groups of 8 blocks, aligned in the run, and are stored on the way. The
 * first group of a run that has an entry is computed nevertheless, to find by what this run differs from the table. */
/* The includer defines PLANE, the type of a vector of 16 bytes, PLANES_INLINE, RUNNEL_AES_SIZES_planes (the sizes of its
 * row in kernels.inc), and
 *  - PLANE plane_load(const uint8_t *p), void plane_store(uint8_t *p, PLANE x);
 *  - PLANE plane_permute(PLANE x, PLANE from): byte i of the result is byte from[i] of x;
 *  - PLANE aes_plane_of_bit(PLANE x, int i): 0xff for each byte of x that has bit i, else 0;
 *  - PLANE plane_of_byte(uint8_t byte) everywhere, PLANE plane_of_byte_at(uint8_t byte, n) in place n alone;
 *  - PLANE plane_with_word_at(PLANE x, uint32_t word, n), n being constant;
 *  - void aes_transpose(PLANE q[8]): the 8 x 8 bits of each byte position, planes to blocks, and back;
 *  - void aes_expand_round_keys(uint8_t (*keys)[16], const uint8_t *key, size_t key_bytes): round keys in the order of
 *  FIPS 197. */
#ifndef AES_PLANES_128_H
#define AES_PLANES_128_H

#include <string.h>

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "column.h"
#include "kernels.h"

#define RUN 256
#define GROUP 8
#define GROUPS (RUN / GROUP)
#define EACH_PLANE UNROLLED for (int i = 0; i < 8; i++)

typedef uint8_t aes_stored_planes[8][16];

/* The context's prefix tables. Key set-up zeroes the first 8 bytes. */
typedef struct aes_prefix {
    uint32_t filled[2]; /* bit g of filled[r - 1]: entry g of after r rounds is defined; without any, nothing else is */
    uint8_t known[2];   /* whether difference[r - 1] is defined */
    uint8_t entries;    /* written under this key, from the first on */
    uint8_t little;     /* 1: the entries are of blocks whose first byte counts, 0: whose last one does */
    uint32_t
        column; /* the constant bytes of column 0 of the counter blocks that the entries after two rounds belong to */
    uint8_t run[16]; /* the first block of the current run */
    uint8_t aligned[32];
    aes_stored_planes difference[2]; /* between the states of the current run and the entries */
    aes_stored_planes entry[GROUPS][2];
} __attribute__((may_alias)) aes_prefix;

_Static_assert(sizeof(aes_prefix) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_planes), "prefix tables");

/* Byte 4 c + r of a plane is in row r, column c. */
#define BELOW(k, v, r, c) (4 * (((c) + (k) * (v)) % 4) + ((r) + (k)) % 4)
#define BELOW_COLUMN(k, v, c) BELOW(k, v, 0, c), BELOW(k, v, 1, c), BELOW(k, v, 2, c), BELOW(k, v, 3, c)
#define BELOW_ALL(k, v) {BELOW_COLUMN(k, v, 0), BELOW_COLUMN(k, v, 1), BELOW_COLUMN(k, v, 2), BELOW_COLUMN(k, v, 3)}
#define BELOW_BOTH(v) {BELOW_ALL(1, v), BELOW_ALL(2, v)}

/* [r]: where MixColumns of round r fetches the bytes one row and two rows below. */
static const uint8_t aes_rows_below[14][2][16] = {
    BELOW_BOTH(0), BELOW_BOTH(1), BELOW_BOTH(2), BELOW_BOTH(3), BELOW_BOTH(0), BELOW_BOTH(1), BELOW_BOTH(2),
    BELOW_BOTH(3), BELOW_BOTH(0), BELOW_BOTH(1), BELOW_BOTH(2), BELOW_BOTH(3), BELOW_BOTH(0), BELOW_BOTH(1)};

/* SR^-v takes the byte of row r, column c from column c - v r. */
#define BACK(v, r, c) (4 * (((c) + 4 * (r) - (v) * (r)) % 4) + (r))
#define BACK_COLUMN(v, c) BACK(v, 0, c), BACK(v, 1, c), BACK(v, 2, c), BACK(v, 3, c)
#define BACK_ALL(v) {BACK_COLUMN(v, 0), BACK_COLUMN(v, 1), BACK_COLUMN(v, 2), BACK_COLUMN(v, 3)}
static const uint8_t aes_shift_rows_back[4][16] = {BACK_ALL(0), BACK_ALL(1), BACK_ALL(2), BACK_ALL(3)};

PLANES_INLINE void aes_load_planes(PLANE q[8], const uint8_t (*from)[16])
{
    EACH_PLANE
    q[i] = plane_load(from[i]);
}

PLANES_INLINE void aes_store_planes(uint8_t (*to)[16], const PLANE q[8])
{
    EACH_PLANE
    plane_store(to[i], q[i]);
}

PLANES_INLINE void aes_add_planes(PLANE q[8], const uint8_t (*from)[16])
{
    EACH_PLANE
    q[i] ^= plane_load(from[i]);
}

/* The planes of 8 equal blocks. */
PLANES_INLINE void aes_repeat_block(PLANE q[8], PLANE block)
{
    EACH_PLANE
    q[i] = aes_plane_of_bit(block, i);
}

PLANES_INLINE void aes_mix_columns(PLANE q[8], const uint8_t (*below)[16])
{
    const PLANE one = plane_load(below[0]), two = plane_load(below[1]);
    PLANE next[8], sum[8];
    EACH_PLANE
    {
        next[i] = plane_permute(q[i], one);
        sum[i] = q[i] ^ next[i];
    }
    EACH_PLANE
    q[i] = next[i] ^ plane_permute(sum[i], two) ^ (i > 0 ? sum[i - 1] : sum[7]);
    q[1] ^= sum[7];
    q[3] ^= sum[7];
    q[4] ^= sum[7];
}

/* Round r on the state after round r - 1. */
PLANES_INLINE void aes_middle_round(PLANE q[8], const uint8_t (*below)[16], const uint8_t (*key)[16])
{
    aes_sub_bytes_without_nots(q);
    aes_mix_columns(q, below);
    aes_add_planes(q, key);
}

static inline const uint8_t (*aes_round_key(const runnel_aes_schedule *s, unsigned r))[16]
{
    return s->keys.bytes + 8 * r;
}

/* Takes the state after r + 1 rounds of group g of the current run: stores it as the entry, or derives by what the run
 * differs from the table. */
PLANES_INLINE void aes_learn(aes_prefix *p, unsigned r, unsigned g, const PLANE q[8])
{
    uint8_t(*entry)[16] = p->entry[g][r];
    if (p->filled[r] >> g & 1) {
        EACH_PLANE
        plane_store(p->difference[r][i], q[i] ^ plane_load(entry[i]));
        p->known[r] = 1;
        return;
    }
    if (p->filled[r] == 0) {
        memset(p->difference[r], 0, sizeof p->difference[r]);
        p->known[r] = 1;
    }
    if (p->known[r]) {
        EACH_PLANE
        plane_store(entry[i], q[i] ^ plane_load(p->difference[r][i]));
        p->filled[r] |= (uint32_t)1 << g;
        if (g >= p->entries)
            p->entries = (uint8_t)(g + 1);
    }
}

/* From the state after `done` rounds to 8 blocks of output. */
PLANES_INLINE void aes_finish(PLANE q[8], const runnel_aes_schedule *s, unsigned done)
{
    const unsigned rounds = s->rounds;
    const uint8_t(*key)[16] = aes_round_key(s, done + 1);
    for (unsigned r = done + 1; r < rounds; r++, key += 8)
        aes_middle_round(q, aes_rows_below[r], key);
    aes_sub_bytes_without_nots(q);
    aes_add_planes(q, key);
    aes_transpose(q);
    if (rounds % 4 == 2) {
        const PLANE back = plane_load(aes_shift_rows_back[2]);
        EACH_PLANE
        q[i] = plane_permute(q[i], back);
    }
}

/* A part of the blocks, XORed with in unless it is NULL. */
PLANES_INLINE void aes_put_some(uint8_t *out, const uint8_t *in, const PLANE q[8], size_t skip, size_t n)
{
    uint8_t blocks[GROUP][16];
    aes_store_planes(blocks, q);
    runnel_xor_bytes(out, in, blocks[skip], 16 * n);
    runnel_wipe(blocks, sizeof blocks);
}

/* n blocks from block number skip on, XORed with in unless it is NULL. */
PLANES_INLINE void aes_put(uint8_t *out, const uint8_t *in, const PLANE q[8], size_t skip, size_t n)
{
    if (n < GROUP) {
        aes_put_some(out, in, q, skip, n);
    } else if (in == NULL) {
        EACH_PLANE
        plane_store(out + 16 * i, q[i]);
    } else {
        EACH_PLANE
        plane_store(out + 16 * i, q[i] ^ plane_load(in + 16 * i));
    }
}

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint8_t keys[15][16];
    const unsigned rounds = (unsigned)key_bytes / 4 + 6;
    s->rounds = (uint8_t)rounds;
    aes_expand_round_keys(keys, key, key_bytes);
    for (unsigned r = 0; r <= rounds; r++) {
        PLANE q[8], k = plane_permute(plane_load(keys[r]), plane_load(aes_shift_rows_back[r % 4]));
        if (r > 0)
            k ^= plane_of_byte(NOTS);
        aes_repeat_block(q, k);
        aes_store_planes(s->keys.bytes + 8 * r, q);
    }
    runnel_wipe(keys, sizeof keys);
}

/* 8 blocks, or fewer, as planes. */
PLANES_INLINE void aes_take(PLANE q[8], const uint8_t *in, size_t n)
{
    if (n < GROUP) {
        uint8_t blocks[GROUP][16] = {{0}};
        memcpy(blocks, in, 16 * n);
        aes_load_planes(q, (const uint8_t(*)[16])blocks);
    } else {
        aes_load_planes(q, (const uint8_t(*)[16])in);
    }
    aes_transpose(q);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    while (nblocks > 0) {
        const size_t n = nblocks < GROUP ? nblocks : GROUP;
        PLANE q[8];
        aes_take(q, in, n);
        aes_add_planes(q, aes_round_key(s, 0));
        aes_finish(q, s, 0);
        aes_put(out, NULL, q, 0, n);
        nblocks -= n;
        out += 16 * n;
        in += 16 * n;
    }
}

#if RUNNEL_DECRYPT

/* Round keys in planes, without InvMixColumns. */
static void aes_set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint8_t keys[15][16];
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    aes_expand_round_keys(keys, key, key_bytes);
    for (unsigned r = 0; r <= s->rounds; r++) {
        PLANE q[8];
        aes_repeat_block(q, plane_load(keys[r]));
        aes_store_planes(s->keys.bytes + 8 * r, q);
    }
    runnel_wipe(keys, sizeof keys);
}

/* The inverse of MixColumns is MixColumns of a + 4 (a + a two rows below). */
PLANES_INLINE void aes_inverse_mix_columns(PLANE q[8])
{
    const PLANE two = plane_load(aes_rows_below[0][1]);
    PLANE sum[8];
    EACH_PLANE
    sum[i] = q[i] ^ plane_permute(q[i], two);
    EACH_PLANE
    { /* x^8 = x^4 + x^3 + x + 1 for the two bits that 4 shifts out */
        if (i >= 2)
            q[i] ^= sum[i - 2];
        if (0x1b >> i & 1)
            q[i] ^= sum[6];
        if (0x36 >> i & 1)
            q[i] ^= sum[7];
    }
    aes_mix_columns(q, aes_rows_below[0]);
}

static void aes_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    while (nblocks > 0) {
        const size_t n = nblocks < GROUP ? nblocks : GROUP;
        PLANE q[8];
        aes_take(q, in, n);
        aes_add_planes(q, aes_round_key(s, s->rounds));
        for (unsigned r = s->rounds - 1u;; r--) {
            const PLANE back = plane_load(aes_shift_rows_back[1]);
            EACH_PLANE
            q[i] = plane_permute(q[i], back);
            aes_sub_bytes_inverse(q);
            aes_add_planes(q, aes_round_key(s, r));
            if (r == 0)
                break;
            aes_inverse_mix_columns(q);
        }
        aes_transpose(q);
        aes_put(out, NULL, q, 0, n);
        nblocks -= n;
        out += 16 * n;
        in += 16 * n;
    }
}

#endif

/* 8 counter blocks from `block` on. Here and below `little` is 1 where the first four bytes count, little-endian, and 0
 * where the last four do. */
PLANES_INLINE void aes_counter_planes(PLANE q[8], const uint8_t *block, int little)
{
    const PLANE first = plane_load(block);
    const uint32_t counter = little ? runnel_load32le(block) : runnel_load32be(block + 12);
    EACH_PLANE
    {
        const uint32_t number = counter + (uint32_t)i;
        q[i] = little ? plane_with_word_at(first, number, 0) : plane_with_word_at(first, __builtin_bswap32(number), 3);
    }
    aes_transpose(q);
}

/* The same where the lowest byte is a multiple of 8. */
PLANES_INLINE void aes_aligned_counter_planes(PLANE q[8], const uint8_t *block, int little)
{
    aes_repeat_block(q, plane_load(block));
    q[0] ^= little ? plane_of_byte_at(0xaa, 0) : plane_of_byte_at(0xaa, 15);
    q[1] ^= little ? plane_of_byte_at(0xcc, 0) : plane_of_byte_at(0xcc, 15);
    q[2] ^= little ? plane_of_byte_at(0xf0, 0) : plane_of_byte_at(0xf0, 15);
}

static inline unsigned aes_lowest_at(int little)
{
    return little ? 0 : 15;
}

/* Tells whether entry g of the states after r + 1 rounds can be used in the current run. */
static inline int aes_usable(const aes_prefix *p, unsigned r, unsigned g)
{
    return (p->filled[r] >> g & 1) && p->known[r];
}

/* The state after two rounds of the aligned group that block begins, where there is no entry of it. */
static RUNNEL_NOINLINE void aes_two_rounds(PLANE *after, const runnel_aes_schedule *s, aes_prefix *p,
                                           const uint8_t *block, int little)
{
    const unsigned g = block[aes_lowest_at(little)] / GROUP;
    PLANE q[8];
    unsigned r = 1;
    if (p != NULL && aes_usable(p, 0, g)) {
        aes_load_planes(q, (const uint8_t(*)[16])p->entry[g][0]);
        aes_add_planes(q, (const uint8_t(*)[16])p->difference[0]);
        r = 2;
    } else {
        aes_aligned_counter_planes(q, block, little);
        aes_add_planes(q, aes_round_key(s, 0));
    }
    for (; r <= 2; r++) {
        aes_middle_round(q, aes_rows_below[r], aes_round_key(s, r));
        if (p != NULL)
            aes_learn(p, r - 1, g, q);
    }
    EACH_PLANE
    after[i] = q[i];
}

static inline int aes_nothing_filled(const aes_prefix *p)
{
    return (p->filled[0] | p->filled[1]) == 0;
}

/* Before the first group of a run. */
static void aes_open_run(aes_prefix *p, const uint8_t *block, int little)
{
    const int none = aes_nothing_filled(p);
    const uint32_t column = aes_column_word(block, little);
    uint8_t run[16];
    memcpy(run, block, sizeof run);
    run[aes_lowest_at(little)] = 0;
    if (none) {
        p->entries = 0;
        p->little = (uint8_t)little;
    }
    if (none || memcmp(p->run, run, sizeof run) != 0) {
        memcpy(p->run, run, sizeof run);
        p->known[0] = p->known[1] = 0;
    }
    if (none || p->column != column) {
        p->column = column;
        p->filled[1] = 0;
    }
}

/* At most 8 counter blocks that lie in two groups. */
static RUNNEL_NOINLINE void aes_unaligned_group(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out,
                                                const uint8_t *in, size_t nblocks, int little)
{
    PLANE q[8];
    aes_counter_planes(q, block, little);
    aes_add_planes(q, aes_round_key(s, 0));
    aes_finish(q, s, 0);
    aes_put(out, in, q, 0, nblocks);
}

PLANES_INLINE void aes_count(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *first, uint8_t *out,
                             const uint8_t *in, size_t left, int little)
{
    const unsigned lowest = aes_lowest_at(little);
    size_t skip = first[lowest] % GROUP;
    if (left <= GROUP && skip != 0) {
        aes_unaligned_group(s, first, out, in, left, little);
        return;
    }
    if (p != NULL && !aes_nothing_filled(p) && p->little != little)
        p = NULL; /* the table is that of the other place, of which a key has rarely more than one */
    PLANE after[8];
    uint8_t block[16];
    memcpy(block, first, 16);
    block[lowest] -= (uint8_t)skip;
    if (p != NULL)
        aes_open_run(p, block, little);
    /* Not with run_bits: eight blocks that lie in two runs would be two groups. */
    for (;;) {
        const unsigned g = block[lowest] / GROUP;
        PLANE q[8];
        if (p != NULL && aes_usable(p, 1, g)) {
            aes_load_planes(q, (const uint8_t(*)[16])p->entry[g][1]);
            aes_add_planes(q, (const uint8_t(*)[16])p->difference[1]);
        } else {
            aes_two_rounds(after, s, p, block, little);
            EACH_PLANE
            q[i] = after[i];
        }
        aes_finish(q, s, 2);
        size_t n = GROUP - skip;
        if (n > left)
            n = left;
        aes_put(out, in, q, skip, n);
        left -= n;
        if (left == 0)
            break;
        skip = 0;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
        block[lowest] += GROUP;
        if (block[lowest] == 0) {
            if (little)
                runnel_store32le(block, runnel_load32le(block) + RUN);
            else
                runnel_store32be(block + 12, runnel_load32be(block + 12) + RUN);
            if (p != NULL)
                aes_open_run(p, block, little);
        }
    }
    runnel_wipe(after, sizeof after);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    aes_count(state, prefix, block, out, in, nblocks, 0);
}

static void aes_ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    aes_count(state, prefix, block, out, in, nblocks, 1);
}

static uint32_t aes_prefix_used(const void *prefix)
{
    const aes_prefix *p = prefix;
    if (aes_nothing_filled(p))
        return offsetof(aes_prefix, difference);
    return (uint32_t)(offsetof(aes_prefix, entry) + p->entries * sizeof p->entry[0]);
}

#endif
