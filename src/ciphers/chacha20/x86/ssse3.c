/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 128-bit registers: four blocks with one register a state word, a single one with one a row. For CPUs
 * without AVX2. */
#include "arch/x86/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#include "rounds.h"

typedef runnel_words128 words;

#define TARGET RUNNEL_TARGET("ssse3")

/* Rotations by whole bytes are byte shuffles. Their patterns stay in memory, two registers fewer, which compilers only
 * leave them if they cannot know that it is the same pattern each time. */
#define ROTL(x, n)                                                                                                     \
    ((n) == 16  ? (words)_mm_shuffle_epi8((__m128i)(x), forget(&rotations)[0])                                         \
     : (n) == 8 ? (words)_mm_shuffle_epi8((__m128i)(x), forget(&rotations)[1])                                         \
                : RUNNEL_ROTL_WORDS(x, n))

#define SHUFFLE(a, order) ((words)_mm_shuffle_epi32((__m128i)(a), order))

static const union {
    uint8_t bytes[2][16];
    __m128i patterns[2];
} rotate = {
    {{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13}, {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14}}};

RUNNEL_INLINE const __m128i *forget(const __m128i **pointer)
{
    RUNNEL_VALUE_BARRIER(*pointer);
    return *pointer;
}

/* 1 to 4 blocks. */
TARGET static void xor_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks,
                             uint8_t *leftover)
{
    const __m128i *rotations = rotate.patterns;
    const words lanes = {0, 1, 2, 3};
    words x[16] = WORDS(counter + lanes);
    ROUNDS_PARKED(x);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    ADD_WORDS(x, counter + lanes);
    runnel_put_words128(out, in, nblocks, leftover, x);
}

/* One block, for out or leftover. */
TARGET static void xor_row(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks,
                           uint8_t *leftover)
{
    const __m128i *rotations = rotate.patterns;
    const words row0 = (words)_mm_loadu_si128((const void *)w);
    const words row1 = (words)_mm_loadu_si128((const void *)(w + 4));
    const words row2 = (words)_mm_loadu_si128((const void *)(w + 8));
    const words row3 = {counter, w[13], w[14], w[15]};
    words a = row0, b = row1, c = row2, d = row3;
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        QUARTER_ROUND(a, b, c, d);
        COLUMNS_TO_DIAGONALS(a, c, d);
        QUARTER_ROUND(a, b, c, d);
        DIAGONALS_TO_COLUMNS(a, c, d);
    }
    runnel_put_rows128(out, in, 0, nblocks, leftover, a + row0, b + row1, c + row2, d + row3);
}

static void xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > 1)
        xor_words(state, (uint32_t)index, out, in, nblocks, leftover);
    else
        xor_row(state, (uint32_t)index, out, in, nblocks, leftover);
}

RUNNEL_DEFINE_XOR_BY_BATCHES(xor_batch, 4)

const runnel_kernel runnel_chacha20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("four blocks in parallel; rows as in Goll and Gueron (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = xor_blocks, .xor_tail = xor_tail},
    .stack_bytes = 1024,
};

#endif
