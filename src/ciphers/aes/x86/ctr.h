/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in counter mode on x86 vector registers, written once for every width. A kernel's file defines the vector and
 * its operations, includes this file once and puts encrypt_blocks, ctr32 and ctr32_little into its runnel_kernel.
 *
 * Prefix caching. Let b be the counter's lowest byte, byte 15 of the block or, if it counts little-endian, byte 0, and
 * base[r] the state after r rounds of the block in which b is 0. In a run, the blocks that differ in b alone, the state
 * after r <= 2 rounds is base[r] XOR table[r][b]: in round 1 b reaches one column only, whose other three bytes are
 * nonce, and round 2 works on each column by itself up to its ShiftRows.
 *   table[0][b] = b in its byte;
 *   table[1] depends on the key alone: built once enough blocks have gone without table[2];
 *   table[2] depends on the key and the bytes of the block that share that column, 0, 5 and 10 or 5, 10 and 15: stored
 *            on the way by blocks that need all their rounds, and kept as long as these bytes are the same.
 * Byte 0 and byte 15 come into the same column, but by different rows: the tables are of one place or the other.
 * Tables are indexed by the counter, which is public. Blocks are taken in groups of GROUP from the first on; a group
 * that reaches beyond 256 entries uses the entries behind them, which repeat the first ones. table[2] begins with the
 * b of the message's first block, so that its groups are aligned in memory.
 *
 * To be defined before:
 *   TARGET, VECTOR, LANES        function attribute; type, and how many blocks it holds (1, 2 or 4)
 *   LOAD(p), STORE(p, v)         LANES blocks
 *   LOAD_SOME(p, n), STORE_SOME(p, v, n)   0 < n <= LANES blocks and not a byte more
 *   BLOCK(v, i)                  block number i of a vector, where LANES < 4
 *   REPEAT(p)                    the 16 bytes at p in every lane
 *   XOR, AND, ADD32, ENC, LAST, SHUFFLE_BYTES   operations on two vectors; ENC and LAST are AESENC and AESENCLAST
 *   STREAM(p, v)                 LANES blocks to an aligned place past the caches; may be left undefined */
#include <string.h>

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "ciphers/aes/column.h"
#include "one_block.h"

/* Compilers do this themselves, but gcc 12 misses some exits of a function with 512-bit registers. */
#if LANES > 1
#define CLEAR_UPPER() _mm256_zeroupper()
#else
#define CLEAR_UPPER() ((void)0)
#endif

#define GROUP (8 * LANES)
#define RUN 256
#define ENTRIES (sizeof((aes_prefix *)0)->one_round / 16)
#define ONE_ROUND_FROM_BLOCKS 1024

/* Rare cases of the main loop are not inlined, or the compiler runs out of registers there. */
#define APART static RUNNEL_NOINLINE

#define EACH1(f) f(0)
#define EACH2(f) f(0) f(1)
#define EACH3(f) EACH2(f) f(2)
#define EACH4(f) EACH3(f) f(3)
#define EACH5(f) EACH4(f) f(4)
#define EACH6(f) EACH5(f) f(5)
#define EACH7(f) EACH6(f) f(6)
#define EACH8(f) EACH7(f) f(7)

/* table[0], from the start of a group; [1]: little-endian. */
#define TWO(n, at) {[at] = n}, {[at] = n + 1},
#define COUNTERS(n, at) TWO(n, at) TWO(n + 2, at) TWO(n + 4, at) TWO(n + 6, at)
static const RUNNEL_LINE_ALIGNED uint8_t counters[2][32][16] = {
    {COUNTERS(0, 15) COUNTERS(8, 15) COUNTERS(16, 15) COUNTERS(24, 15)},
    {COUNTERS(0, 0) COUNTERS(8, 0) COUNTERS(16, 0) COUNTERS(24, 0)}};

/* From masks[32 - n] on: n blocks of zeros, then ones. */
#define ONES {UINT64_MAX, UINT64_MAX}
static const RUNNEL_LINE_ALIGNED uint64_t masks[64][2] = {[32] = ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES,
                                                          ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES,
                                                          ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES,
                                                          ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES};

/* One round on n vectors x. */
#define ENC_ONE(i) x[i] = ENC(x[i], k);
#define ROUND(n, key)                                                                                                  \
    {                                                                                                                  \
        const VECTOR k = REPEAT(key);                                                                                  \
        EACH##n(ENC_ONE)                                                                                               \
    }

