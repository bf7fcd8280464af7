/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many blocks of ChaCha20 in sixteen registers, one a state word, and one block more in general registers. The includer
 * defines TARGET and includes the vectors of its width. */
#ifndef CHACHA20_X86_ONE_MORE_H
#define CHACHA20_X86_ONE_MORE_H

#include "parked.h"
#include "scalar.h"

/* As many blocks as a vector has words, or fewer. */
TARGET static void chacha20_xor_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                      size_t nblocks, uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    const uint8_t *patterns = chacha20_patterns[0][0];
    vector_words x[16];
    volatile vector_words parked[2];
    chacha20_parked_start(x, parked, w, counter);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_columns_01(x, &patterns);
        words_exchange(parked, x + 8, x + 10);
        chacha20_columns_23(x, &patterns);
        chacha20_diagonals_01(x, &patterns);
        words_exchange(parked, x + 10, x + 8);
        chacha20_diagonals_23(x, &patterns);
    }
    chacha20_parked_put(x, parked, w, counter, out, in, nblocks, leftover);
}

/* All blocks of a vector, from number counter on, and between their rounds one more, number `single`, in general registers.
 * There is time for it, because a round's vectors wait for each other; not so much where another thread shares the core. */
TARGET RUNNEL_INLINE void chacha20_xor_words_and_one(const uint32_t *w, uint32_t counter, uint32_t single, uint8_t *out,
                                                     const uint8_t *in, uint8_t *single_out, const uint8_t *single_in)
{
    const uint8_t *patterns = chacha20_patterns[0][0];
    vector_words x[16];
    uint32_t one[16];
    volatile vector_words parked[2];
    chacha20_parked_start(x, parked, w, counter);
    chacha20_scalar_start(one, w, single);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_columns_01(x, &patterns);
        chacha20_scalar_columns_01(one);
        words_exchange(parked, x + 8, x + 10);
        chacha20_columns_23(x, &patterns);
        chacha20_scalar_columns_23(one);
        chacha20_diagonals_01(x, &patterns);
        chacha20_scalar_diagonals_01(one);
        words_exchange(parked, x + 10, x + 8);
        chacha20_diagonals_23(x, &patterns);
        chacha20_scalar_diagonals_23(one);
    }
    chacha20_scalar_put(one, w, single, single_out, single_in);
    chacha20_parked_put(x, parked, w, counter, out, in, CHACHA20_PARKED_BLOCKS, NULL);
}

/* One block more than a vector has words, the last of them for out or leftover. */
TARGET static void chacha20_xor_one_more(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                         size_t nblocks, uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    const int to_out = nblocks > CHACHA20_PARKED_BLOCKS;
    const uint8_t *last_in = to_out && in != NULL ? in + CHACHA20_PARKED_BLOCKS * CHACHA20_BLOCK : NULL;
    uint8_t *last_out = to_out ? out + CHACHA20_PARKED_BLOCKS * CHACHA20_BLOCK : leftover;
    chacha20_xor_words_and_one(w, counter, counter + CHACHA20_PARKED_BLOCKS, out, in, last_out, last_in);
}

#endif
