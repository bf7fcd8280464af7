/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block of Salsa20 on 128-bit registers, one a diagonal, or two, of which the second is made in general registers. The
 * kernel that includes this has rounds.h, TARGET, and, where that is for wider vectors, XOR_ROTL for these. */
#ifndef SALSA20_X86_ROW_H
#define SALSA20_X86_ROW_H

#undef SHUFFLE
#undef PICK
#define SHUFFLE(a, order) ((runnel_words128)_mm_shuffle_epi32((__m128i)(a), order))
#define PICK(a, b, c, d)                                                                                               \
    (((a) & (runnel_words128){~0u, 0, 0, 0}) | ((b) & (runnel_words128){0, ~0u, 0, 0}) |                               \
     ((c) & (runnel_words128){0, 0, ~0u, 0}) | ((d) & (runnel_words128){0, 0, 0, ~0u}))

/* The last block is for out or leftover. */
TARGET RUNNEL_INLINE void salsa20_xor_row_beside(const runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                                 const uint8_t *in, size_t nblocks, uint8_t *leftover, const int two)
{
    const uint32_t *w = s->words;
    /* The IV is loaded with the width of its recent store, 8 bytes, for store-forwarding. */
    const __m128i iv = _mm_loadl_epi64((const void *)(w + 6)), counter = _mm_cvtsi64_si128((long long)index);
    const runnel_words128 r0 = (runnel_words128)_mm_loadu_si128((const void *)w);
    const runnel_words128 r1 = (runnel_words128)_mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(w + 4)), iv);
    const runnel_words128 r2 = (runnel_words128)_mm_unpacklo_epi64(counter, _mm_loadl_epi64((const void *)(w + 10)));
    const runnel_words128 r3 = (runnel_words128)_mm_loadu_si128((const void *)(w + 12));
    runnel_words128 a = DIAGONAL0(r0, r1, r2, r3), b = DIAGONAL1(r0, r1, r2, r3);
    runnel_words128 c = DIAGONAL2(r0, r1, r2, r3), d = DIAGONAL3(r0, r1, r2, r3);
    const uint32_t low = (uint32_t)(index + 1), high = (uint32_t)((index + 1) >> 32);
    RUNNEL_SIXTEEN(w, low, high, w[12]);
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        QUARTER_ROUND(a, b, c, d);
        TURN(b, c, d);
        if (two) {
            RUNNEL_INTERLEAVE_SCALAR(SALSA20_COLUMNS_01, x0, x5);
            RUNNEL_INTERLEAVE_SCALAR(SALSA20_COLUMNS_23, x10, x15);
        }
        QUARTER_ROUND(a, b, c, d);
        TURN(b, c, d);
        if (two) {
            RUNNEL_INTERLEAVE_SCALAR(SALSA20_ROWS_01, x0, x5);
            RUNNEL_INTERLEAVE_SCALAR(SALSA20_ROWS_23, x10, x15);
        }
    }
    runnel_put_rows128(out, in, 0, nblocks, leftover, ROW0(a, b, c, d) + r0, ROW1(a, b, c, d) + r1,
                       ROW2(a, b, c, d) + r2, ROW3(a, b, c, d) + r3);
    if (two) {
        const int to_out = nblocks > 1;
        const uint8_t *last_in = to_out && in != NULL ? in + RUNNEL_WORDS_BLOCK : NULL;
        uint8_t *last_out = to_out ? out + RUNNEL_WORDS_BLOCK : leftover;
        RUNNEL_XOR_SIXTEEN(last_out, last_in, w, low, high, w[12]);
    }
}

#endif