/* The first two rounds, as far as they are not done yet. */
#define TO_ROUND_2(n)                                                                                                  \
    if (done < 1)                                                                                                      \
        ROUND(n, s->keys.bytes[1])                                                                                     \
    if (done < 2)                                                                                                      \
        ROUND(n, s->keys.bytes[2])

/* Round 3 to the last but one; key then points to the last round key. */
#define FROM_ROUND_3(n)                                                                                                \
    const uint8_t *key = s->keys.bytes[3];                                                                             \
    if (s->rounds > 10) {                                                                                              \
        ROUND(n, key)                                                                                                  \
        ROUND(n, key + 16)                                                                                             \
        key += 32;                                                                                                     \
        if (s->rounds > 12) {                                                                                          \
            ROUND(n, key)                                                                                              \
            ROUND(n, key + 16)                                                                                         \
            key += 32;                                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    ROUND(n, key)                                                                                                      \
    ROUND(n, key + 16)                                                                                                 \
    ROUND(n, key + 32)                                                                                                 \
    ROUND(n, key + 48)                                                                                                 \
    ROUND(n, key + 64)                                                                                                 \
    ROUND(n, key + 80)                                                                                                 \
    ROUND(n, key + 96)                                                                                                 \
    key += 112;

#define STORE_ENTRY(i) STORE(store + 16 * LANES * (i), XOR(x[i], base_2));
#define WRITE_ONE(i) STORE(out + 16 * LANES * (i), LAST(x[i], last));
#define XOR_ONE(i) STORE(out + 16 * LANES * (i), LAST(x[i], XOR(last, LOAD(in + 16 * LANES * (i)))));

/* From the state after `done` rounds to the output, on n whole vectors; table[2]'s entries are written to store unless
 * it is NULL. */
#define DEFINE_FINISH(n)                                                                                               \
    TARGET RUNNEL_INLINE void finish##n(VECTOR x[n], unsigned done, const runnel_aes_schedule *s, uint8_t *store,      \
                                        VECTOR base_2, uint8_t *out, const uint8_t *in)                                \
    {                                                                                                                  \
        TO_ROUND_2(n)                                                                                                  \
        if (store != NULL) {                                                                                           \
            EACH##n(STORE_ENTRY)                                                                                       \
        }                                                                                                              \
        FROM_ROUND_3(n)                                                                                                \
        const VECTOR last = REPEAT(key);                                                                               \
        if (in == NULL) {                                                                                              \
            EACH##n(WRITE_ONE)                                                                                         \
        } else {                                                                                                       \
            EACH##n(XOR_ONE)                                                                                           \
        }                                                                                                              \
    }
DEFINE_FINISH(8)

/* n whole vectors, made by start(i) from what lies at `from`. */
#define STEP(n, start)                                                                                                 \
    {                                                                                                                  \
        VECTOR x[n];                                                                                                   \
        EACH##n(start) finish##n(x, done, s, store, base_2, out, in);                                                  \
        from += 16 * LANES * n;                                                                                        \
        store = store == NULL ? NULL : store + 16 * LANES * n;                                                         \
        out += 16 * LANES * n;                                                                                         \
        in = in == NULL ? NULL : in + 16 * LANES * n;                                                                  \
        nblocks -= LANES * n;                                                                                          \
    }

/* Loads the counter block by halves: the caller has just written it so, and there is no store-forwarding to a wider
 * load. */
TARGET RUNNEL_INLINE __m128i load_block(const uint8_t *block)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const void *)block), _mm_loadl_epi64((const void *)(block + 8)));
}

#define FROM_XOR(i) x[i] = XOR(base, LOAD(from + 16 * LANES * (i)));
#define FROM_ADD(i) x[i] = XOR(base, ADD32(first, LOAD(from + 16 * LANES * (i))));

/* A single block is bound by latency: 128 bits, whatever the width of the rest. */
TARGET RUNNEL_INLINE void one_block(const runnel_aes_schedule *s, __m128i block, uint8_t *out, const uint8_t *in)
{
    block = encrypt_one(s, block);
    _mm_storeu_si128((void *)out, in == NULL ? block : _mm_xor_si128(block, _mm_loadu_si128((const void *)in)));
}

