/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 128-bit registers: four blocks with one register a state word, and a fifth in general registers; a single
 * one with one a row. For CPUs without AVX2. */
#include "arch/common/salsa_state.h"
#include "arch/x86/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words128 chacha20_words;
typedef __m128i chacha20_vector;

#define TARGET RUNNEL_TARGET("ssse3")
#define SHUFFLE(a, order) ((chacha20_words)_mm_shuffle_epi32((chacha20_vector)(a), order))
#define EACH_LANE(...) __VA_ARGS__
#define SHUFFLE_BYTES _mm_shuffle_epi8

#include "rounds.h"

static const chacha20_words chacha20_lanes = {0, 1, 2, 3};

/* Four blocks after their rounds. */
TARGET RUNNEL_INLINE void chacha20_put_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in,
                                             size_t nblocks, uint8_t *leftover, chacha20_words x[16],
                                             volatile chacha20_words parked[2])
{
    UNPARK(x, parked);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    ADD_WORDS(x, w, counter + chacha20_lanes);
    runnel_put_words128(out, in, nblocks, leftover, x);
}

/* 1 to 4 blocks. */
TARGET static void chacha20_xor_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                      size_t nblocks, uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    const chacha20_vector *rotations = chacha20_rotate.patterns;
    chacha20_words x[16] = WORDS(w, counter + chacha20_lanes);
    volatile chacha20_words parked[2];
    PARK(x, parked);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2)
        DOUBLE_ROUND_PARKED(rotations, x, parked, , , , );
    chacha20_put_words(w, counter, out, in, nblocks, leftover, x, parked);
}

/* 5 blocks, the last of them for out or leftover: four as above, and between their rounds one in general registers. There
 * is time for it, because a round's vectors wait for each other. */
TARGET static void chacha20_xor_five(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    const chacha20_vector *rotations = chacha20_rotate.patterns;
    chacha20_words x[16] = WORDS(w, counter + chacha20_lanes);
    volatile chacha20_words parked[2];
    PARK(x, parked);
    RUNNEL_SIXTEEN(w, w[8], w[9], counter + 4);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2)
        DOUBLE_ROUND_PARKED(rotations, x, parked, RUNNEL_INTERLEAVE_SCALAR(CHACHA20_COLUMNS_01, x4, x5),
                            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_COLUMNS_23, x6, x7),
                            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_DIAGONALS_01, x5, x6),
                            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_DIAGONALS_23, x7, x4));
    const int to_out = nblocks > 4;
    const uint8_t *last_in = to_out && in != NULL ? in + 4 * RUNNEL_WORDS_BLOCK : NULL;
    uint8_t *last_out = to_out ? out + 4 * RUNNEL_WORDS_BLOCK : leftover;
    RUNNEL_XOR_SIXTEEN(last_out, last_in, w, w[8], w[9], counter + 4);
    chacha20_put_words(w, counter, out, in, 4, NULL, x, parked);
}

/* One block, or two, of which the second is made in general registers; the last of them for out or leftover. */
TARGET RUNNEL_INLINE void chacha20_xor_row_beside(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in,
                                                  size_t nblocks, uint8_t *leftover, const int two)
{
    uint32_t counter = (uint32_t)index;
    const chacha20_vector *rotations = chacha20_rotate.patterns;
    const chacha20_words row0 = (chacha20_words)_mm_loadu_si128((const void *)w);
    const chacha20_words row1 = (chacha20_words)_mm_loadu_si128((const void *)(w + 4));
    const chacha20_words row2 = (chacha20_words)_mm_loadu_si128((const void *)(w + 8));
    const chacha20_words row3 = {counter, w[13], w[14], w[15]};
    chacha20_words a = row0, b = row1, c = row2, d = row3;
    RUNNEL_SIXTEEN(w, w[8], w[9], counter + 1);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        QUARTER_ROUND(rotations, a, b, c, d);
        COLUMNS_TO_DIAGONALS(a, c, d);
        if (two) {
            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_COLUMNS_01, x4, x5);
            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_COLUMNS_23, x6, x7);
        }
        QUARTER_ROUND(rotations, a, b, c, d);
        DIAGONALS_TO_COLUMNS(a, c, d);
        if (two) {
            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_DIAGONALS_01, x5, x6);
            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_DIAGONALS_23, x7, x4);
        }
    }
    runnel_put_rows128(out, in, 0, nblocks, leftover, a + row0, b + row1, c + row2, d + row3);
    if (two) {
        const int to_out = nblocks > 1;
        const uint8_t *last_in = to_out && in != NULL ? in + RUNNEL_WORDS_BLOCK : NULL;
        uint8_t *last_out = to_out ? out + RUNNEL_WORDS_BLOCK : leftover;
        RUNNEL_XOR_SIXTEEN(last_out, last_in, w, w[8], w[9], counter + 1);
    }
}

/* 1 or 2 blocks. */
TARGET static void chacha20_xor_row(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    uint8_t *leftover)
{
    if (nblocks + (leftover != NULL) > 1)
        chacha20_xor_row_beside(w, index, out, in, nblocks, leftover, 1);
    else
        chacha20_xor_row_beside(w, index, out, in, nblocks, leftover, 0);
}

RUNNEL_DEFINE_XOR_BATCH(chacha20_xor_batch, 2, chacha20_xor_row, 4, chacha20_xor_words, chacha20_xor_five)
RUNNEL_DEFINE_XOR_LOOP(chacha20_xor_blocks, chacha20_xor_tail, chacha20_xor_batch, 2, 4)

const runnel_kernel runnel_chacha20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("four blocks in parallel, a fifth in general registers; rows as in Goll and Gueron (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks, .xor_tail = chacha20_xor_tail},
    .stack_bytes = 1024,
};

#endif
