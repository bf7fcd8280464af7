/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM by groups of 8 vectors, for every width: the position in a message, and groups.
 *
 * Between the rounds of one group the ciphertext of another goes into GHASH: the previous group when sealing, the same
 * one when opening. Each round of a group is followed by a vector's three products. Two groups after another go into one
 * sum, which is reduced once.
 *
 * Counters begin with 2, so groups begin with 2, 2 + GROUP …: the upper bits of a counter are those of its group, except
 * in the last two blocks, which have those of the next one. States of a group's blocks are made by one XOR of an entry,
 * which depends on the lower bits, with a base, which depends on the rest; in the last vectors it is another one.
 *
 * The includer defines TARGET and includes the vectors of its width. */
#ifndef AES_X86_GCM_GROUP_H
#define AES_X86_GCM_GROUP_H

#include <string.h>

#include "modes/gcm/mode.h"
#include "arch/common/bytes.h"
#include "macs/ghash/x86/multiply.h"
#include "one_block.h"
#include "rounds.h"

/* Where a message is. Functions that are inlined keep it in registers. */
typedef struct aes_position {
    __m128i counter; /* of the next block, less 2, in the last word, which is in the machine's byte order */
    vector base;     /* before round 1, of the next group */
    ghash_products sum;
    vector y; /* what the sum before was reduced to: added to the first block of this one */
    const runnel_aes_schedule *schedule;
    const runnel_ghash_state *hash;
    uint8_t *out;
    const uint8_t *in;
    const uint8_t *hashed; /* the group that goes into the sum */
    const uint8_t *power;  /* for its first block */
} aes_position;

typedef struct aes_bases {
    vector most, last;
} aes_bases;

TARGET RUNNEL_INLINE vector aes_base_of(aes_bases b, int number)
{
    return number < (LANES == 1 ? 6 : 7) ? b.most : b.last;
}

TARGET RUNNEL_INLINE aes_bases aes_two_bases(vector base, vector next)
{
#if LANES == 4
    return (aes_bases){base, _mm512_mask_blend_epi64(0xf0, base, next)};
#else
    return (aes_bases){base, next};
#endif
}

/* The entries before round 1. */
#define ENTRY(n) {[15] = (2 + (n)) % AES_GROUP},
#define ENTRIES(n) ENTRY(n) ENTRY(n + 1) ENTRY(n + 2) ENTRY(n + 3) ENTRY(n + 4) ENTRY(n + 5) ENTRY(n + 6) ENTRY(n + 7)
static const RUNNEL_LINE_ALIGNED uint8_t aes_first_entries[AES_GROUP][16] = {ENTRIES(0)
#if LANES > 1
                                                                                 ENTRIES(8)
#endif
#if LANES > 2
                                                                                     ENTRIES(16) ENTRIES(24)
#endif
};

TARGET RUNNEL_INLINE __m128i aes_add_to_counter(__m128i counter, uint32_t n)
{
    return _mm_add_epi32(counter, _mm_set_epi32((int)n, 0, 0, 0));
}

TARGET RUNNEL_INLINE vector aes_base_before_round_1(const runnel_aes_schedule *s, __m128i counter)
{
    const __m128i key = _mm_loadu_si128((const void *)s->keys.bytes[0]);
    return vector_repeat(_mm_xor_si128(_mm_shuffle_epi8(counter, aes_swap_word_3()), key));
}

/* Goes on by a group, whose bases before round 1 it returns. */
TARGET RUNNEL_INLINE aes_bases aes_next_bases(aes_position *at)
{
    const vector base = at->base;
    at->counter = aes_add_to_counter(at->counter, AES_GROUP);
    at->base = aes_base_before_round_1(at->schedule, at->counter);
    return aes_two_bases(base, at->base);
}

/* `counter` as in a position. */
TARGET RUNNEL_INLINE aes_position aes_at_start(const runnel_aes_schedule *s, const runnel_ghash_state *hash,
                                               __m128i counter, uint8_t *out, const uint8_t *in, __m128i y)
{
    return (aes_position){.counter = counter,
                          .base = aes_base_before_round_1(s, counter),
                          .sum = ghash_no_products(),
                          .y = vector_first(y),
                          .schedule = s,
                          .hash = hash,
                          .out = out,
                          .in = in,
                          .hashed = out,
                          .power = NULL};
}