TARGET RUNNEL_INLINE __m128i swap_word_3(void)
{
    return _mm_set_epi8(12, 13, 14, 15, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

#include "rest.h"

TARGET static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *from, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    if (nblocks == 1) {
        one_block(s, load_block(from), out, NULL);
        return;
    }
    const __m128i key = load_block(s->keys.bytes[0]);
    const VECTOR base = REPEAT_REGISTER(key), base_2 = base;
    const unsigned done = 0;
    const uint8_t *in = NULL;
    uint8_t *store = NULL;
    while (nblocks >= 8 * LANES)
        STEP(8, FROM_XOR)
    if (nblocks > 0)
        crypt_rest(s, from, _mm_setzero_si128(), key, 0, NULL, key, out, NULL, 16 * nblocks, NULL);
    CLEAR_UPPER();
}

/* A group from the states in a table. Here and below `little` is 1 where the first four bytes of a block count,
 * little-endian, and 0 where the last four do. */
TARGET RUNNEL_INLINE void group_from_table(const runnel_aes_schedule *s, const uint8_t *from, VECTOR base,
                                           unsigned done, uint8_t *store, VECTOR base_2, uint8_t *out,
                                           const uint8_t *in)
{
    VECTOR x[8];
    EACH8(FROM_XOR)
    finish8(x, done, s, store, base_2, out, in);
}

/* The same from their counter blocks, `first` and on. */
TARGET RUNNEL_INLINE void group_from_counter(const runnel_aes_schedule *s, VECTOR first, uint8_t *store, VECTOR base_2,
                                             uint8_t *out, const uint8_t *in, int little)
{
    const VECTOR base = REPEAT(s->keys.bytes[0]);
    const uint8_t *from = counters[little][0];
    VECTOR x[8];
    EACH8(FROM_ADD)
    finish8(x, 0, s, store, base_2, out, in);
}

/* Block number n of its run, alone. */
TARGET RUNNEL_INLINE __m128i lowest_byte(unsigned n, int little)
{
    const __m128i first = _mm_cvtsi32_si128((int)n);
    return little ? first : _mm_slli_si128(first, 15);
}

static inline unsigned number_in_run(const uint8_t *block, int little)
{
    return block[little ? 0 : 15];
}

typedef struct run_base {
    __m128i block; /* number 0 of the run */
    __m128i after_1, after_2;
} run_base;

/* Between a block and the same with its counter in the machine's byte order. */
TARGET RUNNEL_INLINE __m128i turn_counter(__m128i x, int little)
{
    return little ? x : _mm_shuffle_epi8(x, swap_word_3());
}

TARGET RUNNEL_INLINE __m128i add_to_turned(__m128i x, int n, int little)
{
    return _mm_add_epi32(x, little ? _mm_cvtsi32_si128(n) : _mm_set_epi32(n, 0, 0, 0));
}

/* counter is the run's block with its counter in the machine's byte order. */
TARGET RUNNEL_INLINE run_base base_states(const runnel_aes_schedule *s, __m128i counter, int little)
{
    run_base base;
    base.block = turn_counter(counter, little);
    base.after_1 = _mm_xor_si128(base.block, _mm_loadu_si128((const void *)s->keys.bytes[0]));
    base.after_1 = _mm_aesenc_si128(base.after_1, _mm_loadu_si128((const void *)s->keys.bytes[1]));
    base.after_2 = _mm_aesenc_si128(base.after_1, _mm_loadu_si128((const void *)s->keys.bytes[2]));
    return base;
}

/* table[1][b] is the round of (key byte XOR b) XOR the round of that key byte, all other bytes 0. */
TARGET APART void build_one_round(const runnel_aes_schedule *s, aes_prefix *p, int little)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i key_byte = lowest_byte(number_in_run(s->keys.bytes[0], little), little);
    const VECTOR no_key = REPEAT_REGISTER(zero), base = REPEAT_REGISTER(_mm_aesenc_si128(key_byte, zero));
    for (unsigned b = 0; b < ENTRIES; b += LANES) {
        VECTOR x = REPEAT_REGISTER(_mm_xor_si128(key_byte, lowest_byte(b % RUN, little)));
        x = ENC(XOR(x, LOAD(counters[little][0])), no_key);
        STORE(p->one_round[b], XOR(x, base));
    }
    p->one_round_set = AES_SET(little);
    p->blocks = 0;
}

