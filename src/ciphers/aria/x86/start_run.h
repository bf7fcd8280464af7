/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is common to blocks whose counters differ in the last byte only. The includer defines TARGET, and VECTOR_GFNI if
 * that has GFNI, and includes the vectors of its width. */
#ifndef ARIA_X86_START_RUN_H
#define ARIA_X86_START_RUN_H

#include "counter_block.h"
#include "rows.h"
#include "run.h"

/* Blocks before rounds 1 and 2 without the bytes that depend on the counter's last byte: these get the value that their
 * S-box maps to zero, S2(0) for S4 and so on. */
TARGET RUNNEL_INLINE __m128i aria_without_last(__m128i x)
{
    const __m128i zero_s4 = _mm_set_epi64x((long long)0xe200000000000000, 0);
    return _mm_blendv_epi8(x, zero_s4, _mm_set_epi64x((long long)0xff00000000000000, 0));
}

TARGET RUNNEL_INLINE __m128i aria_without_seven(__m128i x)
{
    const __m128i zero_boxes = _mm_set_epi64x(0x3000000000520063, 0x0000e2630052e200);
    const __m128i seven = _mm_set_epi64x((long long)0xff00000000ff00ff, 0x0000ffff00ffff00);
    return _mm_blendv_epi8(x, zero_boxes, seven);
}

/* The run that begins with a counter block, or has it as its first block that is asked for. */
TARGET RUNNEL_INLINE void aria_start_run(runnel_aria_run *run, const runnel_aria_schedule *schedule, __m128i block)
{
    const __m128i x = aria_without_last(_mm_xor_si128(block, _mm_load_si128((const void *)schedule->keys[0])));
    run->first = vector_block(aria_rows_round(vector_repeat(x), 1, aria_rows_key(schedule, 1)), 0);
    const vector y = vector_repeat(aria_without_seven(run->first));
    run->second = vector_block(aria_rows_round(y, 0, aria_rows_key(schedule, 2)), 0);
}

#endif
