/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Groups with prefix caching, as in ctr.h: the state after round 2 is base XOR table[b], where b is the counter's last
 * byte and base the state for b = 0. A period is 256 blocks from b = 2 on; the last two of them belong to the next run.
 * The table is stored on the way by groups that need all their rounds, and kept as long as the nonce's bytes 0, 5 and
 * 10, which share a column with b, are the same: across messages if nonces are a counter. */
#include "gcm_group.h"

#define PERIOD 256

/* In the place of the prefix tables of counter mode. */
typedef struct gcm_prefix {
    uint16_t filled; /* entries of two_rounds that are defined, from the first on */
    uint8_t column_set;
    uint8_t unused;
    uint32_t column; /* bytes 0, 5 and 10 of the nonce that two_rounds belongs to */
    uint8_t to_line[56];
    uint8_t two_rounds[PERIOD][16]; /* [i] is for last byte 2 + i modulo 256 */
} __attribute__((may_alias)) gcm_prefix;

_Static_assert(!RUNNEL_AES_PREFIX_BYTES || sizeof(gcm_prefix) <= RUNNEL_AES_PREFIX_BYTES, "the context has no room");

/* Of the current period, after round 2; the last group's is blended with the next period's. */
typedef struct period {
    VECTOR base, next;
    uint8_t *entries; /* of the next group, to be read or written; NULL: neither */
    size_t left;      /* groups to the period's end */
} period;

TARGET RUNNEL_INLINE bases bases_after_round_2(const period *p)
{
    return p->left == 1 ? two_bases(p->base, p->next) : (bases){p->base, p->base};
}

/* n groups in the current period. `hashing` is a constant in those two, `from_table` in what is made of them. */
TARGET RUNNEL_INLINE void crypt_period(position *all, period *p, size_t n, int from_table, int hashing)
{
    position at = *all;
    for (; n > 0; n--) {
        const bases b = bases_after_round_2(p);
        if (from_table)
            crypt_group(&at, p->entries, b, 1, NULL, b, hashing);
        else
            crypt_group(&at, first_entries[0], next_bases(&at), 0, p->entries, b, hashing);
        p->left--;
        if (p->entries != NULL)
            p->entries += 16 * GROUP;
    }
    *all = at;
}

TARGET APART void first_group(position *at, period *p)
{
    crypt_period(at, p, 1, 0, 0);
}

TARGET APART void fresh_groups(position *at, period *p, size_t n)
{
    crypt_period(at, p, n, 0, 1);
}

TARGET APART void first_group_from_table(position *at, period *p)
{
    crypt_period(at, p, 1, 1, 0);
}

TARGET APART void groups_from_table(position *at, period *p, size_t n)
{
    crypt_period(at, p, n, 1, 1);
}

/* Two rounds of one counter block; its number's last byte is 0. */
TARGET RUNNEL_INLINE VECTOR base_after_round_2(const runnel_aes_schedule *s, const uint8_t *block, uint32_t counter)
{
    const __m128i *keys = (const void *)s->keys.bytes;
    const __m128i nonce = _mm_loadu_si128((const void *)block);
    __m128i x = _mm_insert_epi32(nonce, (int)__builtin_bswap32(counter), 3);
    x = _mm_xor_si128(x, _mm_loadu_si128(keys));
    x = _mm_aesenc_si128(x, _mm_loadu_si128(keys + 1));
    return REPEAT_REGISTER(_mm_aesenc_si128(x, _mm_loadu_si128(keys + 2)));
}

/* Makes the table that of this nonce. Returns whether it is worth writing. */
static inline int open_prefix(gcm_prefix *p, const uint8_t *block, size_t ngroups)
{
    const uint32_t column = (uint32_t)block[0] | (uint32_t)block[5] << 8 | (uint32_t)block[10] << 16;
    if (p->column_set && p->column == column)
        return 1;
    p->column_set = 1;
    p->column = column;
    p->filled = 0;
    return ngroups > PERIOD / GROUP;
}

/* ngroups >= 1 groups after begin_groups, the first with this counter block: a multiple of GROUP and 2. */
TARGET APART void crypt_groups(position *at, gcm_prefix *p, const uint8_t *block, size_t ngroups, int decrypt)
{
    const runnel_aes_schedule *s = at->schedule;
    uint32_t counter = runnel_load32be(block + 12) - 2;
    const int may_store = p != NULL && open_prefix(p, block, ngroups);
    const int tabled = may_store || (p != NULL && p->filled > 0);
    period now = {.base = at->base, .next = at->base};
    if (tabled) {
        now.base = base_after_round_2(s, block, counter / PERIOD * PERIOD);
        now.next = base_after_round_2(s, block, counter / PERIOD * PERIOD + PERIOD);
    }
    int first = !decrypt; /* nothing is there to be hashed */
    while (ngroups > 0) {
        const unsigned entry = counter % PERIOD;
        now.left = (PERIOD - entry) / GROUP;
        size_t n = now.left < ngroups ? now.left : ngroups;
        const int from_table = tabled && entry < p->filled;
        now.entries = NULL;
        if (from_table) {
            if (n > (p->filled - entry) / GROUP)
                n = (p->filled - entry) / GROUP;
            now.entries = p->two_rounds[entry];
        }
        if (first)
            n = 1;
        if (may_store && entry == p->filled) {
            now.entries = p->two_rounds[entry];
            p->filled = (uint16_t)(p->filled + GROUP * n);
        }
        if (first)
            (from_table ? first_group_from_table : first_group)(at, &now);
        else
            (from_table ? groups_from_table : fresh_groups)(at, &now, n);
        if (from_table) { /* which does not count */
            at->counter = add_to_counter(at->counter, (uint32_t)(GROUP * n));
            at->base = base_before_round_1(s, at->counter);
        }
        first = 0;
        ngroups -= n;
        counter += (uint32_t)(GROUP * n);
        if (tabled && counter % PERIOD == 0) { /* the next one is made a period ahead, so that nothing waits for it */
            now.base = now.next;
            now.next = base_after_round_2(s, block, counter + PERIOD);
        }
    }
    if (!decrypt)
        hash_group(at);
    runnel_wipe(&now, sizeof now);
}
