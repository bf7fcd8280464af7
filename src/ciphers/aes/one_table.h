/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by look-ups in one table, for processors without a data cache: with one, the timing depends on the key. In counter
 * mode the state after two rounds is the XOR of a table entry for the last counter byte, which depends on the key and on
 * bytes 0, 5 and 10 of the block, and of a constant for 256 blocks (FACE's rd2+: Park, Lee, TCHES 2018/3). A kernel
 * defines before it includes this:
 *
 *   AES_TABLE_BLOCKS       its function in assembly
 *   AES_TABLE_ENTRY(x)     entry x of its table: 2 S(x), S(x), S(x), 3 S(x) in its bytes
 *   AES_TABLE_SIZES        RUNNEL_AES_SIZES_... of the kernel
 *   AES_TABLE_WANTS_WORDS  its function takes `out` and `in` at multiples of four alone; may be left out */
#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "column.h"
#include "kernels.h"
#include "ttable.h"

#define PAYS_FROM 40 /* blocks with the same bytes 0, 5 and 10: the table */

typedef uint32_t aes_table_columns[4];

/* In assembly. */
void AES_TABLE_BLOCKS(const uint32_t *last_key, const aes_table_columns *states, const aes_table_columns constant,
                      uint8_t *out, const uint8_t *in, size_t nblocks, unsigned rounds);

typedef struct aes_tables {
    aes_column_table column;
    aes_table_columns constant_of; /* the block, with 0 for its last byte */
    aes_table_columns constant;
    aes_table_columns table[256];
} aes_tables;

_Static_assert(RUNNEL_AES_SECOND(AES_TABLE_SIZES) == sizeof(aes_tables), "kernels.inc gives another size");
#ifndef RUNNEL_AES_KERNEL
_Static_assert(RUNNEL_AES_PREFIX_BYTES == 0 || RUNNEL_AES_PREFIX_BYTES >= sizeof(aes_tables),
               "the context is too small");
#endif

/* Returns what the byte in row r of a column becomes in its column after the next round. */
static inline uint32_t aes_term(uint32_t column, unsigned r)
{
    uint32_t entry = AES_TABLE_ENTRY(column >> 8 * r & 0xff);
    return r == 0 ? entry : runnel_rotl32(entry, 8 * r);
}

static void aes_blocks_from(const runnel_aes_schedule *s, unsigned first, const aes_table_columns *states,
                            const aes_table_columns constant, uint8_t *out, const uint8_t *in, size_t nblocks)
{
#ifdef AES_TABLE_WANTS_WORDS
    if (((uintptr_t)out | (uintptr_t)in) % 4 != 0) {
        aes_table_columns block;
        for (; nblocks > 0; nblocks--, states++, out += 16) {
            AES_TABLE_BLOCKS(s->keys.words + 4 * s->rounds, states, constant, (uint8_t *)block, NULL, 1,
                             s->rounds - first);
            if (in == NULL) {
                memcpy(out, block, 16);
            } else {
                runnel_xor_bytes(out, in, (const uint8_t *)block, 16);
                in += 16;
            }
        }
        runnel_wipe(block, sizeof block);
        return;
    }
#endif
    AES_TABLE_BLOCKS(s->keys.words + 4 * s->rounds, states, constant, out, in, nblocks, s->rounds - first);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    aes_table_columns x[1];
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        memcpy(x, in, 16);
        aes_blocks_from(s, 1, (const aes_table_columns *)x, s->keys.words, out, NULL, 1);
    }
    runnel_wipe(x, sizeof x);
}

static void aes_ctr32_plain(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    aes_table_columns x[1];
    memcpy(x, block, 16);
    for (uint32_t counter = runnel_load32be(block + 12); nblocks > 0; nblocks--, counter++) {
        runnel_store32be((uint8_t *)x + 12, counter);
        aes_blocks_from(s, 1, (const aes_table_columns *)x, s->keys.words, out, in, 1);
        out += 16;
        in = in == NULL ? NULL : in + 16;
    }
}

static void aes_fill_table(const uint32_t *keys, aes_tables *t, const uint8_t *block)
{
    const uint32_t rest = aes_term(block[0] ^ keys[0], 0) ^ aes_term((uint32_t)block[5] << 8 ^ keys[1], 1) ^
                          aes_term((uint32_t)block[10] << 16 ^ keys[2], 2) ^ keys[4];
    const uint32_t key = keys[3] >> 24;
    for (unsigned i = 0; i < 256; i++) {
        const uint32_t x = rest ^ aes_term((i ^ key) << 24, 3);
        t->table[i][0] = aes_term(x, 0);
        t->table[i][3] = aes_term(x, 1);
        t->table[i][2] = aes_term(x, 2);
        t->table[i][1] = aes_term(x, 3);
    }
    aes_table_built(&t->column);
}

static uint32_t aes_prefix_used(const void *prefix)
{
    return ((const aes_tables *)prefix)->column.written ? sizeof(aes_tables) : 8;
}

/* first is a counter block whose last byte is 0. */
static void aes_set_constant(const uint32_t *keys, aes_tables *t, const aes_table_columns first)
{
    if (t->column.constant_set && memcmp(t->constant_of, first, 16) == 0)
        return;
    aes_table_columns x, y;
    for (unsigned c = 0; c < 4; c++)
        x[c] = first[c] ^ keys[c];
    for (unsigned c = 1; c < 4; c++) {
        y[c] = keys[4 + c];
        for (unsigned r = 0; r < 4; r++)
            y[c] ^= aes_term(x[(c + r) % 4], r);
    }
    for (unsigned c = 0; c < 4; c++) {
        uint32_t sum = keys[8 + c];
        for (unsigned r = 0; r < 4; r++)
            if ((c + r) % 4 != 0)
                sum ^= aes_term(y[(c + r) % 4], r);
        t->constant[c] = sum;
    }
    memcpy(t->constant_of, first, 16);
    t->column.constant_set = 1;
    runnel_wipe(x, sizeof x);
    runnel_wipe(y, sizeof y);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    aes_tables *t = prefix;
    if (t == NULL || !aes_table_pays(&t->column, block, nblocks, PAYS_FROM)) {
        aes_ctr32_plain(s, block, out, in, nblocks);
        return;
    }
    if (!t->column.set)
        aes_fill_table(s->keys.words, t, block);
    aes_table_columns first;
    memcpy(first, block, 16);
    ((uint8_t *)first)[15] = 0;
    aes_set_constant(s->keys.words, t, first);
    aes_blocks_from(s, 3, (const aes_table_columns *)t->table + block[15], t->constant, out, in, nblocks);
}
