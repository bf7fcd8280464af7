/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM by groups of 8 vectors, for every width: the position in a message, one group, and what is less than one.
 *
 * Between the rounds of one group the ciphertext of another goes into GHASH: the previous group when sealing, the same
 * one when opening. AES keeps one port busy, carry-less products and shuffles the other.
 *
 * Counters begin with 2, so groups begin with 2, 2 + GROUP …: the upper bits of a counter are those of its group, except
 * in the last two blocks, which have those of the next one. States of a group's blocks are made by one XOR of an entry,
 * which depends on the lower bits, with a base, which depends on the rest; in the last vectors it is another one.
 *
 * The includer defines TARGET and includes the vectors of its width. */
#ifndef RUNNEL_AES_X86_GCM_GROUP_H
#define RUNNEL_AES_X86_GCM_GROUP_H

#include <string.h>

#include "modes/gcm/mode.h"
#include "arch/common/bytes.h"
#include "macs/ghash/x86/multiply.h"
#include "one_block.h"
#include "rounds.h"

/* Where a message is. Functions that are inlined keep it in registers. */
typedef struct position {
    __m128i counter; /* of the next block, less 2, in the last word, which is in the machine's byte order */
    vector base;     /* before round 1, of the next group */
    products sum;
    vector y; /* what the sum before was reduced to: added to the first block of this one */
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
    vector most, last;
} bases;

TARGET RUNNEL_INLINE vector base_of(bases b, int number)
{
    return number < (LANES == 1 ? 6 : 7) ? b.most : b.last;
}

TARGET RUNNEL_INLINE bases two_bases(vector base, vector next)
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

TARGET RUNNEL_INLINE __m128i add_to_counter(__m128i counter, uint32_t n)
{
    return _mm_add_epi32(counter, _mm_set_epi32((int)n, 0, 0, 0));
}

TARGET RUNNEL_INLINE vector base_before_round_1(const runnel_aes_schedule *s, __m128i counter)
{
    const __m128i key = _mm_loadu_si128((const void *)s->keys.bytes[0]);
    return vector_repeat(_mm_xor_si128(_mm_shuffle_epi8(counter, swap_word_3()), key));
}

/* Goes on by a group, whose bases before round 1 it returns. */
TARGET RUNNEL_INLINE bases next_bases(position *at)
{
    const vector base = at->base;
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
                      .y = vector_first(y),
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
    const vector zero = vector_repeat(_mm_setzero_si128());
    RUNNEL_UNROLL
    for (size_t i = 0; i < bytes; i += sizeof zero)
        vector_store((uint8_t *)p + i, zero);
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
    at->y = vector_first(vector_sum_lanes(reduce(at->sum)));
    at->sum = no_products();
}

/* After a group has gone into the sum. */
TARGET RUNNEL_INLINE void end_hash(position *at)
{
    at->y = vector_repeat(_mm_setzero_si128());
    if (blocks_of_sum(at) == GROUP)
        reduce_sum(at);
    at->unhashed--;
    at->hashed += 16 * GROUP;
}

/* Counted from the end, these keys are at hand beside the sum's work sooner than behind the branches of longer keys: 3 %
 * of a message of 256 bytes. */
TARGET RUNNEL_INLINE const uint8_t *last_eight_keys(const runnel_aes_schedule *s)
{
    return s->keys.bytes[s->rounds - 7];
}

/* As rounds_from_3. */
TARGET RUNNEL_INLINE const uint8_t *gcm_rounds_from_3(vector *x, const int n, const runnel_aes_schedule *s)
{
    rounds_of_longer_keys(x, n, s);
    return seven_rounds(x, n, last_eight_keys(s));
}

/* Two of a group's vectors into the sum. */
TARGET RUNNEL_INLINE void hash_two(products *sum, const uint8_t *hashed, const uint8_t *power, int i, int j)
{
    add_two_products(sum, swap_bytes(vector_load(hashed + VECTOR_BYTES * i)), vector_load(power + VECTOR_BYTES * i),
                     swap_bytes(vector_load(hashed + VECTOR_BYTES * j)), vector_load(power + VECTOR_BYTES * j));
}

/* The first vector last: only it waits for the reduction before, y. */
TARGET RUNNEL_INLINE void hash_last_and_first(products *sum, vector y, const uint8_t *hashed, const uint8_t *power)
{
    add_two_products(sum, swap_bytes(vector_load(hashed + VECTOR_BYTES * 7)), vector_load(power + VECTOR_BYTES * 7),
                     vector_xor(y, swap_bytes(vector_load(hashed))), vector_load(power));
}

/* One group, whose states before round 1, or after round 2, are entries XOR b. Writes its entries after round 2 for
 * the bases b_2 to `store`, unless that is NULL. `after_round_2` and `hashing` are constants. */
TARGET RUNNEL_INLINE void crypt_group(position *at, const uint8_t *entries, bases b, int after_round_2, uint8_t *store,
                                      bases b_2, int hashing)
{
    const runnel_aes_schedule *s = at->schedule;
    const uint8_t *key = last_eight_keys(s), *hashed = at->hashed, *in = at->in;
    const uint8_t *power = hashing ? powers_from(at->hash, blocks_of_sum(at)) : NULL;
    uint8_t *out = at->out;
    products sum = at->sum;
    vector x[GROUP_VECTORS];
    RUNNEL_UNROLL
    for (int i = 0; i < GROUP_VECTORS; i++)
        x[i] = vector_xor(base_of(b, i), vector_load(entries + VECTOR_BYTES * i));
    if (!after_round_2) {
        encrypt_round(x, GROUP_VECTORS, s->keys.bytes[1]);
        encrypt_round(x, GROUP_VECTORS, s->keys.bytes[2]);
        if (store != NULL) {
            RUNNEL_UNROLL
            for (int i = 0; i < GROUP_VECTORS; i++)
                vector_store(store + VECTOR_BYTES * i, vector_xor(x[i], base_of(b_2, i)));
        }
    }
    rounds_of_longer_keys(x, GROUP_VECTORS, s);
    RUNNEL_UNROLL
    for (int r = 0; r < 6; r += 2) {
        if (hashing)
            hash_two(&sum, hashed, power, r + 1, r + 2);
        encrypt_round(x, GROUP_VECTORS, key + 16 * r);
        encrypt_round(x, GROUP_VECTORS, key + 16 * (r + 1));
    }
    if (hashing)
        hash_last_and_first(&sum, at->y, hashed, power);
    encrypt_round(x, GROUP_VECTORS, key + 16 * 6);
    const vector last = vector_repeat_at(key + 16 * 7);
    RUNNEL_UNROLL
    for (int i = 0; i < GROUP_VECTORS; i++)
        x[i] = vector_aes_last_round(x[i], vector_xor(last, vector_load(in + VECTOR_BYTES * i)));
    RUNNEL_UNROLL
    for (int i = 0; i < GROUP_VECTORS; i++)
        vector_store(out + VECTOR_BYTES * i, x[i]);
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
    products sum = at->sum;
    hash_two(&sum, hashed, power, 1, 2);
    hash_two(&sum, hashed, power, 3, 4);
    hash_two(&sum, hashed, power, 5, 6);
    hash_last_and_first(&sum, at->y, hashed, power);
    at->sum = sum;
    end_hash(at);
}

#endif
