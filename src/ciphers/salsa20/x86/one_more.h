/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many blocks of Salsa20 in sixteen registers, one a state word, and one block more in general registers. Words 6 and 7 are
 * not needed from the second half of a row round to the first half of the next column round, words 8 and 9 not in between:
 * they are parked. The includer defines TARGET and includes the vectors of its width. */
#ifndef SALSA20_X86_ONE_MORE_H
#define SALSA20_X86_ONE_MORE_H

#include "rounds.h"
#include "scalar.h"

enum { SALSA20_WORDS_BLOCKS = VECTOR_BYTES / 4 };

TARGET RUNNEL_INLINE void salsa20_parked_start(vector_words x[16], volatile vector_words parked[2], const uint32_t *w,
                                               uint64_t index)
{
    salsa20_start(x, w, index);
    words_park(parked, x + 6);
}

/* Adds the start, and writes the blocks. */
TARGET RUNNEL_INLINE void salsa20_parked_put(vector_words x[16], volatile vector_words parked[2], const uint32_t *w,
                                             uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                             uint8_t *leftover)
{
#if LANES == 1
    words_unpark(parked, x + 6);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    salsa20_add_start(x, 0, 16, w, index);
    keystream_words_put_all(out, in, 0, nblocks, leftover, x);
#else
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    salsa20_add_start(x, 8, 16, w, index);
    keystream_words_put_halves(out, in, nblocks, leftover, 32, x + 8);
    words_unpark(parked, x + 6);
    RUNNEL_VALUE_BARRIER(w);
    salsa20_add_start(x, 0, 8, w, index);
    keystream_words_put_halves(out, in, nblocks, leftover, 0, x);
#endif
}

/* As many blocks as a vector has words, or fewer. */
TARGET static void salsa20_xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                     size_t nblocks, uint8_t *leftover)
{
    vector_words x[16];
    volatile vector_words parked[2];
    salsa20_parked_start(x, parked, s->words, index);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        salsa20_columns_01(x);
        words_exchange(parked, x + 8, x + 6);
        salsa20_columns_23(x);
        salsa20_rows_01(x);
        words_exchange(parked, x + 6, x + 8);
        salsa20_rows_23(x);
    }
    salsa20_parked_put(x, parked, s->words, index, out, in, nblocks, leftover);
}

/* One block more than a vector has words, the last of them for out or leftover: it is made in general registers between the
 * rounds of the others. There is time for it, because a round's vectors wait for each other. */
TARGET static void salsa20_xor_one_more(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                        size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    const uint64_t last = index + SALSA20_WORDS_BLOCKS;
    vector_words x[16];
    uint32_t one[16];
    volatile vector_words parked[2];
    salsa20_parked_start(x, parked, w, index);
    salsa20_scalar_start(one, w, last);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        salsa20_columns_01(x);
        salsa20_scalar_columns_01(one);
        words_exchange(parked, x + 8, x + 6);
        salsa20_columns_23(x);
        salsa20_scalar_columns_23(one);
        salsa20_rows_01(x);
        salsa20_scalar_rows_01(one);
        words_exchange(parked, x + 6, x + 8);
        salsa20_rows_23(x);
        salsa20_scalar_rows_23(one);
    }
    const int to_out = nblocks > SALSA20_WORDS_BLOCKS;
    const uint8_t *last_in = to_out && in != NULL ? in + SALSA20_WORDS_BLOCKS * SALSA20_BLOCK : NULL;
    salsa20_scalar_put(one, w, last, to_out ? out + SALSA20_WORDS_BLOCKS * SALSA20_BLOCK : leftover, last_in);
    salsa20_parked_put(x, parked, w, index, out, in, SALSA20_WORDS_BLOCKS, NULL);
}

#endif
