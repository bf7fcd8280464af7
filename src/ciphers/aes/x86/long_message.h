/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Messages of any length in counter mode, run by run, in groups from the first block on. The includer defines TARGET and
 * includes the vectors of its width. */
#ifndef AES_X86_LONG_MESSAGE_H
#define AES_X86_LONG_MESSAGE_H

#include "group.h"
#include "prefix_table.h"
#include "tail.h"

/* A message of any number of bytes; leftover as in finish_partial_vector. */
TARGET RUNNEL_INLINE void aes_long_run(const runnel_aes_schedule *s, aes_x86_prefix *p, const uint8_t *block,
                                       uint8_t *out, const uint8_t *in, size_t left, uint8_t *leftover, int little)
{
    unsigned b = aes_number_in_run(block, little);
    __m128i counter = aes_add_to_turned(aes_turn_counter(aes_load_block(block), little), -(int)b, little);
    aes_run_base base = aes_base_states(s, counter, little);
    const int may_store = p != NULL && aes_open_prefix(s, p, block, (left + 15) / 16, little);
    const int one_round = p != NULL && p->one_round_set == aes_table_set(little);
    const unsigned phase = p != NULL ? p->phase : 0;
    unsigned filled = p != NULL ? p->filled : 0;
    /* Not with run_bits: groups may lie in two runs, and the next one's first rounds are made ahead. */
    for (;;) {
        /* Computed one run ahead, so that nothing waits for these two rounds. */
        counter = aes_add_to_turned(counter, RUN, little);
        const aes_run_base next = aes_base_states(s, counter, little);
        const vector base_1 = vector_repeat(base.after_1), base_2 = vector_repeat(base.after_2);
        do {
            size_t bytes = left < 16 * AES_GROUP ? left : 16 * AES_GROUP;
            if (bytes < 16 * AES_GROUP && bytes > 16 * (RUN - b))
                bytes = 16 * (RUN - b);
            const size_t nblocks = (bytes + 15) / 16;
            unsigned done = (unsigned)one_round;
            const uint8_t *from = one_round ? p->one_round[b] : aes_counters[little][0];
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
            if (bytes < 16 * AES_GROUP) {
                const __m128i first = _mm_add_epi32(base.block, aes_lowest_byte(b, little));
                aes_partial_group(s, from, done > 0 ? _mm_setzero_si128() : first,
                                  done == 0   ? aes_load_block(s->keys.bytes[0])
                                  : done == 1 ? base.after_1
                                              : base.after_2,
                                  done, store, base.after_2, out, in, bytes, leftover);
            } else if (nblocks > RUN - b) {
                aes_crossing_group(s, from, &base, &next, b, done, store, out, in, little);
            } else if (done == 2) {
                aes_group_from_table(s, from, base_2, 2, NULL, base_2, out, in);
            } else if (done == 1) {
                aes_group_from_table(s, from, base_1, 1, store, base_2, out, in);
            } else {
                aes_group_from_counter(s, vector_repeat(_mm_add_epi32(base.block, aes_lowest_byte(b, little))), store,
                                       base_2, out, in, little);
            }
            left -= bytes;
            if (left == 0) {
                vector_clear_upper();
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
TARGET static RUNNEL_NOINLINE void aes_long_message(const runnel_aes_schedule *s, aes_x86_prefix *p,
                                                    const uint8_t *block, uint8_t *out, const uint8_t *in, size_t left,
                                                    uint8_t *leftover)
{
    aes_long_run(s, p, block, out, in, left, leftover, 0);
}

TARGET static RUNNEL_NOINLINE void aes_long_message_little(const runnel_aes_schedule *s, aes_x86_prefix *p,
                                                           const uint8_t *block, uint8_t *out, const uint8_t *in,
                                                           size_t nblocks)
{
    aes_long_run(s, p, block, out, in, 16 * nblocks, NULL, 1);
}

#endif