/* Makes table[2] that of this nonce. Returns whether entries may be stored: if the message is long, or the table fits
 * already, as in a stream that continues; a short message would pay for entries that nobody uses. */
TARGET RUNNEL_INLINE int open_prefix(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block, size_t nblocks,
                                     int little)
{
    const uint32_t column = aes_column_word(block, little);
    int may_store = 1;
    if (p->column_set != AES_SET(little) || p->column != column) {
        p->column = column;
        p->column_set = AES_SET(little);
        p->filled = 0;
        may_store = nblocks > RUN;
        if (p->one_round_set != AES_SET(little)) {
            p->blocks = (uint16_t)(p->blocks + (may_store ? RUN : nblocks));
            if (p->blocks >= ONE_ROUND_FROM_BLOCKS)
                build_one_round(s, p, little);
        }
    }
    if (p->filled == 0)
        p->phase = (uint8_t)number_in_run(block, little);
    p->two_rounds_used |= (uint8_t)may_store;
    return may_store;
}

#define CROSS(i, difference) AND(difference, LOAD(after_crossing + 16 * LANES * (i)))
#define CROSS_FROM_XOR(i) x[i] = XOR(XOR(base, CROSS(i, difference)), LOAD(from + 16 * LANES * (i)));
#define CROSS_FROM_ADD(i) x[i] = XOR(XOR(base, CROSS(i, difference)), ADD32(first, LOAD(from + 16 * LANES * (i))));
#define CROSS_STORE(i) STORE(store + 16 * LANES * (i), XOR(x[i], XOR(base_2, CROSS(i, difference_2))));

/* A whole group that begins in the run of `a`, with block number b, and ends in the run of `z`. */
TARGET APART void crossing_group(const runnel_aes_schedule *s, const uint8_t *from, const run_base *a,
                                  const run_base *z, unsigned b, unsigned done, uint8_t *store, uint8_t *out,
                                  const uint8_t *in, int little)
{
    const uint8_t *after_crossing = (const uint8_t *)masks[32 - (RUN - b)];
    const VECTOR base_2 = REPEAT_REGISTER(a->after_2);
    const VECTOR difference_2 = REPEAT_REGISTER(_mm_xor_si128(a->after_2, z->after_2));
    VECTOR x[8];
    if (done == 0) {
        const VECTOR base = REPEAT(s->keys.bytes[0]);
        /* A lowest byte that is not the first one of its word drops its carry, as another would not. */
        const VECTOR first = REPEAT_REGISTER(_mm_add_epi32(a->block, lowest_byte(b, little)));
        const VECTOR difference =
            REPEAT_REGISTER(little ? _mm_setzero_si128() : _mm_xor_si128(a->block, z->block));
        EACH8(CROSS_FROM_ADD)
    } else {
        const VECTOR base = REPEAT_REGISTER(done == 1 ? a->after_1 : a->after_2);
        const VECTOR difference = done == 1 ? REPEAT_REGISTER(_mm_xor_si128(a->after_1, z->after_1)) : difference_2;
        EACH8(CROSS_FROM_XOR)
    }
    TO_ROUND_2(8)
    if (store != NULL) {
        EACH8(CROSS_STORE)
    }
    finish8(x, 2, s, NULL, base_2, out, in);
}

