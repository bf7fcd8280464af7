/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Up to FEW blocks by pairs.h. The includer has defined what rounds.h and pairs.h need, hight_vec_few_numbers (0, 1 …
 * in each half), and hight_get_few and hight_put_few for half as many blocks as LANES, which are as get_blocks and
 * put_blocks. */
#include "pairs.h"

#ifndef TAKE_FEWER /* what has better code still */
#define TAKE_FEWER(total, call)
#endif

#define FEW (LANES / 2)

INLINE void hight_encrypt_few(const runnel_hight_schedule *schedule, const hight_tables *t, uint8_t *out,
                              const uint8_t *in, size_t nblocks)
{
    TAKE_FEWER(nblocks, runnel_hight_encrypt_few(schedule, out, in, nblocks))
    hight_vec x[4];
    hight_get_few(x, in, nblocks);
    x[3] = vec_turn(x[3]);
    hight_few_rounds(schedule, t, x);
    hight_put_few(out, NULL, x, nblocks, NULL);
}

INLINE void hight_xor_few(const runnel_hight_schedule *schedule, const hight_tables *t, const uint8_t *block,
                          uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    TAKE_FEWER(nblocks + (leftover != NULL), runnel_hight_xor_few(schedule, block, counter, out, in, nblocks, leftover))
    const uint32_t last = counter + FEW - 1; /* as above */
    const hight_vec low = vec_broadcast((uint8_t)counter), lanes = low + hight_vec_few_numbers();
    const hight_vec before_carry = (hight_vec)(lanes >= low), second_half = vec_halves(0, 255);
    hight_vec x[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 3; i++) {
        const hight_vec early = vec_halves(block[i], (uint8_t)(counter >> (24 - 8 * i)));
        const hight_vec late = vec_halves(block[i], (uint8_t)(last >> (24 - 8 * i)));
        x[i] = (early & before_carry) | (late & ~before_carry);
    }
    x[3] = vec_turn((lanes & second_half) | (vec_broadcast(block[3]) & ~second_half));
    hight_few_rounds(schedule, t, x);
    hight_put_few(out, in, x, nblocks, leftover);
}
