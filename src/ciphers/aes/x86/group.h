/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whole groups of counter mode, with prefix tables and without. The includer defines TARGET and includes the vectors of
 * its width. */
#ifndef AES_X86_GROUP_H
#define AES_X86_GROUP_H

#include "prefix_table.h"
#include "rounds.h"

/* From the states after the last round but one to the output, with in added unless it is NULL. */
TARGET RUNNEL_INLINE void aes_write_vectors(const vector *x, const int n, const uint8_t *last_key, uint8_t *out,
                                            const uint8_t *in)
{
    const vector last = vector_repeat_at(last_key);
    if (in == NULL) {
        RUNNEL_UNROLL
        for (int i = 0; i < n; i++)
            vector_store(out + VECTOR_BYTES * i, vector_aes_last_round(x[i], last));
    } else {
        RUNNEL_UNROLL
        for (int i = 0; i < n; i++)
            vector_store(out + VECTOR_BYTES * i,
                         vector_aes_last_round(x[i], vector_xor(last, vector_load(in + VECTOR_BYTES * i))));
    }
}

TARGET RUNNEL_INLINE void aes_store_entries(const vector *x, const int n, uint8_t *store, vector base_2)
{
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        vector_store(store + VECTOR_BYTES * i, vector_xor(x[i], base_2));
}

/* From the state after `done` rounds to the output; table[2]'s entries are written to store unless it is NULL. */
TARGET RUNNEL_INLINE void aes_finish_group(vector x[AES_GROUP_VECTORS], unsigned done, const runnel_aes_schedule *s,
                                           uint8_t *store, vector base_2, uint8_t *out, const uint8_t *in)
{
    aes_rounds_to_2(x, AES_GROUP_VECTORS, s, done);
    if (store != NULL)
        aes_store_entries(x, AES_GROUP_VECTORS, store, base_2);
    const uint8_t *last_key = aes_rounds_from_3(x, AES_GROUP_VECTORS, s);
    aes_write_vectors(x, AES_GROUP_VECTORS, last_key, out, in);
}

/* The states base XOR entry, of the entries that lie at `from`. */
TARGET RUNNEL_INLINE void aes_load_states(vector x[AES_GROUP_VECTORS], vector base, const uint8_t *from)
{
    RUNNEL_UNROLL
    for (int i = 0; i < AES_GROUP_VECTORS; i++)
        x[i] = vector_xor(base, vector_load(from + VECTOR_BYTES * i));
}

/* A group from the states in a table. */
TARGET RUNNEL_INLINE void aes_group_from_table(const runnel_aes_schedule *s, const uint8_t *from, vector base,
                                               unsigned done, uint8_t *store, vector base_2, uint8_t *out,
                                               const uint8_t *in)
{
    vector x[AES_GROUP_VECTORS];
    aes_load_states(x, base, from);
    aes_finish_group(x, done, s, store, base_2, out, in);
}

/* The same from their counter blocks, `first` and on. */
TARGET RUNNEL_INLINE void aes_group_from_counter(const runnel_aes_schedule *s, vector first, uint8_t *store,
                                                 vector base_2, uint8_t *out, const uint8_t *in, int little)
{
    const vector base = vector_repeat_at(s->keys.bytes[0]);
    vector x[AES_GROUP_VECTORS];
    RUNNEL_UNROLL
    for (int i = 0; i < AES_GROUP_VECTORS; i++)
        x[i] = vector_xor(base, vector_add32(first, vector_load(aes_counters[little][LANES * i])));
    aes_finish_group(x, 0, s, store, base_2, out, in);
}

/* From masks[32 - n] on: n blocks of zeros, then ones. */
#define ONES {UINT64_MAX, UINT64_MAX}
#define EIGHT_ONES ONES, ONES, ONES, ONES, ONES, ONES, ONES, ONES
static const RUNNEL_LINE_ALIGNED uint64_t aes_masks[64][2] = {[32] = EIGHT_ONES, EIGHT_ONES, EIGHT_ONES, EIGHT_ONES};

/* Of the i-th vector of a group, for the blocks beyond the crossing the other base. */
TARGET RUNNEL_INLINE vector aes_crossing_base(vector base, vector difference, const uint8_t *after_crossing, int i)
{
    return vector_xor(base, vector_and(difference, vector_load(after_crossing + VECTOR_BYTES * i)));
}

/* A whole group that begins in the run of `a`, with block number b, and ends in the run of `z`. */
TARGET static RUNNEL_NOINLINE void aes_crossing_group(const runnel_aes_schedule *s, const uint8_t *from,
                                                      const aes_run_base *a, const aes_run_base *z, unsigned b,
                                                      unsigned done, uint8_t *store, uint8_t *out, const uint8_t *in,
                                                      int little)
{
    const uint8_t *after_crossing = (const uint8_t *)aes_masks[32 - (RUN - b)];
    const vector base_2 = vector_repeat(a->after_2),
                 difference_2 = vector_repeat(_mm_xor_si128(a->after_2, z->after_2));
    vector x[AES_GROUP_VECTORS];
    if (done == 0) {
        const vector base = vector_repeat_at(s->keys.bytes[0]);
        /* A lowest byte that is not the first one of its word drops its carry, as another would not. */
        const vector first = vector_repeat(_mm_add_epi32(a->block, aes_lowest_byte(b, little)));
        const vector difference = vector_repeat(little ? _mm_setzero_si128() : _mm_xor_si128(a->block, z->block));
        RUNNEL_UNROLL
        for (int i = 0; i < AES_GROUP_VECTORS; i++)
            x[i] = vector_xor(aes_crossing_base(base, difference, after_crossing, i),
                              vector_add32(first, vector_load(from + VECTOR_BYTES * i)));
    } else {
        const vector base = vector_repeat(done == 1 ? a->after_1 : a->after_2);
        const vector difference = done == 1 ? vector_repeat(_mm_xor_si128(a->after_1, z->after_1)) : difference_2;
        RUNNEL_UNROLL
        for (int i = 0; i < AES_GROUP_VECTORS; i++)
            x[i] = vector_xor(aes_crossing_base(base, difference, after_crossing, i),
                              vector_load(from + VECTOR_BYTES * i));
    }
    aes_rounds_to_2(x, AES_GROUP_VECTORS, s, done);
    if (store != NULL) {
        RUNNEL_UNROLL
        for (int i = 0; i < AES_GROUP_VECTORS; i++)
            vector_store(store + VECTOR_BYTES * i,
                         vector_xor(x[i], aes_crossing_base(base_2, difference_2, after_crossing, i)));
    }
    aes_finish_group(x, 2, s, NULL, base_2, out, in);
}

#endif
