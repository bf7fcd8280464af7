/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 128-bit registers: four blocks with one register a state word, and a fifth in general registers; a single
 * one with one a diagonal. For CPUs without AVX2. */
#include "arch/common/sixteen.h"
#include "arch/x86/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words128 words;

#define TARGET RUNNEL_TARGET("ssse3")

#include "rounds.h"
#include "row.h"

static const words lanes = {0, 1, 2, 3};

/* Four blocks after their rounds. */
TARGET RUNNEL_INLINE void put_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    uint8_t *leftover, words x[16], volatile words parked[2])
{
    UNPARK(x, parked);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    ADD_WORDS(x, LOW(index), HIGH(index));
    runnel_put_words128(out, in, nblocks, leftover, x);
}

/* 1 to 4 blocks. */
TARGET static void xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                             size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    words x[16] = WORDS(LOW(index), HIGH(index));
    volatile words parked[2];
    PARK(x, parked);
    for (uint32_t round = s->rounds; round > 0; round -= 2)
        DOUBLE_ROUND_PARKED(x, parked, , , , );
    put_words(w, index, out, in, nblocks, leftover, x, parked);
}

/* 5 blocks, the last of them for out or leftover: four as above, and between their rounds one in general registers. There
 * is time for it, because a round's vectors wait for each other. */
TARGET static void xor_five(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                            size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    words x[16] = WORDS(LOW(index), HIGH(index));
    volatile words parked[2];
    PARK(x, parked);
    const uint32_t low = (uint32_t)(index + 4), high = (uint32_t)((index + 4) >> 32);
    RUNNEL_SIXTEEN(w, low, high, w[12]);
    for (uint32_t round = s->rounds; round > 0; round -= 2)
        DOUBLE_ROUND_PARKED(x, parked, RUNNEL_BESIDE(SALSA20_COLUMNS_01, x0, x5),
                            RUNNEL_BESIDE(SALSA20_COLUMNS_23, x10, x15), RUNNEL_BESIDE(SALSA20_ROWS_01, x0, x5),
                            RUNNEL_BESIDE(SALSA20_ROWS_23, x10, x15));
    const int to_out = nblocks > 4;
    const uint8_t *last_in = to_out && in != NULL ? in + 4 * RUNNEL_WORDS_BLOCK : NULL;
    uint8_t *last_out = to_out ? out + 4 * RUNNEL_WORDS_BLOCK : leftover;
    RUNNEL_XOR_SIXTEEN(last_out, last_in, w, low, high, w[12]);
    put_words(w, index, out, in, 4, NULL, x, parked);
}

/* 1 or 2 blocks. */
TARGET static void xor_row(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                           size_t nblocks, uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) > 1)
        xor_row_beside(s, index, out, in, nblocks, leftover, 1);
    else
        xor_row_beside(s, index, out, in, nblocks, leftover, 0);
}

RUNNEL_DEFINE_XOR_BY_2_OR_ONE_MORE(2, xor_row, 4, xor_words, xor_five)

const runnel_kernel runnel_salsa20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation =
        RUNNEL_TEXT("four blocks in parallel, a fifth in general registers; diagonals as in Bernstein's own x86 code"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks, .xor_tail = xor_tail},
    .stack_bytes = 1024,
};

#endif
