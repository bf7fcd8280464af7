/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block of Salsa20 on 128-bit registers, one a diagonal, or two, of which the second is made in general registers. The
 * includer defines TARGET and includes arch/x86/blocks_128.h. */
#ifndef SALSA20_X86_ROW_H
#define SALSA20_X86_ROW_H

#include "rounds.h"
#include "scalar.h"

/* The last block is for out or leftover. */
TARGET RUNNEL_INLINE void salsa20_xor_row_beside(const runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                                 const uint8_t *in, size_t nblocks, uint8_t *leftover, const int two)
{
    vector_words start[4], x[4];
    uint32_t one[16];
    salsa20_start_rows(start, s->words, index);
    salsa20_to_diagonals(x, start);
    salsa20_scalar_start(one, s->words, index + 1);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        salsa20_quarter_round(x, 0, 1, 2, 3);
        salsa20_turn(x);
        if (two) {
            salsa20_scalar_columns_01(one);
            salsa20_scalar_columns_23(one);
        }
        salsa20_quarter_round(x, 0, 1, 2, 3);
        salsa20_turn(x);
        if (two) {
            salsa20_scalar_rows_01(one);
            salsa20_scalar_rows_23(one);
        }
    }
    salsa20_put_diagonals(out, in, 0, nblocks, leftover, x, start);
    if (two) {
        const int to_out = nblocks > 1;
        const uint8_t *last_in = to_out && in != NULL ? in + SALSA20_BLOCK : NULL;
        salsa20_scalar_put(one, s->words, index + 1, to_out ? out + SALSA20_BLOCK : leftover, last_in);
    }
}

#endif
