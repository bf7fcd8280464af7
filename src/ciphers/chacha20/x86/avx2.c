/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 256-bit registers: eight blocks with one register a state word; two blocks in a set of four registers,
 * one a row, if there are few. */
#include "arch/x86/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words256 words;
typedef __m256i vector;

#define TARGET RUNNEL_TARGET("avx2")
#define SHUFFLE(a, order) ((words)_mm256_shuffle_epi32((vector)(a), order))
#define EACH_LANE(...) __VA_ARGS__, __VA_ARGS__
#define SHUFFLE_BYTES _mm256_shuffle_epi8

#include "rounds.h"

/* 1 to 8 blocks. */
TARGET static void xor_words(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                             uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    const vector *rotations = rotate.patterns;
    const words lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    words x[16] = WORDS(counter + lanes);
    ROUNDS_PARKED(x);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(counter);
    ADD_WORDS(x, counter + lanes);
    runnel_put_words256(out, in, nblocks, leftover, x);
}

/* 1 to 4 blocks. */
TARGET static void xor_rows(const uint32_t *w, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                            uint8_t *leftover)
{
    uint32_t counter = (uint32_t)index;
    const vector *rotations = rotate.patterns;
    const words row0 = (words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w));
    const words row1 = (words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 4)));
    const words row2 = (words)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 8)));
    const words row3 = {counter, w[13], w[14], w[15], counter + 1, w[13], w[14], w[15]};
    words a = row0, b = row1, c = row2, d = row3;
    if (nblocks + (leftover != NULL) <= 2) {
        ROUNDS_ON_ROWS(a, b, c, d)
    } else {
        const words row3_next = row3 + (words){2, 0, 0, 0, 2, 0, 0, 0};
        words e = row0, f = row1, g = row2, h = row3_next;
        ROUNDS_ON_ROWS_TWICE(a, b, c, d, e, f, g, h)
        runnel_put_rows256(out, in, 2, 1, nblocks, leftover, e + row0, f + row1, g + row2, h + row3_next);
    }
    runnel_put_rows256(out, in, 0, 1, nblocks, leftover, a + row0, b + row1, c + row2, d + row3);
}

RUNNEL_DEFINE_XOR_BY_2(4, xor_rows, 8, xor_words)

const runnel_kernel runnel_chacha20_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT(
        "eight blocks in parallel; rows as in Goll and Gueron, Vectorization on ChaCha stream cipher (2014)"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = xor_blocks, .xor_tail = xor_tail},
    .stack_bytes = 1024,
};

#endif
