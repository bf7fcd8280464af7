/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Few blocks, as rows, in the fewest registers. The includer defines TARGET, and VECTOR_GFNI if that has GFNI, and includes
 * the vectors of its width, 128 or 256 bits. */
#ifndef ARIA_X86_FEW_H
#define ARIA_X86_FEW_H

#include "rows.h"

enum { ARIA_FEW = 4, ARIA_FEW_BLOCKS = ARIA_FEW * LANES };

/* n blocks; the one after them goes to leftover, as it is, unless leftover is NULL. */
TARGET RUNNEL_INLINE void aria_write_rows(uint8_t *out, const uint8_t *in, const vector *x, const int registers,
                                          size_t n, uint8_t *leftover)
{
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++) {
        const size_t m = n < LANES ? n : LANES;
        vector_store_up_to(out, in == NULL ? x[i] : vector_xor(x[i], vector_load_up_to(in, m)), m);
        out += 16 * m;
        in = in == NULL ? NULL : in + 16 * m;
        n -= m;
        if (m < LANES && leftover != NULL) {
            _mm_storeu_si128((void *)leftover, vector_block(x[i], m));
            leftover = NULL;
        }
    }
}

TARGET RUNNEL_INLINE void aria_ctr_rows(const int registers, const runnel_aria_schedule *schedule, const uint8_t *block,
                                        uint32_t counter, uint8_t *out, const uint8_t *in, size_t n, uint8_t *leftover)
{
    const __m128i swap = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12);
    const __m128i nonce = _mm_loadu_si128((const void *)block);
    vector next = vector_repeat(_mm_insert_epi32(nonce, (int)counter, 3)), x[ARIA_FEW];
    next = vector_add32(next, vector_lane_numbers());
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++) {
        x[i] = vector_shuffle_bytes(next, swap);
        next = vector_add32(next, vector_repeat(_mm_setr_epi32(0, 0, 0, LANES)));
    }
    aria_encrypt_rows(x, registers, schedule);
    aria_write_rows(out, in, x, registers, n, leftover);
}

TARGET RUNNEL_INLINE void aria_block_rows(const int registers, const runnel_aria_schedule *schedule, uint8_t *out,
                                          const uint8_t *in, const size_t n)
{
    vector x[ARIA_FEW];
    size_t left = n;
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++) {
        const size_t m = left < LANES ? left : LANES;
        x[i] = vector_load_up_to(in, m);
        in += 16 * m;
        left -= m;
    }
    aria_encrypt_rows(x, registers, schedule);
    aria_write_rows(out, NULL, x, registers, n, NULL);
}

/* Up to ARIA_FEW_BLOCKS blocks of counter mode: n, and unless leftover is NULL the one after them as it is. */
TARGET RUNNEL_INLINE void aria_ctr_few(const runnel_aria_schedule *schedule, const uint8_t *block, uint32_t counter,
                                       uint8_t *out, const uint8_t *in, size_t n, uint8_t *leftover)
{
    const size_t to_make = n + (leftover != NULL);
    if (to_make > 3 * LANES)
        aria_ctr_rows(4, schedule, block, counter, out, in, n, leftover);
    else if (to_make > 2 * LANES)
        aria_ctr_rows(3, schedule, block, counter, out, in, n, leftover);
    else if (to_make > LANES)
        aria_ctr_rows(2, schedule, block, counter, out, in, n, leftover);
    else
        aria_ctr_rows(1, schedule, block, counter, out, in, n, leftover);
}

/* Up to ARIA_FEW_BLOCKS blocks. */
TARGET RUNNEL_INLINE void aria_encrypt_few(const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in,
                                           size_t n)
{
    if (n > 3 * LANES)
        aria_block_rows(4, schedule, out, in, n);
    else if (n > 2 * LANES)
        aria_block_rows(3, schedule, out, in, n);
    else if (n > LANES)
        aria_block_rows(2, schedule, out, in, n);
    else
        aria_block_rows(1, schedule, out, in, n);
}

#endif
