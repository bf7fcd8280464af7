/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES without tables: four blocks at a time, bit planes in eight 64-bit words, ShiftRows never carried out
 * (fixslicing). How they lie in the words says arch/common/aes_planes_64.h.
 *
 * After round r the words hold SR^-r of the state (SR = ShiftRows, SR^4 = 1). So MixColumns fetches "the byte k rows
 * below" k * r columns further right, and round key r is stored under SR^-r. The four NOTs of the S-box are in the
 * round keys as well.
 *
 * On hosts counter mode has prefix caching, as in x86/prefix_table.h, in bit planes: in a run, the blocks that differ in
 * the counter's lowest byte alone, the state after two rounds is a table's entry XOR what is the same for the whole run.
 * Entries are groups of four blocks, aligned in the run, and are stored on the way. Planes of counter blocks are made
 * without a transposition: of a run's block four times and the bits of four numbers. */
#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "column.h"
#include "expand.h"
#include "kernels.h"

#define PLANE uint64_t
#include "arch/common/aes_planes_64.h"

static inline void aes_add_key(uint64_t q[8], const uint64_t key[8])
{
    UNROLLED
    for (int i = 0; i < 8; i++)
        q[i] ^= key[i];
}

static inline void aes_pack(uint64_t q[8], const uint8_t in[16 * BLOCKS])
{
    UNROLLED
    for (int b = 0; b < BLOCKS; b++)
        aes_spread_block(&q[b], &q[4 + b], in + 16 * b);
    transpose_bits(q);
}

static inline void aes_unpack(uint8_t out[16 * BLOCKS], uint64_t q[8])
{
    transpose_bits(q);
    UNROLLED
    for (int b = 0; b < BLOCKS; b++)
        aes_gather_block(out + 16 * b, q[b], q[4 + b]);
}

/* ShiftRows twice: rows 1 and 3 by two columns. */
static inline uint64_t aes_shift_rows_twice(uint64_t w)
{
    uint64_t t = (w ^ w >> 8) & 0x00ff000000ff0000;
    return w ^ t ^ t << 8;
}

/* SR^-v. */
static uint64_t aes_shift_rows_back(uint64_t w, unsigned v)
{
    uint64_t result = 0;
    for (unsigned row = 0; row < 4; row++) {
        unsigned n = 4 * (v * row % 4);
        uint64_t lane = w >> 16 * row & 0xffff;
        result |= ((lane << n | lane >> (16 - n)) & 0xffff) << 16 * row;
    }
    return result;
}

static uint32_t aes_sub_word(uint32_t w, uint32_t *scratch)
{
    uint64_t q[8];
    (void)scratch;
    for (int i = 0; i < 8; i++)
        q[i] = w >> i & 0x01010101;
    aes_sub_bytes_without_nots(q);
    w = 0;
    for (int i = 0; i < 8; i++)
        w |= (uint32_t)q[i] << i;
    runnel_wipe(q, sizeof q);
    return w ^ 0x01010101u * NOTS;
}

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t w[60];
    const unsigned rounds = aes_expand_key(w, key, key_bytes, aes_sub_word, NULL);
    s->rounds = (uint8_t)rounds;

    uint8_t copies[16 * BLOCKS];
    for (unsigned r = 0; r <= rounds; r++) {
        for (int b = 0; b < BLOCKS; b++)
            for (int c = 0; c < 4; c++)
                runnel_store32le(copies + 16 * b + 4 * c, w[4 * r + (unsigned)c]);
        uint64_t *q = s->keys.sliced[r];
        aes_pack(q, copies);
        for (int i = 0; i < 8; i++) {
            if (r < rounds)
                q[i] = aes_shift_rows_back(q[i], r % 4);
            if (r > 0 && (NOTS >> i & 1))
                q[i] = ~q[i];
        }
    }
    runnel_wipe(w, sizeof w);
    runnel_wipe(copies, sizeof copies);
}

static inline void aes_middle_round(uint64_t q[8], unsigned v, const uint64_t key[8])
{
    aes_sub_bytes_without_nots(q);
    aes_mix_columns_add_key(q, v, key);
}

/* Goes on to the end from the state after `done` rounds, 0 (with the first key) or 2. */
static void aes_finish_sliced(uint64_t q[8], const runnel_aes_schedule *s, unsigned done)
{
    const unsigned rounds = s->rounds;
    const uint64_t(*key)[8] = s->keys.sliced;
    for (unsigned r = 1;; r += 4) {
        if (r > done) {
            aes_middle_round(q, 1, key[r]);
            if (r == rounds - 1)
                break;
            aes_middle_round(q, 2, key[r + 1]);
        }
        aes_middle_round(q, 3, key[r + 2]);
        if (r + 2 == rounds - 1)
            break;
        aes_middle_round(q, 0, key[r + 3]);
    }
    aes_sub_bytes_without_nots(q);
    if (rounds % 4 == 2) {
        UNROLLED
        for (int i = 0; i < 8; i++)
            q[i] = aes_shift_rows_twice(q[i]);
    }
    aes_add_key(q, key[rounds]);
}

