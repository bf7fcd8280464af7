/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 256-bit registers: eight blocks with one register a state word, and a ninth in general registers; two
 * blocks in a set of four registers, one a row, if there are few. */
#include "arch/common/salsa_state.h"
#include "arch/x86/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words256 chacha20_words;
typedef __m256i chacha20_vector;

#define TARGET RUNNEL_TARGET("avx2")
#define SHUFFLE(a, order) ((chacha20_words)_mm256_shuffle_epi32((chacha20_vector)(a), order))
#define EACH_LANE(...) __VA_ARGS__, __VA_ARGS__
#define SHUFFLE_BYTES _mm256_shuffle_epi8

#include "rounds.h"

static const chacha20_words chacha20_lanes = {0, 1, 2, 3, 4, 5, 6, 7};

/* Eight blocks after their rounds. */
TARGET RUNNEL_INLINE void chacha20_put_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in,
                                             size_t nblocks, uint8_t *leftover, chacha20_words x[16],
                                             volatile chacha20_words parked[2])
{
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    ADD_WORDS_0_TO_7(x, w);
    runnel_put_half_words256(out, in, nblocks, leftover, 0, x);
    UNPARK(x, parked);
    RUNNEL_VALUE_BARRIER(w);
    ADD_WORDS_8_TO_15(x, w, counter + chacha20_lanes);
    runnel_put_half_words256(out, in, nblocks, leftover, 32, x + 8);
}

/* 1 to 8 blocks. */
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

/* 8 blocks from number counter on, as above, and between their rounds one more, number `single`, in general registers. There
 * is time for it, because a round's vectors wait for each other; not so much where another thread shares the core. */
TARGET RUNNEL_INLINE void chacha20_xor_eight_and_one(const uint32_t *w, uint32_t counter, uint32_t single, uint8_t *out,
                                                     const uint8_t *in, uint8_t *single_out, const uint8_t *single_in)
{
    const chacha20_vector *rotations = chacha20_rotate.patterns;
    chacha20_words x[16] = WORDS(w, counter + chacha20_lanes);
    volatile chacha20_words parked[2];
    PARK(x, parked);
    RUNNEL_SIXTEEN(w, w[8], w[9], single);
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2)
        DOUBLE_ROUND_PARKED(rotations, x, parked, RUNNEL_INTERLEAVE_SCALAR(CHACHA20_COLUMNS_01, x4, x5),
                            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_COLUMNS_23, x6, x7),
                            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_DIAGONALS_01, x5, x6),
                            RUNNEL_INTERLEAVE_SCALAR(CHACHA20_DIAGONALS_23, x7, x4));
    RUNNEL_XOR_SIXTEEN(single_out, single_in, w, w[8], w[9], single);
    chacha20_put_words(w, counter, out, in, 8, NULL, x, parked);
}

/* 9 blocks, the last of them for out or leftover. */
TARGET static void chacha20_xor_nine(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    const uint32_t counter = (uint32_t)index;
    const int to_out = nblocks > 8;
    const uint8_t *last_in = to_out && in != NULL ? in + 8 * RUNNEL_WORDS_BLOCK : NULL;
    uint8_t *last_out = to_out ? out + 8 * RUNNEL_WORDS_BLOCK : leftover;
    chacha20_xor_eight_and_one(w, counter, counter + 8, out, in, last_out, last_in);
}

TARGET void runnel_chacha20_avx2_begin(const uint32_t *w, uint8_t *first, uint8_t *out, const uint8_t *in)
{
    chacha20_xor_eight_and_one(w, 1, 0, out, in, first, NULL);
}

/* 1 to 4 blocks. */
TARGET static void chacha20_xor_rows(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                     uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    const chacha20_vector *rotations = chacha20_rotate.patterns;
    const chacha20_words row0 = (chacha20_words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w));
    const chacha20_words row1 = (chacha20_words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 4)));
    const chacha20_words row2 = (chacha20_words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 8)));
    const chacha20_words row3 = {counter, w[13], w[14], w[15], counter + 1, w[13], w[14], w[15]};
    chacha20_words a = row0, b = row1, c = row2, d = row3;
    if (nblocks + (leftover != NULL) <= 2) {
        ROUNDS_ON_ROWS(rotations, a, b, c, d)
    } else {
        const chacha20_words row3_next = row3 + (chacha20_words){2, 0, 0, 0, 2, 0, 0, 0};
        chacha20_words e = row0, f = row1, g = row2, h = row3_next;
        ROUNDS_ON_ROWS_TWICE(rotations, a, b, c, d, e, f, g, h)
        runnel_put_rows256(out, in, 2, 1, nblocks, leftover, e + row0, f + row1, g + row2, h + row3_next);
    }
    runnel_put_rows256(out, in, 0, 1, nblocks, leftover, a + row0, b + row1, c + row2, d + row3);
}

RUNNEL_DEFINE_XOR_BATCH(chacha20_xor_batch, 4, chacha20_xor_rows, 8, chacha20_xor_words, chacha20_xor_nine)
RUNNEL_DEFINE_XOR_LOOP(chacha20_xor_blocks, chacha20_xor_tail, chacha20_xor_batch, 4, 8)

const runnel_kernel runnel_chacha20_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("eight blocks in parallel, a ninth in general registers; rows as in Goll and Gueron, "
                            "Vectorization on ChaCha stream cipher (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks, .xor_tail = chacha20_xor_tail},
    .stack_bytes = 1024,
};

#endif
