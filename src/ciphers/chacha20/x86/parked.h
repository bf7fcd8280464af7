/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The words of ChaCha20 in sixteen registers, two of them parked by turns: the first half of a column round leaves words 10
 * and 11 alone, the second half 8 and 9; in a diagonal round it is the other way round. The includer defines TARGET and
 * includes the vectors of its width. */
#ifndef CHACHA20_X86_PARKED_H
#define CHACHA20_X86_PARKED_H

#include "rounds.h"

enum { CHACHA20_PARKED_BLOCKS = VECTOR_BYTES / 4 };

TARGET RUNNEL_INLINE void chacha20_parked_start(vector_words x[16], volatile vector_words parked[2], const uint32_t *w,
                                                uint32_t counter)
{
    chacha20_start(x, w, counter + words_numbers());
    words_park(parked, x + 10);
}

/* Adds the start, and writes the blocks. */
TARGET RUNNEL_INLINE void chacha20_parked_put(vector_words x[16], volatile vector_words parked[2], const uint32_t *w,
                                              uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks,
                                              uint8_t *leftover)
{
#if LANES == 1
    words_unpark(parked, x + 10);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    chacha20_add_start(x, 0, 16, w, counter + words_numbers());
    keystream_words_put_all(out, in, 0, nblocks, leftover, x);
#else
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    chacha20_add_start(x, 0, 8, w, (vector_words){0});
    keystream_words_put_halves(out, in, nblocks, leftover, 0, x);
    words_unpark(parked, x + 10);
    RUNNEL_VALUE_BARRIER(w);
    chacha20_add_start(x, 8, 16, w, counter + words_numbers());
    keystream_words_put_halves(out, in, nblocks, leftover, 32, x + 8);
#endif
}

#endif
