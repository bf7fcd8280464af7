/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 on 256-bit registers: eight blocks with one register a state word; two blocks a set of four registers, one
 * a row, where there are few; and a last single block in the integer registers. */
#include "../../core/x86_words.h"
#include "chacha20_kernels.h"

#if RUNNEL_X86_64

#include "chacha20_x86_rounds.h"

#define TARGET RUNNEL_TARGET("avx2")

#define ADD _mm256_add_epi32
#define XOR _mm256_xor_si256
#define SHUFFLE _mm256_shuffle_epi32
/* Rotations by whole bytes are byte shuffles. Their patterns stay in memory, two registers fewer, which compilers only
 * leave them if they cannot know that it is the same pattern each time. */
#define ROTL(x, n)                                                                                                     \
    ((n) == 16  ? _mm256_shuffle_epi8(x, forget(&rotations)[0])                                           \
     : (n) == 8 ? _mm256_shuffle_epi8(x, forget(&rotations)[1])                                           \
                : _mm256_or_si256(_mm256_slli_epi32(x, n), _mm256_srli_epi32(x, 32 - (n))))

static const union {
    uint8_t bytes[2][32];
    __m256i patterns[2];
} rotate = {{{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13},
             {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14,
              3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14}}};

#define BROADCAST(i) _mm256_set1_epi32((int)w[i])

RUNNEL_INLINE const __m256i *forget(const __m256i **pointer)
{
    RUNNEL_FORGET(*pointer);
    return *pointer;
}

/* Puts two of the words, which are not needed for half a round, aside in memory and takes the two that lie there. The
 * sixteen registers hold fourteen words and leave two for the rotations; a compiler's own choice costs more. */
#define EXCHANGE(out0, out1, in0, in1)                                                                                 \
    do {                                                                                                               \
        in0 = parked[0], parked[0] = out0;                                                                             \
        in1 = parked[1], parked[1] = out1;                                                                             \
    } while (0)

/* 1 to 8 blocks. */
TARGET static void xor_words(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const __m256i *rotations = rotate.patterns;
    const __m256i counters =
        ADD(_mm256_set1_epi32((int)counter), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    __m256i x[16] = {BROADCAST(0),  BROADCAST(1),  BROADCAST(2),  BROADCAST(3),  BROADCAST(4), BROADCAST(5),
                     BROADCAST(6),  BROADCAST(7),  BROADCAST(8),  BROADCAST(9),  BROADCAST(10), BROADCAST(11),
                     counters, BROADCAST(13), BROADCAST(14), BROADCAST(15)};
    volatile __m256i parked[2];
    parked[0] = x[10], parked[1] = x[11];
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
        COLUMNS_01(x);
        EXCHANGE(x[8], x[9], x[10], x[11]);
        COLUMNS_23(x);
        DIAGONALS_01(x);
        EXCHANGE(x[10], x[11], x[8], x[9]);
        DIAGONALS_23(x);
    }
    x[10] = parked[0], x[11] = parked[1];
    parked[0] = parked[1] = _mm256_setzero_si256();
    RUNNEL_FORGET(w);
#define ADD_INPUT(i) x[i] = ADD(x[i], BROADCAST(i))
    ADD_INPUT(0), ADD_INPUT(1), ADD_INPUT(2), ADD_INPUT(3), ADD_INPUT(4), ADD_INPUT(5), ADD_INPUT(6), ADD_INPUT(7);
    ADD_INPUT(8), ADD_INPUT(9), ADD_INPUT(10), ADD_INPUT(11), ADD_INPUT(13), ADD_INPUT(14), ADD_INPUT(15);
    x[12] = ADD(x[12], counters);
    runnel_put_words256(out, in, nblocks, x);
}

/* 1 to 4 blocks. */
TARGET static void xor_rows(const uint32_t *w, uint32_t counter, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const __m256i *rotations = rotate.patterns;
    const __m256i row0 = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w));
    const __m256i row1 = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 4)));
    const __m256i row2 = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 8)));
    const __m128i last = _mm_set_epi32((int)w[15], (int)w[14], (int)w[13], (int)counter);
    const __m256i row3 = ADD(_mm256_broadcastsi128_si256(last), _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0));
    const __m256i two = _mm256_set_epi32(0, 0, 0, 2, 0, 0, 0, 2);

    __m256i a = row0, b = row1, c = row2, d = row3;
    if (nblocks <= 2) {
        for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
            QUARTER_ROUND(a, b, c, d);
            COLUMNS_TO_DIAGONALS(a, c, d);
            QUARTER_ROUND(a, b, c, d);
            DIAGONALS_TO_COLUMNS(a, c, d);
        }
    } else {
        const __m256i row3b = ADD(row3, two);
        __m256i a2 = row0, b2 = row1, c2 = row2, d2 = row3b;
        for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {
            QUARTER_ROUNDS(a, b, c, d, a2, b2, c2, d2);
            COLUMNS_TO_DIAGONALS(a, c, d);
            COLUMNS_TO_DIAGONALS(a2, c2, d2);
            QUARTER_ROUNDS(a, b, c, d, a2, b2, c2, d2);
            DIAGONALS_TO_COLUMNS(a, c, d);
            DIAGONALS_TO_COLUMNS(a2, c2, d2);
        }
        runnel_put_rows256(out, in, 2, 1, nblocks, ADD(a2, row0), ADD(b2, row1), ADD(c2, row2), ADD(d2, row3b));
    }
    runnel_put_rows256(out, in, 0, 1, nblocks, ADD(a, row0), ADD(b, row1), ADD(c, row2), ADD(d, row3));
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    while (nblocks > 0) {
        size_t n = nblocks < 8 ? nblocks : 8;
        if (n > 4)
            xor_words(state, (uint32_t)index, out, in, n);
        else if (n > 1)
            xor_rows(state, (uint32_t)index, out, in, n);
        else
            runnel_chacha20_xor_blocks(state, index, out, in, 1);
        index += n;
        out += CHACHA20_BLOCK * n;
        if (in != NULL)
            in += CHACHA20_BLOCK * n;
        nblocks -= n;
    }
}

const runnel_kernel runnel_chacha20_x86_avx2 = {
    .name = "avx2",
    .source = "eight blocks in parallel; rows as in Goll and Gueron, Vectorization on ChaCha stream cipher (2014)",
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .iv = runnel_chacha20_set_iv,
    .xor_blocks = xor_blocks,
};

#endif
