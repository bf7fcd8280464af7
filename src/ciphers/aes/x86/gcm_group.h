/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM by groups of 8 vectors, for every width: the position in a message, one group, and what is less than one.
 *
 * Between the rounds of one group the ciphertext of another goes into GHASH: the previous group when sealing, the same
 * one when opening. AES keeps one port busy, carry-less products and shuffles the other.
 *
 * Counters begin with 2, so groups begin with 2, 2 + GROUP …: the upper bits of a counter are those of its group, except
 * in the last two blocks, which have those of the next one. States of a group's blocks are made by one XOR of an entry,
 * which depends on the lower bits, with a base, which depends on the rest; in the last vectors it is another one. */
#ifndef RUNNEL_AES_X86_GCM_GROUP_H
#define RUNNEL_AES_X86_GCM_GROUP_H

#include <string.h>

#include "modes/gcm/mode.h"
#include "arch/common/bytes.h"
#include "macs/ghash/x86/multiply.h"
#include "vectors.h"

#define GROUP (8 * LANES)

#define EACH(n) RUNNEL_UNROLL for (int i = 0; i < (n); i++)
#define APART static RUNNEL_NOINLINE

/* Where a message is. Functions that are inlined keep it in registers. */
typedef struct position {
    __m128i counter; /* of the next block, less 2, in the last word, which is in the machine's byte order */
    VECTOR base;     /* before round 1, of the next group */
    products sum;
    VECTOR y; /* what the sum before was reduced to: added to the first block of this one */
    const runnel_aes_schedule *schedule;
    const runnel_ghash_state *hash;
    uint8_t *out;
    const uint8_t *in;
    const uint8_t *hashed; /* the group that goes into the sum */
    const uint8_t *power;  /* for its first block */
    size_t unhashed;       /* groups that are to go into sums, that one included */
    size_t behind;         /* blocks behind the last of them that go into the same sum; 0: that is reduced with it */
} position;

typedef struct bases {
    VECTOR most, last;
} bases;
#define BASE(b, i) ((i) < (LANES == 1 ? 6 : 7) ? (b).most : (b).last)

TARGET RUNNEL_INLINE bases two_bases(VECTOR base, VECTOR next)
{
#if LANES == 4
    return (bases){base, _mm512_mask_blend_epi64(0xf0, base, next)};
#else
    return (bases){base, next};
#endif
}

/* The entries before round 1. */
#define ENTRY(n) {[15] = (2 + (n)) % GROUP},
#define ENTRIES(n) ENTRY(n) ENTRY(n + 1) ENTRY(n + 2) ENTRY(n + 3) ENTRY(n + 4) ENTRY(n + 5) ENTRY(n + 6) ENTRY(n + 7)
static const RUNNEL_LINE_ALIGNED uint8_t first_entries[GROUP][16] = {ENTRIES(0)
#if LANES > 1
                                                                         ENTRIES(8)
#endif
#if LANES > 2
                                                                             ENTRIES(16) ENTRIES(24)
#endif
};

