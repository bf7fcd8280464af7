/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Few blocks, as rows, in the fewest registers of 512 bits; tails are by masks. The includer defines TARGET and
 * VECTOR_GFNI. */
#ifndef ARIA_X86_FEW_512_H
#define ARIA_X86_FEW_512_H

#include "arch/x86/blocks_512.h"
#include "rows.h"

enum { ARIA_FEW = 4, ARIA_FEW_BLOCKS = 4 * ARIA_FEW };

/* out = in XOR v for the first 1 to 64 bytes of a register (in == NULL: v). */
TARGET RUNNEL_INLINE void aria_put_bytes(uint8_t *out, const uint8_t *in, vector v, size_t bytes)
{
    vector_store_bytes(out, in == NULL ? v : vector_xor(v, vector_load_bytes(in, bytes)), bytes);
}

/* Registers with so many bytes; the block in which these end goes to leftover, as it is, unless that is NULL. */
TARGET RUNNEL_INLINE void aria_put_rows(uint8_t *out, const uint8_t *in, const vector *x, const int registers,
                                        size_t bytes, uint8_t *leftover)
{
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++) {
        const size_t m = i < registers - 1 ? 64 : bytes - 64 * (size_t)i;
        if (i == registers - 1 && leftover != NULL)
            _mm_storeu_si128((void *)leftover, vector_block(x[i], m / 16));
        aria_put_bytes(out + 64 * i, in == NULL ? NULL : in + 64 * i, x[i], m);
    }
}

TARGET RUNNEL_INLINE void aria_ctr_rows(const int registers, const runnel_aria_schedule *schedule, __m128i block,
                                        uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *leftover)
{
    const __m128i swap = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12);
    vector next = vector_shuffle_bytes(vector_repeat(block), swap), x[ARIA_FEW];
    next = vector_add32(next, vector_lane_numbers());
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++) {
        x[i] = vector_shuffle_bytes(next, swap);
        next = vector_add32(next, vector_repeat(_mm_setr_epi32(0, 0, 0, LANES)));
    }
    aria_encrypt_rows(x, registers, schedule);
    aria_put_rows(out, in, x, registers, bytes, leftover);
}

TARGET RUNNEL_INLINE void aria_block_rows(const int registers, const runnel_aria_schedule *schedule, uint8_t *out,
                                          const uint8_t *in, const size_t bytes)
{
    vector x[ARIA_FEW];
    RUNNEL_UNROLL
    for (int i = 0; i < registers; i++)
        x[i] = vector_load_bytes(in + 64 * i, i < registers - 1 ? 64 : bytes - 64 * (size_t)i);
    aria_encrypt_rows(x, registers, schedule);
    aria_put_rows(out, NULL, x, registers, bytes, NULL);
}

/* n blocks, up to ARIA_FEW_BLOCKS, with so many bytes, of counter mode from `block` on; as aria_put_rows. */
TARGET static RUNNEL_NOINLINE void aria_ctr_few(const runnel_aria_schedule *schedule, __m128i block, uint8_t *out,
                                                const uint8_t *in, size_t n, size_t bytes, uint8_t *leftover)
{
    if (n > 3 * LANES)
        aria_ctr_rows(4, schedule, block, out, in, bytes, leftover);
    else if (n > 2 * LANES)
        aria_ctr_rows(3, schedule, block, out, in, bytes, leftover);
    else if (n > LANES)
        aria_ctr_rows(2, schedule, block, out, in, bytes, leftover);
    else
        aria_ctr_rows(1, schedule, block, out, in, bytes, leftover);
}

/* n blocks, up to ARIA_FEW_BLOCKS. */
TARGET static RUNNEL_NOINLINE void aria_encrypt_few(const runnel_aria_schedule *schedule, uint8_t *out,
                                                    const uint8_t *in, size_t n)
{
    if (n > 3 * LANES)
        aria_block_rows(4, schedule, out, in, 16 * n);
    else if (n > 2 * LANES)
        aria_block_rows(3, schedule, out, in, 16 * n);
    else if (n > LANES)
        aria_block_rows(2, schedule, out, in, 16 * n);
    else
        aria_block_rows(1, schedule, out, in, 16 * n);
}

#endif
