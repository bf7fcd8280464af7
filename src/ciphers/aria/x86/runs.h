/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values common to blocks whose counters differ in the last byte only. */

/* A run of 256 blocks in which only the last byte counts. That byte reaches seven bytes after the first round and all
 * after the second, so that two constant blocks hold what the rest of the first counter block does. */
typedef struct aria_run {
    __m128i first;  /* after round 1 and its key, without the last byte's part */
    __m128i second; /* after round 2 and its key, without the seven bytes' part */
} aria_run;

INLINE __m128i aria_with_counter(const uint8_t *block, uint32_t counter)
{
    return _mm_insert_epi32(_mm_loadu_si128((const void *)block), (int)__builtin_bswap32(counter), 3);
}

/* Bytes that a round is to leave out get the value that their S-box maps to zero: S2(0) for S4 and so on. */
INLINE aria_run aria_start_run(const runnel_aria_schedule *schedule, __m128i block)
{
    const __m128i zero_s4 = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B(e2));
    const __m128i last = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B(ff));
    const __m128i zero_seven =
        _mm_setr_epi8(0, B(e2), B(52), 0, B(63), B(e2), 0, 0, B(63), 0, B(52), 0, 0, 0, 0, B(30));
    const __m128i seven = _mm_setr_epi8(0, B(ff), B(ff), 0, B(ff), B(ff), 0, 0, B(ff), 0, B(ff), 0, 0, 0, 0, B(ff));
    const __m128i x = block ^ _mm_load_si128((const void *)schedule->keys[0]);
    const aria_vec y =
        aria_rows_round(aria_vec_repeat(_mm_blendv_epi8(x, zero_s4, last)), 1, aria_rows_key(schedule, 1));
    const __m128i z = _mm_blendv_epi8(vec_low(y), zero_seven, seven);
    return (aria_run){vec_low(y), vec_low(aria_rows_round(aria_vec_repeat(z), 0, aria_rows_key(schedule, 2)))};
}