static void aes_encrypt_sliced(uint64_t q[8], const runnel_aes_schedule *s)
{
    aes_add_key(q, s->keys.sliced[0]);
    aes_finish_sliced(q, s, 0);
}

typedef void (*aes_sliced_function)(uint64_t q[8], const runnel_aes_schedule *s);

static inline void aes_each_batch(const runnel_aes_schedule *s, uint8_t *out, const uint8_t *in, size_t nblocks,
                                  aes_sliced_function f)
{
    uint64_t q[8];
    for (; nblocks >= BLOCKS; nblocks -= BLOCKS) {
        aes_pack(q, in);
        f(q, s);
        aes_unpack(out, q);
        in += 16 * BLOCKS;
        out += 16 * BLOCKS;
    }
    if (nblocks > 0) {
        uint8_t last[16 * BLOCKS] = {0};
        memcpy(last, in, 16 * nblocks);
        aes_pack(q, last);
        f(q, s);
        aes_unpack(last, q);
        memcpy(out, last, 16 * nblocks);
        runnel_wipe(last, sizeof last);
    }
    runnel_wipe(q, sizeof q);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    aes_each_batch(state, out, in, nblocks, aes_encrypt_sliced);
}

#if RUNNEL_DECRYPT

/* The inverse of MixColumns is MixColumns of a + 4 (a + a two rows below). */
static inline void aes_inverse_mix_columns(uint64_t q[8])
{
    static const uint64_t no_key[8];
    uint64_t sum[8];
    UNROLLED
    for (int i = 0; i < 8; i++)
        sum[i] = q[i] ^ aes_rows_below(q[i], 2, 0);
    UNROLLED
    for (int i = 0; i < 8; i++) { /* x^8 = x^4 + x^3 + x + 1 for the two bits that 4 shifts out */
        if (i >= 2)
            q[i] ^= sum[i - 2];
        if (0x1b >> i & 1)
            q[i] ^= sum[6];
        if (0x36 >> i & 1)
            q[i] ^= sum[7];
    }
    aes_mix_columns_add_key(q, 0, no_key);
}

static void aes_set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    aes_set_key(state, key, key_bytes);
    for (unsigned r = 0; r <= s->rounds; r++) { /* as FIPS 197 has them */
        uint64_t *q = s->keys.sliced[r];
        if (r > 0)
            aes_sub_bytes_invert_nots(q);
        for (int i = 0; i < 8 && r < s->rounds; i++)
            q[i] = aes_shift_rows_back(q[i], (4 - r % 4) % 4);
    }
}

static void aes_decrypt_sliced(uint64_t q[8], const runnel_aes_schedule *s)
{
    aes_add_key(q, s->keys.sliced[s->rounds]);
    for (unsigned r = s->rounds - 1u;; r--) {
        for (int i = 0; i < 8; i++)
            q[i] = aes_shift_rows_back(q[i], 1);
        aes_sub_bytes_inverse(q);
        aes_add_key(q, s->keys.sliced[r]);
        if (r == 0)
            return;
        aes_inverse_mix_columns(q);
    }
}

static void aes_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    aes_each_batch(state, out, in, nblocks, aes_decrypt_sliced);
}

#endif

#if RUNNEL_HOSTED

enum { AES_RUN = 256, AES_GROUPS = AES_RUN / BLOCKS, AES_WORTH_ALIGNING = 64 };

/* The context's prefix table. Key set-up zeroes the first 8 bytes. */
typedef struct aes_prefix {
    uint64_t filled; /* bit g: entry g is defined; without any, nothing else is */
    uint32_t column; /* the constant bytes of column 0 of the blocks that the entries belong to */
    uint8_t little;  /* 1: their first byte counts, 0: the last one */
    uint8_t unused[3];
    uint64_t entry[AES_GROUPS][8];
} __attribute__((may_alias)) aes_prefix;

_Static_assert(!RUNNEL_AES_PREFIX_BYTES || sizeof(aes_prefix) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_portable),
               "prefix table");

/* A run, and where in it the next group begins. */
typedef struct aes_position {
    uint64_t planes[8];     /* of four blocks whose lowest byte is 0, with the first key */
    uint64_t difference[8]; /* between the states after two rounds of this run and the table's entries */
    int known;              /* whether difference is defined */
    unsigned number;        /* the next block's lowest byte */
} aes_position;

