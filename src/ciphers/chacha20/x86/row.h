/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block of ChaCha20 on 128-bit registers, one a row, or two, of which the second is made in general registers. The
 * includer defines TARGET and includes arch/x86/blocks_128.h. */
#ifndef CHACHA20_X86_ROW_H
#define CHACHA20_X86_ROW_H

#include "rounds.h"
#include "scalar.h"

/* The last block is for out or leftover. */
TARGET RUNNEL_INLINE void chacha20_xor_row_beside(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                                  size_t nblocks, uint8_t *leftover, const int two)
{
    const uint32_t counter = (uint32_t)index;
    const uint8_t *patterns = chacha20_patterns[0][0];
    const vector_words start[4] = {(vector_words)vector_load(w), (vector_words)vector_load(w + 4),
                                   (vector_words)vector_load(w + 8), (vector_words){counter, w[13], w[14], w[15]}};
    vector_words x[4] = {start[0], start[1], start[2], start[3]};
    uint32_t one[16];
    chacha20_scalar_start(one, w, counter + 1);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        chacha20_quarter_round(x, 0, 1, 2, 3, &patterns);
        chacha20_to_diagonals(x);
        if (two) {
            chacha20_scalar_columns_01(one);
            chacha20_scalar_columns_23(one);
        }
        chacha20_quarter_round(x, 0, 1, 2, 3, &patterns);
        chacha20_to_columns(x);
        if (two) {
            chacha20_scalar_diagonals_01(one);
            chacha20_scalar_diagonals_23(one);
        }
    }
    chacha20_put_rows(out, in, 0, nblocks, leftover, x, start);
    if (two) {
        const int to_out = nblocks > 1;
        const uint8_t *last_in = to_out && in != NULL ? in + CHACHA20_BLOCK : NULL;
        uint8_t *last_out = to_out ? out + CHACHA20_BLOCK : leftover;
        chacha20_scalar_put(one, w, counter + 1, last_out, last_in);
    }
}

#endif
