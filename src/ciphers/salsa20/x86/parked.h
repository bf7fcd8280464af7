/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many blocks of Salsa20, one vector a state word, and one block more in general registers: for kernels with sixteen
 * vector registers. The kernel that includes this has rounds.h, its lanes, LANES (blocks in a vector), and
 * salsa20_put_words, which adds the state to the words and writes them. */
#ifndef SALSA20_X86_PARKED_H
#define SALSA20_X86_PARKED_H

/* 1 to LANES blocks. */
TARGET static void salsa20_xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                     size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    salsa20_words x[16] = WORDS(w, LOW(index), HIGH(index));
    volatile salsa20_words parked[2];
    PARK(x, parked);
    for (uint32_t round = s->rounds; round > 0; round -= 2)
        DOUBLE_ROUND_PARKED(x, parked, , , , );
    salsa20_put_words(w, index, out, in, nblocks, leftover, x, parked);
}

/* LANES + 1 blocks, the last of them for out or leftover: LANES as above, and between their rounds one in general registers.
 * There is time for it, because a round's vectors wait for each other. */
TARGET static void salsa20_xor_one_more(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                                        size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    salsa20_words x[16] = WORDS(w, LOW(index), HIGH(index));
    volatile salsa20_words parked[2];
    PARK(x, parked);
    const uint32_t low = (uint32_t)(index + LANES), high = (uint32_t)((index + LANES) >> 32);
    RUNNEL_SIXTEEN(w, low, high, w[12]);
    for (uint32_t round = s->rounds; round > 0; round -= 2)
        DOUBLE_ROUND_PARKED(x, parked, RUNNEL_INTERLEAVE_SCALAR(SALSA20_COLUMNS_01, x0, x5),
                            RUNNEL_INTERLEAVE_SCALAR(SALSA20_COLUMNS_23, x10, x15),
                            RUNNEL_INTERLEAVE_SCALAR(SALSA20_ROWS_01, x0, x5),
                            RUNNEL_INTERLEAVE_SCALAR(SALSA20_ROWS_23, x10, x15));
    const int to_out = nblocks > LANES;
    const uint8_t *last_in = to_out && in != NULL ? in + LANES * RUNNEL_WORDS_BLOCK : NULL;
    uint8_t *last_out = to_out ? out + LANES * RUNNEL_WORDS_BLOCK : leftover;
    RUNNEL_XOR_SIXTEEN(last_out, last_in, w, low, high, w[12]);
    salsa20_put_words(w, index, out, in, LANES, NULL, x, parked);
}

#endif
