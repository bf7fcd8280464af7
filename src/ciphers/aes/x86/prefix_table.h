/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The prefix tables of counter mode. Let b be the counter's lowest byte, byte 15 of the block or, if it counts
 * little-endian, byte 0, and base[r] the state after r rounds of the block in which b is 0. In a run, the blocks that
 * differ in b alone, the state after r <= 2 rounds is base[r] XOR table[r][b]: in round 1 b reaches one column only,
 * whose other three bytes are nonce, and round 2 works on each column by itself up to its ShiftRows.
 *   table[0][b] = b in its byte;
 *   table[1] depends on the key alone: built once enough blocks have gone without table[2];
 *   table[2] depends on the key and the bytes of the block that share that column, 0, 5 and 10 or 5, 10 and 15: stored
 *            on the way by blocks that need all their rounds, and kept as long as these bytes are the same.
 * Byte 0 and byte 15 come into the same column, but by different rows: the tables are of one place or the other.
 * Tables are indexed by the counter, which is public. A group that reaches beyond 256 entries uses the entries behind
 * them, which repeat the first ones. table[2] begins with the b of the message's first block, so that its groups are
 * aligned in memory.
 *
 * Here and in what uses this, `little` is 1 where the first four bytes of a block count, little-endian, and 0 where the
 * last four do. The includer defines TARGET and includes the vectors of its width. */
#ifndef AES_X86_PREFIX_TABLE_H
#define AES_X86_PREFIX_TABLE_H

#include "ciphers/aes/column.h"
#include "one_block.h"
#include "rounds.h"

#define RUN 256
#define ENTRIES (RUN + 32)
#define ONE_ROUND_FROM_BLOCKS 1024

/* In the context. Key set-up zeroes the first 8 bytes; each part is undefined until these flags say otherwise. */
typedef struct aes_x86_prefix {
    uint16_t blocks;         /* encrypted under this key in messages without two_rounds, until one_round is made */
    uint16_t filled;         /* entries of two_rounds that are defined, from the first on */
    uint8_t column_set;      /* column is defined: aes_table_set(the counter is little-endian) */
    uint8_t two_rounds_used; /* some of two_rounds was written under this key */
    uint8_t one_round_set;   /* one_round is defined: aes_table_set(the counter is little-endian) */
    uint8_t phase;           /* two_rounds[i] is for last byte phase + i modulo 256 */
    uint32_t column;         /* the constant bytes of column 0 of the counter blocks that two_rounds belongs to */
    uint8_t unused[52];
    uint8_t two_rounds[ENTRIES][16];
    uint8_t one_round[ENTRIES][16]; /* [i] is for last byte i modulo 256 */
} __attribute__((may_alias)) aes_x86_prefix;

/* A table that is set belongs to one place of the counter: a layout may change under a key. */
static inline uint8_t aes_table_set(int little)
{
    return (uint8_t)(1 + little);
}

/* The tables are used in this order. */
static inline uint32_t aes_x86_prefix_used(const void *prefix)
{
    const aes_x86_prefix *p = prefix;
    if (p->one_round_set)
        return sizeof *p;
    return p->two_rounds_used ? offsetof(aes_x86_prefix, one_round) : offsetof(aes_x86_prefix, two_rounds);
}

/* table[0], from the start of a group; [1]: little-endian. */
#define TWO(n, at) {[at] = n}, {[at] = n + 1},
#define COUNTERS(n, at) TWO(n, at) TWO(n + 2, at) TWO(n + 4, at) TWO(n + 6, at)
static const RUNNEL_LINE_ALIGNED uint8_t aes_counters[2][32][16] = {
    {COUNTERS(0, 15) COUNTERS(8, 15) COUNTERS(16, 15) COUNTERS(24, 15)},
    {COUNTERS(0, 0) COUNTERS(8, 0) COUNTERS(16, 0) COUNTERS(24, 0)}};

static inline unsigned aes_number_in_run(const uint8_t *block, int little)
{
    return block[little ? 0 : 15];
}

/* Block number n of its run, alone. */
TARGET RUNNEL_INLINE __m128i aes_lowest_byte(unsigned n, int little)
{
    const __m128i first = _mm_cvtsi32_si128((int)n);
    return little ? first : _mm_slli_si128(first, 15);
}

/* Between a block and the same with its counter in the machine's byte order. */
TARGET RUNNEL_INLINE __m128i aes_turn_counter(__m128i x, int little)
{
    return little ? x : _mm_shuffle_epi8(x, aes_swap_word_3());
}

TARGET RUNNEL_INLINE __m128i aes_add_to_turned(__m128i x, int n, int little)
{
    return _mm_add_epi32(x, little ? _mm_cvtsi32_si128(n) : _mm_set_epi32(n, 0, 0, 0));
}

typedef struct aes_run_base {
    __m128i block; /* number 0 of the run */
    __m128i after_1, after_2;
} aes_run_base;

/* counter is the run's block with its counter in the machine's byte order. */
TARGET RUNNEL_INLINE aes_run_base aes_base_states(const runnel_aes_schedule *s, __m128i counter, int little)
{
    aes_run_base base;
    base.block = aes_turn_counter(counter, little);
    base.after_1 = _mm_xor_si128(base.block, _mm_loadu_si128((const void *)s->keys.bytes[0]));
    base.after_1 = _mm_aesenc_si128(base.after_1, _mm_loadu_si128((const void *)s->keys.bytes[1]));
    base.after_2 = _mm_aesenc_si128(base.after_1, _mm_loadu_si128((const void *)s->keys.bytes[2]));
    return base;
}

/* table[1][b] is the round of (key byte XOR b) XOR the round of that key byte, all other bytes 0. Not inlined, like other
 * rare cases of the main loop, or the compiler runs out of registers there. */
TARGET static RUNNEL_NOINLINE void aes_build_one_round(const runnel_aes_schedule *s, aes_x86_prefix *p, int little)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i key_byte = aes_lowest_byte(aes_number_in_run(s->keys.bytes[0], little), little);
    const vector no_key = vector_repeat(zero), base = vector_repeat(_mm_aesenc_si128(key_byte, zero));
    for (unsigned b = 0; b < ENTRIES; b += LANES) {
        const vector x = vector_repeat(_mm_xor_si128(key_byte, aes_lowest_byte(b % RUN, little)));
        vector_store(p->one_round[b],
                     vector_xor(vector_aes_round(vector_xor(x, vector_load(aes_counters[little][0])), no_key), base));
    }
    p->one_round_set = aes_table_set(little);
    p->blocks = 0;
}

/* Makes table[2] that of this nonce. Returns whether entries may be stored: if the message is long, or the table fits
 * already, as in a stream that continues; a short message would pay for entries that nobody uses. */
TARGET RUNNEL_INLINE int aes_open_prefix(const runnel_aes_schedule *s, aes_x86_prefix *p, const uint8_t *block,
                                         size_t nblocks, int little)
{
    const uint32_t column = aes_column_word(block, little);
    int may_store = 1;
    if (p->column_set != aes_table_set(little) || p->column != column) {
        p->column = column;
        p->column_set = aes_table_set(little);
        p->filled = 0;
        may_store = nblocks > RUN;
        if (p->one_round_set != aes_table_set(little)) {
            p->blocks = (uint16_t)(p->blocks + (may_store ? RUN : nblocks));
            if (p->blocks >= ONE_ROUND_FROM_BLOCKS)
                aes_build_one_round(s, p, little);
        }
    }
    if (p->filled == 0)
        p->phase = (uint8_t)aes_number_in_run(block, little);
    p->two_rounds_used |= (uint8_t)may_store;
    return may_store;
}

#endif
