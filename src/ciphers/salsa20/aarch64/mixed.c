/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on NEON and the integer registers at once: the four blocks of four_blocks.h and a fifth beside them, step by
 * step. The vectors of four blocks wait for each other, or for the one unit that shifts them, while the integer units have
 * nothing to do: the fifth block takes no time of its own where instructions run out of order. */
#include "arch/aarch64/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_AARCH64

#include "ciphers/salsa20/four_blocks.h"

/* b ^= (a + d) <<< by, for four quarter-rounds on the words x of four blocks and on s, those of another. WORD(x, i, n) is
 * number n of quarter-round i. */
#define MIXED_STEP(WORD, b, a, d, by)                                                                                  \
    do {                                                                                                               \
        runnel_words sum[4];                                                                                           \
        uint32_t one[4];                                                                                               \
        RUNNEL_EACH(i, 4) sum[i] = WORD(x, i, a) + WORD(x, i, d), one[i] = WORD(s, i, a) + WORD(s, i, d);              \
        RUNNEL_EACH(i, 4) sum[i] = RUNNEL_ROTL_WORDS(sum[i], by), WORD(s, i, b) ^= runnel_rotl32(one[i], by);          \
        RUNNEL_EACH(i, 4) WORD(x, i, b) ^= sum[i];                                                                     \
    } while (0)
#define MIXED_ROUND(WORD)                                                                                              \
    do {                                                                                                               \
        MIXED_STEP(WORD, 1, 0, 3, 7);                                                                                  \
        MIXED_STEP(WORD, 2, 1, 0, 9);                                                                                  \
        MIXED_STEP(WORD, 3, 2, 1, 13);                                                                                 \
        MIXED_STEP(WORD, 0, 3, 2, 18);                                                                                 \
    } while (0)
#define IN_COLUMN(y, i, n) (y)[(5 * (i) + 4 * (n)) % 16]
#define IN_ROW(y, i, n) (y)[4 * (i) + ((i) + (n)) % 4]

/* Groups of five blocks. */
static RUNNEL_NOINLINE void salsa20_xor_fives(const runnel_salsa20_state *state, uint64_t index, uint8_t *out,
                                              const uint8_t *in, size_t groups)
{
    const uint32_t *const w = state->words;
    runnel_rows r = salsa20_rows_of(w, index);
    for (; groups > 0; groups--, index += 5) {
        const runnel_words lanes = {0, 1, 2, 3};
        RUNNEL_WORDS_BARRIER(r.a);
        RUNNEL_WORDS_BARRIER(r.b);
        RUNNEL_WORDS_BARRIER(r.d);
        runnel_words x[16] = {RUNNEL_WORDS_OF(r.a), RUNNEL_WORDS_OF(r.b), RUNNEL_WORDS_OF(r.c), RUNNEL_WORDS_OF(r.d)};
        const runnel_words low = x[8];
        x[8] = low + lanes;
        x[9] -= (runnel_words)(x[8] < low); /* a low word that is less than the first one has wrapped */
        const uint32_t fifth[2] = {(uint32_t)(index + 4), (uint32_t)((index + 4) >> 32)};
        uint32_t s[16];
        RUNNEL_EACH(i, 16) s[i] = i / 2 == 4 ? fifth[i % 2] : w[i];
        for (unsigned round = state->rounds; round > 0; round -= 2) {
            MIXED_ROUND(IN_COLUMN);
            MIXED_ROUND(IN_ROW);
        }
        runnel_words_to_rows(x);
        RUNNEL_EACH(i, 4)
        {
            const runnel_rows of_block = {x[i], x[4 + i], x[8 + i], x[12 + i]};
            const runnel_rows first = {r.a, r.b, salsa20_third_row(r.c, (uint64_t)i), r.d};
            runnel_put_rows(out + RUNNEL_WORDS_BLOCK * i, in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * i,
                            salsa20_add_rows(of_block, first));
        }
        r.c = salsa20_third_row(r.c, 5);
        out += 4 * RUNNEL_WORDS_BLOCK;
        in = in == NULL ? NULL : in + 4 * RUNNEL_WORDS_BLOCK;
        RUNNEL_EACH(i, 16) runnel_xor32le(out, in, (unsigned)i, s[i] + (i / 2 == 4 ? fifth[i % 2] : w[i]));
        out += RUNNEL_WORDS_BLOCK;
        in = in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK;
    }
}

static void salsa20_xor_mixed(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const size_t fives = runnel_groups_of_five(nblocks), done = 5 * fives;
    if (fives > 0)
        salsa20_xor_fives(state, index, out, in, fives);
    if (nblocks > done)
        salsa20_xor_blocks(state, index + done, out + RUNNEL_WORDS_BLOCK * done,
                           in == NULL ? NULL : in + RUNNEL_WORDS_BLOCK * done, nblocks - done);
}

const runnel_kernel runnel_salsa20_aarch64_mixed = {
    .name = RUNNEL_TEXT("aarch64-mixed"),
    .citation = RUNNEL_TEXT("four blocks in vectors, a fifth in integer registers; Bernstein's diagonals for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = salsa20_xor_mixed},
};

#endif
