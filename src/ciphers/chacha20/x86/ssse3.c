/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 128-bit registers: four blocks with one register a state word, a single one with one a row. For CPUs
 * without AVX2. */
#include "arch/x86/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words128 words;
typedef __m128i vector;

#define TARGET RUNNEL_TARGET("ssse3")
#define SHUFFLE(a, order) ((words)_mm_shuffle_epi32((vector)(a), order))
#define EACH_LANE(...) __VA_ARGS__
#define SHUFFLE_BYTES _mm_shuffle_epi8

#include "rounds.h"

/* 1 to 4 blocks. */
TARGET static void xor_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                             uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    const vector *rotations = rotate.patterns;
    const words lanes = {0, 1, 2, 3};
    words x[16] = WORDS(counter + lanes);
    ROUNDS_PARKED(x);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    ADD_WORDS(x, counter + lanes);
    runnel_put_words128(out, in, nblocks, leftover, x);
}

/* One block, for out or leftover. */
TARGET static void xor_row(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                           uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    const vector *rotations = rotate.patterns;
    const words row0 = (words)_mm_loadu_si128((const void *)w);
    const words row1 = (words)_mm_loadu_si128((const void *)(w + 4));
    const words row2 = (words)_mm_loadu_si128((const void *)(w + 8));
    const words row3 = {counter, w[13], w[14], w[15]};
    words a = row0, b = row1, c = row2, d = row3;
    ROUNDS_ON_ROWS(a, b, c, d)
    runnel_put_rows128(out, in, 0, nblocks, leftover, a + row0, b + row1, c + row2, d + row3);
}

RUNNEL_DEFINE_XOR_BY_2(1, xor_row, 4, xor_words)

const runnel_kernel runnel_chacha20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("four blocks in parallel; rows as in Goll and Gueron (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = xor_blocks, .xor_tail = xor_tail},
    .stack_bytes = 1024,
};

#endif
