/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Round keys, as they are and as kernels that slice by bytes add them. The includer defines TARGET, and VECTOR_GFNI and
 * VECTOR_AVX512 if that has these, and includes the vectors of its width: with AVX-512, those of 128 bits. */
#ifndef ARIA_X86_FOLDED_KEYS_H
#define ARIA_X86_FOLDED_KEYS_H

#include "maps.h"
#include "rows.h"

#ifdef VECTOR_AVX512
/* Keeps a round key. aria_slices_diffuse adds it to sums: t1 to t3 take what one of their bytes needs beyond p1 to p3, so
 * that their other bytes need it once more. */
TARGET RUNNEL_INLINE void aria_store_key(runnel_aria_schedule *schedule, unsigned i, vector key)
{
    static const RUNNEL_LINE_ALIGNED uint8_t a[16] = {ARIA_NONE, 10, 12, 14,        10, ARIA_NONE, 3,         12,
                                                      3,         12, 0,  ARIA_NONE, 11, 3,         ARIA_NONE, 10};
    static const RUNNEL_LINE_ALIGNED uint8_t b[16] = {
        ARIA_NONE, 0, 11, ARIA_NONE, 0, ARIA_NONE, 14, 11, 14, 11, ARIA_NONE, ARIA_NONE, ARIA_NONE, 14, ARIA_NONE, 0};
    vector_store(schedule->keys[i], key);
    vector_store(schedule->folded[i], vector_xor(vector_xor(key, aria_shuffle(key, a)), aria_shuffle(key, b)));
}

TARGET RUNNEL_INLINE void aria_fold_keys(runnel_aria_schedule *schedule)
{
    (void)schedule;
}
#else
TARGET RUNNEL_INLINE void aria_store_key(runnel_aria_schedule *schedule, unsigned i, vector key)
{
    _mm_store_si128((void *)schedule->keys[i], vector_block(key, 0));
}

/* The operands of the sliced rounds in AESENCLAST and AESDECLAST, before A and, for S2, before Q. */
TARGET RUNNEL_INLINE void aria_fold_key(runnel_aria_schedule *schedule, unsigned r, const int odd, const int last)
{
    const vector key = last ? aria_rows_key(schedule, r) : aria_rows_diffuse(aria_rows_key(schedule, r));
    const vector folded = vector_blend(key, aria_inverse_q(key), aria_s2_bytes(odd));
    _mm_store_si128((void *)schedule->folded[r], vector_block(folded, 0));
}

TARGET RUNNEL_INLINE void aria_fold_keys(runnel_aria_schedule *schedule)
{
    unsigned r = 1;
    for (; r + 1 < schedule->rounds; r += 2) {
        aria_fold_key(schedule, r, 1, 0);
        aria_fold_key(schedule, r + 1, 0, 0);
    }
    aria_fold_key(schedule, r, 1, 0);
    aria_fold_key(schedule, r + 1, 0, 1);
}
#endif

#endif
