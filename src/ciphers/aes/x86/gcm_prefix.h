/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GCM's groups with prefix caching, as in prefix_table.h: the state after round 2 is base XOR table[b], where b is the counter's last
 * byte and base the state for b = 0. A period is 256 blocks from b = 2 on; the last two of them belong to the next run.
 * The table is stored on the way by groups that need all their rounds, and kept as long as the nonce's bytes 0, 5 and
 * 10, which share a column with b, are the same: across messages if nonces are a counter. The includer
 * defines TARGET and includes the vectors of its width. */
#ifndef AES_X86_GCM_PREFIX_H
#define AES_X86_GCM_PREFIX_H

#include "arch/common/bytes.h"
#include "gcm_group.h"
#include "rounds.h"

#define PERIOD 256

/* In the place of the prefix tables of counter mode. */
typedef struct aes_gcm_prefix {
    uint16_t filled; /* entries of two_rounds that are defined, from the first on */
    uint8_t column_set;
    uint8_t unused;
    uint32_t column; /* bytes 0, 5 and 10 of the nonce that two_rounds belongs to */
    uint8_t to_line[56];
    uint8_t two_rounds[PERIOD][16]; /* [i] is for last byte 2 + i modulo 256 */
} __attribute__((may_alias)) aes_gcm_prefix;

_Static_assert(sizeof(aes_gcm_prefix) <= RUNNEL_AES_SECOND(RUNNEL_AES_SIZES_aesni), "prefix tables");

/* Where the next group is. The bases are those after round 2. */
typedef struct aes_period {
    vector base, next; /* of this period and of the next one, which is made ahead so that nothing waits for it */
    const uint8_t *block;
    aes_gcm_prefix *prefix; /* NULL: there are no entries to be read or written */
    uint32_t counter;       /* of the period's first block, less 2 */
    uint16_t entry;         /* of the group's first block */
    uint8_t stores;         /* 1: entries are written */
} aes_period;

/* Two rounds of one counter block; its number's last byte is 0. */
TARGET RUNNEL_INLINE vector aes_base_after_round_2(const runnel_aes_schedule *s, const uint8_t *block, uint32_t counter)
{
    const __m128i *keys = (const void *)s->keys.bytes;
    const __m128i nonce = _mm_loadu_si128((const void *)block);
    __m128i x = _mm_insert_epi32(nonce, (int)__builtin_bswap32(counter), 3);
    x = _mm_xor_si128(x, _mm_loadu_si128(keys));
    x = _mm_aesenc_si128(x, _mm_loadu_si128(keys + 1));
    return vector_repeat(_mm_aesenc_si128(x, _mm_loadu_si128(keys + 2)));
}

/* Of the next group; the last one in a period ends in the next period. */
TARGET RUNNEL_INLINE aes_bases aes_bases_after_round_2(const aes_period *p)
{
    return p->entry == PERIOD - AES_GROUP ? aes_two_bases(p->base, p->next) : (aes_bases){p->base, p->base};
}

TARGET RUNNEL_INLINE void aes_end_group(aes_period *p, const runnel_aes_schedule *s)
{
    p->entry = (uint16_t)(p->entry + AES_GROUP);
    if (p->prefix == NULL || p->entry < PERIOD)
        return;
    p->entry = 0;
    p->counter += PERIOD;
    p->base = p->next;
    p->next = aes_base_after_round_2(s, p->block, p->counter + PERIOD);
}

/* One group. `from_table` and `hashing` are constants. */
TARGET RUNNEL_INLINE void aes_crypt_group_of_period(aes_position *at, aes_period *p, int from_table,
                                                    const aes_hashing hashing)
{
    const aes_bases b = aes_bases_after_round_2(p);
    if (from_table) {
        aes_crypt_group(at, p->prefix->two_rounds[p->entry], b, 1, NULL, b, hashing);
        at->counter = aes_add_to_counter(at->counter, AES_GROUP);
    } else {
        uint8_t *const store = p->stores ? p->prefix->two_rounds[p->entry] : NULL;
        aes_crypt_group(at, aes_first_entries[0], aes_next_bases(at), 0, store, b, hashing);
    }
    aes_end_group(p, at->schedule);
}