/* Between a block's byte order and that of a position's counter. */
TARGET RUNNEL_INLINE __m128i swap_word_3(void)
{
    return _mm_set_epi8(12, 13, 14, 15, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

TARGET RUNNEL_INLINE __m128i add_to_counter(__m128i counter, uint32_t n)
{
    return _mm_add_epi32(counter, _mm_set_epi32((int)n, 0, 0, 0));
}

TARGET RUNNEL_INLINE VECTOR base_before_round_1(const runnel_aes_schedule *s, __m128i counter)
{
    const __m128i key = _mm_loadu_si128((const void *)s->keys.bytes[0]);
    return REPEAT_REGISTER(_mm_xor_si128(_mm_shuffle_epi8(counter, swap_word_3()), key));
}

/* Goes on by a group, whose bases before round 1 it returns. */
TARGET RUNNEL_INLINE bases next_bases(position *at)
{
    const VECTOR base = at->base;
    at->counter = add_to_counter(at->counter, GROUP);
    at->base = base_before_round_1(at->schedule, at->counter);
    return two_bases(base, at->base);
}

/* `counter` as in a position. */
TARGET RUNNEL_INLINE position at_start(const runnel_aes_schedule *s, const runnel_ghash_state *hash, __m128i counter,
                                       uint8_t *out, const uint8_t *in, __m128i y)
{
    return (position){.counter = counter,
                      .base = base_before_round_1(s, counter),
                      .sum = no_products(),
                      .y = ONE(y),
                      .schedule = s,
                      .hash = hash,
                      .out = out,
                      .in = in,
                      .hashed = out,
                      .power = NULL,
                      .unhashed = 0,
                      .behind = 0};
}

/* As runnel_wipe, of a structure with vectors, without the string instruction that gcc takes for such lengths. */
TARGET RUNNEL_INLINE void wipe_vectors(void *p, size_t bytes)
{
    const VECTOR zero = REPEAT_REGISTER(_mm_setzero_si128());
    RUNNEL_UNROLL
    for (size_t i = 0; i < bytes; i += sizeof zero)
        STORE((uint8_t *)p + i, zero);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Of the groups to come. */
TARGET RUNNEL_INLINE void begin_groups(position *at, size_t ngroups, size_t behind, int decrypt)
{
    at->hashed = decrypt ? at->in : at->out;
    at->unhashed = ngroups;
    at->behind = behind;
}

/* How many blocks the sum has from the next group on: a sum is of two groups, the first of one if their number is odd,
 * the last of one with what is behind it. */
static inline size_t blocks_of_sum(const position *at)
{
    const size_t paired = at->unhashed - (at->behind > 0);
    if (paired == 0)
        return GROUP + at->behind;
    return paired % 2 == 0 ? 2 * GROUP : GROUP;
}

TARGET RUNNEL_INLINE void reduce_sum(position *at)
{
    at->y = ONE(ADD_LANES(reduce(at->sum)));
    at->sum = no_products();
}

/* After a group has gone into the sum. */
TARGET RUNNEL_INLINE void end_hash(position *at)
{
    at->y = REPEAT_REGISTER(_mm_setzero_si128());
    if (blocks_of_sum(at) == GROUP)
        reduce_sum(at);
    at->unhashed--;
    at->hashed += 16 * GROUP;
}

#define ROUND(n, key)                                                                                                  \
    {                                                                                                                  \
        const VECTOR round_key = REPEAT(key);                                                                          \
        EACH (n)                                                                                                       \
            x[i] = ENC(x[i], round_key);                                                                               \
    }

/* Rounds 3 to rounds - 8, which only longer keys have. The last ones count from the end, or gcc loads their keys before
 * the branches, in registers that it must then repeat by shuffles. */
#define MORE_ROUNDS(n)                                                                                                 \
    if (s->rounds > 10) {                                                                                              \
        ROUND(n, s->keys.bytes[3])                                                                                     \
        ROUND(n, s->keys.bytes[4])                                                                                     \
        if (s->rounds > 12) {                                                                                          \
            ROUND(n, s->keys.bytes[5])                                                                                 \
            ROUND(n, s->keys.bytes[6])                                                                                 \
        }                                                                                                              \
    }
#define LAST_EIGHT_KEYS s->keys.bytes[s->rounds - 7]

#define HASHED(i) swap_bytes(LOAD(hashed + 16 * LANES * (i)))
#define POWER(i) LOAD(power + 16 * LANES * (i))
#define HASH_TWO(i, j)                                                                                                 \
    if (hashing)                                                                                                       \
        add_two_products(&sum, HASHED(i), POWER(i), HASHED(j), POWER(j));
/* The first vector last: only it waits for the reduction before. */
#define HASH_LAST_AND_FIRST                                                                                            \
    if (hashing)                                                                                                       \
        add_two_products(&sum, HASHED(7), POWER(7), XOR(at->y, HASHED(0)), POWER(0));

/* One group, whose states before round 1, or after round 2, are entries XOR b. Writes its entries after round 2 for
 * the bases b_2 to `store`, unless that is NULL. `after_round_2` and `hashing` are constants. */
TARGET RUNNEL_INLINE void crypt_group(position *at, const uint8_t *entries, bases b, int after_round_2, uint8_t *store,
                                      bases b_2, int hashing)
{
    const runnel_aes_schedule *s = at->schedule;
    const uint8_t *key = LAST_EIGHT_KEYS, *hashed = at->hashed, *in = at->in;
    const uint8_t *power = hashing ? powers_from(at->hash, blocks_of_sum(at)) : NULL;
    uint8_t *out = at->out;
    products sum = at->sum;
    VECTOR x[8];
    EACH (8)
        x[i] = XOR(BASE(b, i), LOAD(entries + 16 * LANES * i));
    if (!after_round_2) {
        ROUND(8, s->keys.bytes[1])
        ROUND(8, s->keys.bytes[2])
        if (store != NULL) {
            EACH (8)
                STORE(store + 16 * LANES * i, XOR(x[i], BASE(b_2, i)));
        }
    }
    MORE_ROUNDS(8)
    HASH_TWO(1, 2)
    ROUND(8, key)
    ROUND(8, key + 16)
    HASH_TWO(3, 4)
    ROUND(8, key + 32)
    ROUND(8, key + 48)
    HASH_TWO(5, 6)
    ROUND(8, key + 64)
    ROUND(8, key + 80)
    HASH_LAST_AND_FIRST
    ROUND(8, key + 96)
    const VECTOR last = REPEAT(key + 112);
    EACH (8)
        x[i] = LAST(x[i], XOR(last, LOAD(in + 16 * LANES * i)));
    EACH (8)
        STORE(out + 16 * LANES * i, x[i]);
    at->in = in + 16 * GROUP;
    at->out = out + 16 * GROUP;
    if (hashing) {
        at->sum = sum;
        end_hash(at);
    }
}

/* Without the table of states after round 2. */
TARGET RUNNEL_INLINE void crypt_fresh_group(position *at, int hashing)
{
    const bases b = next_bases(at);
    crypt_group(at, first_entries[0], b, 0, NULL, b, hashing);
}

TARGET RUNNEL_INLINE void hash_group(position *at)
{
    const uint8_t *hashed = at->hashed, *power = powers_from(at->hash, blocks_of_sum(at));
    const int hashing = 1;
    products sum = at->sum;
    HASH_TWO(1, 2)
    HASH_TWO(3, 4)
    HASH_TWO(5, 6)
    HASH_LAST_AND_FIRST
    at->sum = sum;
    end_hash(at);
}

/* `n` vectors, the last one with `last` bytes, and their ciphertext into the sum. */
#if LANES == 4
#define MASK(bytes) (UINT64_MAX >> (64 - (bytes)))
#define LOAD_SOME(p, bytes) _mm512_maskz_loadu_epi8(MASK(bytes), p)
#define STORE_SOME(p, v, bytes) _mm512_mask_storeu_epi8(p, MASK(bytes), v)
#define KEEP(v, bytes) _mm512_maskz_mov_epi8(MASK(bytes), v)
#else
#define LOAD_SOME(p, bytes) LOAD(p)
#define STORE_SOME(p, v, bytes) STORE(p, v)
#define KEEP(v, bytes) (v)
#endif
#define DEFINE_CRYPT_VECTORS(n)                                                                                        \
    TARGET RUNNEL_INLINE void crypt_vectors_##n(position *at, VECTOR *counters, size_t last, int decrypt)              \
    {                                                                                                                  \
        const runnel_aes_schedule *s = at->schedule;                                                                   \
        const uint8_t *key = LAST_EIGHT_KEYS;                                                                          \
        const VECTOR k = REPEAT(s->keys.bytes[0]);                                                                     \
        VECTOR x[n], text[n];                                                                                          \
        (void)last;                                                                                                    \
        EACH (n) {                                                                                                     \
            x[i] = XOR(SHUFFLE_BYTES(*counters, REPEAT_REGISTER(swap_word_3())), k);                                   \
            *counters = ADD32(*counters, REPEAT_REGISTER(_mm_set_epi32(LANES, 0, 0, 0)));                              \
        }                                                                                                              \
        ROUND(n, s->keys.bytes[1])                                                                                     \
        ROUND(n, s->keys.bytes[2])                                                                                     \
        MORE_ROUNDS(n)                                                                                                 \
        RUNNEL_UNROLL                                                                                                  \
        for (int r = 0; r < 7; r++, key += 16)                                                                         \
            ROUND(n, key)                                                                                              \
        EACH (n)                                                                                                       \
            text[i] = i < n - 1 ? LOAD(at->in + 16 * LANES * i) : LOAD_SOME(at->in + 16 * LANES * i, last);            \
        const VECTOR last_key = REPEAT(key);                                                                           \
        EACH (n)                                                                                                       \
            x[i] = LAST(x[i], XOR(last_key, text[i]));                                                                 \
        EACH (n - 1)                                                                                                   \
            STORE(at->out + 16 * LANES * i, x[i]);                                                                     \
        STORE_SOME(at->out + 16 * LANES * (n - 1), x[n - 1], last);                                                    \
        EACH (n)                                                                                                       \
            if (!decrypt)                                                                                              \
                text[i] = i < n - 1 ? x[i] : KEEP(x[i], last);                                                         \
        EACH (n) {                                                                                                     \
            add_product(&at->sum, XOR(at->y, swap_bytes(text[i])), LOAD(at->power + 16 * LANES * i));                  \
            at->y = REPEAT_REGISTER(_mm_setzero_si128());                                                              \
        }                                                                                                              \
        at->in += 16 * LANES * n;                                                                                      \
        at->out += 16 * LANES * n;                                                                                     \
        at->power += 16 * LANES * n;                                                                                   \
    }
DEFINE_CRYPT_VECTORS(1)
DEFINE_CRYPT_VECTORS(2)
DEFINE_CRYPT_VECTORS(4)

/* Fewer bytes than a group has, into the sum, with the powers from at->power on. */
TARGET RUNNEL_INLINE void crypt_rest(position *at, size_t bytes, int decrypt)
{
    const VECTOR first = ADD32(LANE_NUMBERS, REPEAT_REGISTER(_mm_set_epi32(2, 0, 0, 0)));
    VECTOR counters = ADD32(REPEAT_REGISTER(at->counter), first);
#if LANES == 4
    size_t vectors = (bytes + 63) / 64;
    const size_t last = bytes - 64 * (vectors - 1); /* of no use if there are none */
    for (; vectors >= 4; vectors -= 4)
        crypt_vectors_4(at, &counters, vectors == 4 ? last : 64, decrypt);
    if (vectors >= 2) {
        crypt_vectors_2(at, &counters, vectors == 2 ? last : 64, decrypt);
        vectors -= 2;
    }
    if (vectors > 0)
        crypt_vectors_1(at, &counters, last, decrypt);
#else
    size_t vectors = bytes / (16 * LANES);
    bytes -= 16 * LANES * vectors;
    for (; vectors >= 4; vectors -= 4)
        crypt_vectors_4(at, &counters, 0, decrypt);
    if (vectors >= 2) {
        crypt_vectors_2(at, &counters, 0, decrypt);
        vectors -= 2;
    }
    if (vectors > 0)
        crypt_vectors_1(at, &counters, 0, decrypt);
    if (bytes == 0)
        return;
    /* Encrypted together with the zeros behind it, then hashed; a missing block after it counts as zeros. */
    uint8_t text[16 * LANES] = {0};
    position part = *at;
    memcpy(text, at->in, bytes);
    const VECTOR before = LOAD(text);
    part.in = text;
    part.out = text;
    crypt_vectors_1(&part, &counters, 0, decrypt);
    memcpy(at->out, text, bytes);
    memset(text + bytes, 0, sizeof text - bytes);
    add_product(&at->sum, XOR(at->y, swap_bytes(decrypt ? before : LOAD(text))), LOAD(at->power));
    at->y = REPEAT_REGISTER(_mm_setzero_si128());
    runnel_wipe(text, sizeof text);
#endif
}

#endif