/* A message of any number of bytes; leftover as in finish_part. */
TARGET RUNNEL_INLINE void long_run(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t left, uint8_t *leftover, int little)
{
    unsigned b = number_in_run(block, little);
    __m128i counter = add_to_turned(turn_counter(load_block(block), little), -(int)b, little);
    run_base base = base_states(s, counter, little);
    const int may_store = p != NULL && open_prefix(s, p, block, (left + 15) / 16, little);
    const int one_round = p != NULL && p->one_round_set == AES_SET(little);
    const unsigned phase = p != NULL ? p->phase : 0;
    unsigned filled = p != NULL ? p->filled : 0;
    /* Not with run_bits: groups may lie in two runs, and the next one's first rounds are made ahead. */
    for (;;) {
        /* Computed one run ahead, so that nothing waits for these two rounds. */
        counter = add_to_turned(counter, RUN, little);
        const run_base next = base_states(s, counter, little);
        const VECTOR base_1 = REPEAT_REGISTER(base.after_1), base_2 = REPEAT_REGISTER(base.after_2);
        do {
            size_t bytes = left < 16 * GROUP ? left : 16 * GROUP;
            if (bytes < 16 * GROUP && bytes > 16 * (RUN - b))
                bytes = 16 * (RUN - b);
            const size_t nblocks = (bytes + 15) / 16;
            unsigned done = one_round;
            const uint8_t *from = one_round ? p->one_round[b] : counters[little][0];
            uint8_t *store = NULL;
            const unsigned entry = (b - phase) % RUN;
            if (entry + nblocks <= filled) {
                done = 2;
                from = p->two_rounds[entry];
            } else if (may_store && entry <= filled) {
                store = p->two_rounds[entry];
                filled = entry + (unsigned)nblocks;
                p->filled = (uint16_t)filled;
            }
            if (bytes < 16 * GROUP) {
                const __m128i first = _mm_add_epi32(base.block, lowest_byte(b, little));
                crypt_rest(s, from, done > 0 ? _mm_setzero_si128() : first,
                           done == 0   ? load_block(s->keys.bytes[0])
                           : done == 1 ? base.after_1
                                       : base.after_2,
                           done, store, base.after_2, out, in, bytes, leftover);
            } else if (nblocks > RUN - b) {
                crossing_group(s, from, &base, &next, b, done, store, out, in, little);
            } else if (done == 2) {
                group_from_table(s, from, base_2, 2, NULL, base_2, out, in);
            } else if (done == 1) {
                group_from_table(s, from, base_1, 1, store, base_2, out, in);
            } else {
                group_from_counter(s, REPEAT_REGISTER(_mm_add_epi32(base.block, lowest_byte(b, little))), store, base_2,
                                   out, in, little);
            }
            left -= bytes;
            if (left == 0) {
                CLEAR_UPPER();
                return;
            }
            b += (unsigned)nblocks;
            out += bytes;
            in = in == NULL ? NULL : in + bytes;
        } while (b < RUN);
        b -= RUN;
        base = next;
    }
}

/* One function for each place, in which it is a constant. */
TARGET APART void long_message(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block, uint8_t *out,
                               const uint8_t *in, size_t left, uint8_t *leftover)
{
    long_run(s, p, block, out, in, left, leftover, 0);
}

TARGET APART void long_message_little(const runnel_aes_schedule *s, aes_prefix *p, const uint8_t *block, uint8_t *out,
                                      const uint8_t *in, size_t nblocks)
{
    long_run(s, p, block, out, in, 16 * nblocks, NULL, 1);
}

#ifdef STREAM
#include "past_caches.h"
#endif

TARGET static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                         size_t nblocks)
{
    if (nblocks == 1)
        one_block(state, load_block(block), out, in);
    else if (nblocks <= GROUP)
        short_message(state, block, out, in, 16 * nblocks, NULL);
#ifdef STREAM
    else if (past_caches(prefix, out, in, nblocks))
        ctr32_past_caches(state, prefix, block, out, in, nblocks);
#endif
    else
        long_message(state, prefix, block, out, in, 16 * nblocks, NULL);
}

TARGET static void ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks, size_t tail, uint8_t *leftover)
{
    if (nblocks < GROUP) {
        short_message(state, block, out, in, 16 * nblocks + tail, leftover);
        return;
    }
#ifdef STREAM
    if (past_caches(prefix, out, in, nblocks)) {
        uint8_t last[16];
        memcpy(last, block, sizeof last);
        runnel_store32be(last + 12, runnel_load32be(last + 12) + (uint32_t)nblocks);
        ctr32_past_caches(state, prefix, block, out, in, nblocks);
        short_message(state, last, out + 16 * nblocks, in + 16 * nblocks, tail, leftover);
        return;
    }
#endif
        long_message(state, prefix, block, out, in, 16 * nblocks + tail, leftover);
}

TARGET static void ctr32_little(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                size_t nblocks)
{
    if (nblocks == 1)
        one_block(state, load_block(block), out, in);
    else if (nblocks <= GROUP)
        short_message_little(state, block, out, in, nblocks);
    else
        long_message_little(state, prefix, block, out, in, nblocks);
}