/* n groups in one way. `hashing` and `from_table` are constants. */
TARGET RUNNEL_INLINE void aes_crypt_uniform_groups(aes_position *all, aes_period *where, size_t n, int from_table,
                                                   int hashing)
{
    aes_position at = *all;
    aes_period p = *where;
    for (; hashing && n >= 2; n -= 2) {
        aes_crypt_group_of_period(&at, &p, from_table, AES_HASH_FIRST);
        aes_crypt_group_of_period(&at, &p, from_table, AES_HASH_SECOND);
    }
    for (; n > 0; n--)
        aes_crypt_group_of_period(&at, &p, from_table, hashing ? AES_HASH_ALONE : AES_HASH_NOTHING);
    if (from_table)
        at.base = aes_base_before_round_1(at.schedule, at.counter);
    *all = at;
    *where = p;
}

TARGET static RUNNEL_NOINLINE void aes_first_group(aes_position *at, aes_period *p)
{
    aes_crypt_uniform_groups(at, p, 1, 0, 0);
}

TARGET static RUNNEL_NOINLINE void aes_fresh_groups(aes_position *at, aes_period *p, size_t n)
{
    aes_crypt_uniform_groups(at, p, n, 0, 1);
}

TARGET static RUNNEL_NOINLINE void aes_first_group_from_table(aes_position *at, aes_period *p)
{
    aes_crypt_uniform_groups(at, p, 1, 1, 0);
}

TARGET static RUNNEL_NOINLINE void aes_groups_from_table(aes_position *at, aes_period *p, size_t n)
{
    aes_crypt_uniform_groups(at, p, n, 1, 1);
}

/* Makes the table that of this nonce. Returns whether it is worth writing. */
static inline int aes_open_prefix(aes_gcm_prefix *p, const uint8_t *block, size_t ngroups)
{
    const uint32_t column = (uint32_t)block[0] | (uint32_t)block[5] << 8 | (uint32_t)block[10] << 16;
    if (p->column_set && p->column == column)
        return 1;
    p->column_set = 1;
    p->column = column;
    p->filled = 0;
    return ngroups > PERIOD / AES_GROUP;
}

/* ngroups >= 1 groups after begin_groups, the first with this counter block: a multiple of GROUP and 2. */
TARGET static RUNNEL_NOINLINE void aes_crypt_groups(aes_position *at, aes_gcm_prefix *prefix, const uint8_t *block,
                                                    size_t ngroups, int decrypt)
{
    const runnel_aes_schedule *s = at->schedule;
    const uint32_t counter = runnel_load32be(block + 12) - 2;
    const int may_store = prefix != NULL && aes_open_prefix(prefix, block, ngroups);
    aes_period p = {.base = at->base, .next = at->base, .block = block};
    if (may_store || (prefix != NULL && prefix->filled > 0)) {
        p.prefix = prefix;
        p.entry = counter % PERIOD;
        p.counter = counter - p.entry;
        p.base = aes_base_after_round_2(s, block, p.counter);
        p.next = aes_base_after_round_2(s, block, p.counter + PERIOD);
    }
    int first = !decrypt; /* nothing is there to be hashed */
    for (size_t n; ngroups > 0; ngroups -= n, first = 0) {
        const unsigned filled = p.prefix == NULL ? 0 : prefix->filled;
        const int from_table = p.entry < filled;
        size_t alike = ngroups;
        if (from_table && filled < PERIOD)
            alike = (filled - p.entry) / AES_GROUP;
        else if (!from_table && p.prefix != NULL)
            alike = (PERIOD - p.entry) / AES_GROUP;
        n = first ? 1 : alike < ngroups ? alike : ngroups;
        p.stores = may_store && !from_table && p.entry == filled;
        if (p.stores)
            prefix->filled = (uint16_t)(filled + AES_GROUP * n);
        if (first)
            (from_table ? aes_first_group_from_table : aes_first_group)(at, &p);
        else
            (from_table ? aes_groups_from_table : aes_fresh_groups)(at, &p, n);
    }
    aes_wipe_vectors(&p, sizeof p);
}

#endif