static void aes_begin_run(aes_position *p, const runnel_aes_schedule *s, const uint8_t block[16])
{
    uint8_t copies[16 * BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        memcpy(copies + 16 * b, block, 16);
    aes_pack(p->planes, copies);
    aes_add_key(p->planes, s->keys.sliced[0]);
    p->known = 0;
}

/* The counter blocks from p->number on, with the first key. Byte 0 is in the lowest bits of a plane, byte 15 in the highest. */
static inline void aes_counter_planes(uint64_t q[8], const aes_position *p, int little)
{
    const uint32_t numbers = p->number * 0x01010101u + 0x03020100u;
    UNROLLED
    for (int i = 0; i < 8; i++) {
        const uint64_t bits = ((numbers >> i & 0x01010101) * 0x10204080u) >> 28;
        q[i] = p->planes[i] ^ (little ? bits : bits << 60);
    }
}

/* Takes the state after two rounds of group g: stores it as the entry, or derives by what the run differs from the table. */
static inline void aes_learn(aes_prefix *t, aes_position *p, unsigned g, const uint64_t q[8], int may_store)
{
    uint64_t *entry = t->entry[g];
    if (t->filled >> g & 1) {
        for (int i = 0; i < 8; i++)
            p->difference[i] = q[i] ^ entry[i];
        p->known = 1;
        return;
    }
    if (!may_store)
        return;
    if (t->filled == 0) {
        memset(p->difference, 0, sizeof p->difference);
        p->known = 1;
    }
    if (p->known) {
        for (int i = 0; i < 8; i++)
            entry[i] = q[i] ^ p->difference[i];
        t->filled |= (uint64_t)1 << g;
    }
}

/* The state after two rounds of the next group; t is NULL where the table has none of it. */
static inline void aes_two_rounds(uint64_t q[8], const runnel_aes_schedule *s, aes_prefix *t, aes_position *p,
                                  int may_store, int little)
{
    const unsigned g = p->number / BLOCKS;
    if (t != NULL && p->known && (t->filled >> g & 1)) {
        for (int i = 0; i < 8; i++)
            q[i] = t->entry[g][i] ^ p->difference[i];
        return;
    }
    aes_counter_planes(q, p, little);
    aes_middle_round(q, 1, s->keys.sliced[1]);
    aes_middle_round(q, 2, s->keys.sliced[2]);
    if (t != NULL)
        aes_learn(t, p, g, q, may_store);
}

/* Makes the table that of this nonce, if the message is long enough to fill it. Returns NULL if it is another's. */
static aes_prefix *aes_open_prefix(aes_prefix *t, const uint8_t *block, size_t nblocks, int little)
{
    const uint32_t column = aes_column_word(block, little);
    if (t->filled != 0 && t->column == column && t->little == little)
        return t;
    if (nblocks <= AES_RUN)
        return NULL;
    t->filled = 0;
    t->column = column;
    t->little = (uint8_t)little;
    return t;
}

static void aes_put(uint8_t *out, const uint8_t *in, uint64_t q[8], size_t n)
{
    uint8_t keystream[16 * BLOCKS];
    if (n == BLOCKS && in == NULL) {
        aes_unpack(out, q);
        return;
    }
    aes_unpack(keystream, q);
    runnel_xor_bytes(out, in, keystream, 16 * n);
    runnel_wipe(keystream, sizeof keystream);
}

/* `little` is 1 where the first four bytes count, little-endian, and 0 where the last four do. */
static inline void aes_count(const runnel_aes_schedule *s, aes_prefix *prefix, const uint8_t *first, uint8_t *out,
                             const uint8_t *in, size_t left, int little)
{
    uint8_t block[16];
    aes_position p;
    uint64_t q[8];
    memcpy(block, first, sizeof block);
    uint8_t *const lowest = little ? block : block + 15;
    p.number = *lowest;
    *lowest = 0;
    aes_prefix *const table = prefix != NULL ? aes_open_prefix(prefix, first, left, little) : NULL;
    const int align = table != NULL && left >= AES_WORTH_ALIGNING;
    for (;;) {
        aes_begin_run(&p, s, block);
        while (p.number < AES_RUN) {
            const unsigned over = p.number % BLOCKS;
            size_t n = over != 0 && align ? BLOCKS - over : BLOCKS;
            if (n > AES_RUN - p.number)
                n = AES_RUN - p.number;
            if (n > left)
                n = left;
            aes_two_rounds(q, s, over == 0 ? table : NULL, &p, align, little);
            aes_finish_sliced(q, s, 2);
            aes_put(out, in, q, n);
            left -= n;
            if (left == 0) {
                runnel_wipe(q, sizeof q);
                runnel_wipe(&p, sizeof p);
                return;
            }
            out += 16 * n;
            in = in == NULL ? NULL : in + 16 * n;
            p.number += (unsigned)n;
        }
        p.number = 0;
        if (little)
            runnel_store32le(block, runnel_load32le(block) + AES_RUN);
        else
            runnel_store32be(block + 12, runnel_load32be(block + 12) + AES_RUN);
    }
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
    const aes_prefix *t = prefix;
    return t->filled == 0 ? 8 : sizeof *t;
}

#define COUNTER_MODE .ctr32 = aes_ctr32, .ctr32_little = aes_ctr32_little, .prefix_used = aes_prefix_used,
#else
#define COUNTER_MODE
#endif

const runnel_kernel runnel_aes_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation =
        RUNNEL_TEXT("fixslicing: Adomnicai, Peyrin, TCHES 2021/1; S-box: Boyar, Peralta; 4 blocks in 64-bit words; "
                    "prefix caching after FACE (TCHES 2018/3)"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              COUNTER_MODE RUNNEL_DECRYPTION(aes_set_decrypt_key, aes_decrypt_blocks)},
};
