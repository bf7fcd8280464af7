/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For slices_gfni.h: blocks with each byte four times. */

typedef struct aria_spread {
    RUNNEL_LINE_ALIGNED uint32_t word[16];
} aria_spread;

/* A run, and what changes with the next. */
typedef struct aria_spread_run {
    aria_spread first, second, first_change, second_change;
} aria_spread_run;

INLINE void aria_spread_bytes(aria_spread *to, __m128i bytes)
{
    const __m512i order = _mm512_setr_epi32(0, 0x01010101, 0x02020202, 0x03030303, 0x04040404, 0x05050505, 0x06060606,
                                            0x07070707, 0x08080808, 0x09090909, 0x0a0a0a0a, 0x0b0b0b0b, 0x0c0c0c0c,
                                            0x0d0d0d0d, 0x0e0e0e0e, 0x0f0f0f0f);
    _mm512_store_si512((void *)to->word, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(bytes), order));
}

/* Keeps a round key, as it is and as slices_diffuse adds it: t1 to t3 take what one of their bytes needs beyond p1 to
 * p3, so that their other bytes need it once more. */
INLINE void aria_store_key(runnel_aria_schedule *schedule, unsigned i, __m128i key)
{
    const __m128i a = _mm_setr_epi8(B(80), 10, 12, 14, 10, B(80), 3, 12, 3, 12, 0, B(80), 11, 3, B(80), 10);
    const __m128i b = _mm_setr_epi8(B(80), 0, 11, B(80), 0, B(80), 14, 11, 14, 11, B(80), B(80), B(80), 14, B(80), 0);
    _mm_store_si128((void *)schedule->keys[i], key);
    _mm_store_si128((void *)schedule->folded[i], key ^ _mm_shuffle_epi8(key, a) ^ _mm_shuffle_epi8(key, b));
}

#define aria_fold_keys(schedule) (void)(schedule)