/* As runnel_wipe, of a structure with vectors, without the string instruction that gcc takes for such lengths. */
TARGET RUNNEL_INLINE void aes_wipe_vectors(void *p, size_t bytes)
{
    const vector zero = vector_repeat(_mm_setzero_si128());
    RUNNEL_UNROLL
    for (size_t i = 0; i < bytes; i += sizeof zero)
        vector_store((uint8_t *)p + i, zero);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Of the groups to come. */
TARGET RUNNEL_INLINE void aes_begin_groups(aes_position *at, int decrypt)
{
    at->hashed = decrypt ? at->in : at->out;
}

TARGET RUNNEL_INLINE void aes_reduce_sum(aes_position *at)
{
    at->y = vector_first(vector_sum_lanes(ghash_reduce(at->sum)));
    at->sum = ghash_no_products();
}

/* Counted from the end, these keys are at hand beside the sum's work sooner than behind the branches of longer keys: 3 %
 * of a message of 256 bytes. */
TARGET RUNNEL_INLINE const uint8_t *aes_last_eight_keys(const runnel_aes_schedule *s)
{
    return s->keys.bytes[s->rounds - 7];
}

/* As rounds_from_3. */
TARGET RUNNEL_INLINE const uint8_t *aes_gcm_rounds_from_3(vector *x, const int n, const runnel_aes_schedule *s)
{
    aes_rounds_of_longer_keys(x, n, s);
    return aes_seven_rounds(x, n, aes_last_eight_keys(s));
}

/* One of a group's vectors into the sum. */
TARGET RUNNEL_INLINE void aes_hash_one(ghash_products *sum, const uint8_t *hashed, const uint8_t *power, int i)
{
    ghash_add_product(sum, ghash_swap_bytes(vector_load(hashed + VECTOR_BYTES * i)),
                      ghash_load_power(power + VECTOR_BYTES * i));
}

/* The first vector comes last: only it waits for the reduction before, y. */
TARGET RUNNEL_INLINE void aes_hash_first(ghash_products *sum, vector y, const uint8_t *hashed, const uint8_t *power)
{
    ghash_add_product(sum, vector_xor(y, ghash_swap_bytes(vector_load(hashed))), ghash_load_power(power));
}

/* Which sum a group's blocks go into: one of their own, or one of two groups, which is reduced once. */
typedef enum aes_hashing { AES_HASH_NOTHING, AES_HASH_ALONE, AES_HASH_FIRST, AES_HASH_SECOND } aes_hashing;

/* One group, whose states before round 1, or after round 2, are entries XOR b. Writes its entries after round 2 for
 * the bases b_2 to `store`, unless that is NULL. `after_round_2` and `hashing` are constants. */
TARGET RUNNEL_INLINE void aes_crypt_group(aes_position *at, const uint8_t *entries, aes_bases b, int after_round_2,
                                          uint8_t *store, aes_bases b_2, const aes_hashing hashing)
{
    const runnel_aes_schedule *s = at->schedule;
    const uint8_t *key = aes_last_eight_keys(s), *hashed = at->hashed, *in = at->in;
    const uint8_t *power = ghash_powers_from(at->hash, hashing == AES_HASH_FIRST ? 2 * AES_GROUP : AES_GROUP);
    uint8_t *out = at->out;
    ghash_products sum = at->sum;
    vector x[AES_GROUP_VECTORS];
    RUNNEL_UNROLL
    for (int i = 0; i < AES_GROUP_VECTORS; i++)
        x[i] = vector_xor(aes_base_of(b, i), vector_load(entries + VECTOR_BYTES * i));
    if (!after_round_2) {
        aes_encrypt_round(x, AES_GROUP_VECTORS, s->keys.bytes[1]);
        aes_encrypt_round(x, AES_GROUP_VECTORS, s->keys.bytes[2]);
        if (store != NULL) {
            RUNNEL_UNROLL
            for (int i = 0; i < AES_GROUP_VECTORS; i++)
                vector_store(store + VECTOR_BYTES * i, vector_xor(x[i], aes_base_of(b_2, i)));
        }
    }
    aes_rounds_of_longer_keys(x, AES_GROUP_VECTORS, s);
    RUNNEL_UNROLL
    for (int r = 0; r < 7; r++) {
        if (hashing != AES_HASH_NOTHING)
            aes_hash_one(&sum, hashed, power, r + 1);
        aes_encrypt_round(x, AES_GROUP_VECTORS, key + 16 * r);
    }
    if (hashing == AES_HASH_SECOND)
        aes_hash_one(&sum, hashed, power, 0);
    else if (hashing != AES_HASH_NOTHING)
        aes_hash_first(&sum, at->y, hashed, power);
    const vector last = vector_repeat_at(key + 16 * 7);
    RUNNEL_UNROLL
    for (int i = 0; i < AES_GROUP_VECTORS; i++)
        x[i] = vector_aes_last_round(x[i], vector_xor(last, vector_load(in + VECTOR_BYTES * i)));
    RUNNEL_UNROLL
    for (int i = 0; i < AES_GROUP_VECTORS; i++)
        vector_store(out + VECTOR_BYTES * i, x[i]);
    at->in = in + 16 * AES_GROUP;
    at->out = out + 16 * AES_GROUP;
    if (hashing == AES_HASH_NOTHING)
        return;
    at->hashed = hashed + 16 * AES_GROUP;
    at->sum = sum;
    at->y = vector_repeat(_mm_setzero_si128());
    if (hashing != AES_HASH_FIRST)
        aes_reduce_sum(at);
}

/* Without the table of states after round 2. */
TARGET RUNNEL_INLINE void aes_crypt_fresh_group(aes_position *at, const aes_hashing hashing)
{
    const aes_bases b = aes_next_bases(at);
    aes_crypt_group(at, aes_first_entries[0], b, 0, NULL, b, hashing);
}

/* n groups, each with hashing. */
TARGET RUNNEL_INLINE void aes_crypt_fresh_groups(aes_position *at, size_t n)
{
    for (; n >= 2; n -= 2) {
        aes_crypt_fresh_group(at, AES_HASH_FIRST);
        aes_crypt_fresh_group(at, AES_HASH_SECOND);
    }
    if (n > 0)
        aes_crypt_fresh_group(at, AES_HASH_ALONE);
}

/* The last group, when sealing, into a sum with `behind` blocks behind it, or if these are more than a group, into its own. */
TARGET RUNNEL_INLINE void aes_hash_last_group(aes_position *at, size_t behind)
{
    const int joined = behind <= AES_GROUP;
    const uint8_t *hashed = at->hashed, *power = ghash_powers_from(at->hash, joined ? AES_GROUP + behind : AES_GROUP);
    RUNNEL_UNROLL
    for (int i = 1; i < AES_GROUP_VECTORS; i++)
        aes_hash_one(&at->sum, hashed, power, i);
    aes_hash_first(&at->sum, at->y, hashed, power);
    at->y = vector_repeat(_mm_setzero_si128());
    if (!joined)
        aes_reduce_sum(at);
}

#endif
