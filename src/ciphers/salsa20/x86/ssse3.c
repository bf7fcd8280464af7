/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 128-bit registers: four blocks with one register a state word, a single one with one a diagonal. For
 * CPUs without AVX2. */
#include "arch/x86/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#include "setup.h"

typedef runnel_words128 words;

#define TARGET RUNNEL_TARGET("ssse3")

#define SHUFFLE(a, order) ((words)_mm_shuffle_epi32((__m128i)(a), order))
#define PICK(a, b, c, d)                                                                                               \
    (((a) & (words){~0u, 0, 0, 0}) | ((b) & (words){0, ~0u, 0, 0}) | ((c) & (words){0, 0, ~0u, 0}) |                   \
     ((d) & (words){0, 0, 0, ~0u}))

#include "rounds.h"

/* 1 to 4 blocks. */
TARGET static void xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                             size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    const words lanes = {0, 1, 2, 3};
    words x[16] = WORDS(LOW(index), HIGH(index));
    ROUNDS_PARKED(x);
    RUNNEL_VALUE_BARRIER(w);
    RUNNEL_VALUE_BARRIER(index);
    ADD_WORDS(x, LOW(index), HIGH(index));
    runnel_put_words128(out, in, nblocks, leftover, x);
}

/* One block, for out or leftover. */
TARGET static void xor_row(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                           size_t nblocks, uint8_t *leftover)
{
    const uint32_t *w = s->words;
    /* The IV is loaded with the width of its recent store, 8 bytes, for store-forwarding. */
    const __m128i iv = _mm_loadl_epi64((const void *)(w + 6)), counter = _mm_cvtsi64_si128((long long)index);
    const words r0 = (words)_mm_loadu_si128((const void *)w);
    const words r1 = (words)_mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(w + 4)), iv);
    const words r2 = (words)_mm_unpacklo_epi64(counter, _mm_loadl_epi64((const void *)(w + 10)));
    const words r3 = (words)_mm_loadu_si128((const void *)(w + 12));
    words a = DIAGONAL0(r0, r1, r2, r3), b = DIAGONAL1(r0, r1, r2, r3);
    words c = DIAGONAL2(r0, r1, r2, r3), d = DIAGONAL3(r0, r1, r2, r3);
    for (uint32_t round = s->rounds; round > 0; round--) {
        QUARTER_ROUND(a, b, c, d);
        TURN(b, c, d);
    }
    runnel_put_rows128(out, in, 0, nblocks, leftover, ROW0(a, b, c, d) + r0, ROW1(a, b, c, d) + r1,
                       ROW2(a, b, c, d) + r2, ROW3(a, b, c, d) + r3);
}

RUNNEL_DEFINE_XOR_BY_2(1, xor_row, 4, xor_words)

const runnel_kernel runnel_salsa20_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("four blocks in parallel; diagonals as in Bernstein's own x86 code"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks, .xor_tail = xor_tail},
    .stack_bytes = 1024,
};

#endif
