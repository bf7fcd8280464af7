/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For slices: bytes of a block, each repeated in a register. AVX2 can repeat one as it loads it, so that rounds take folded
 * keys as they are; with SSE it takes several instructions, so that each call repeats them once. The includer defines
 * TARGET and includes the vectors of its width, 128 or 256 bits. */
#ifndef ARIA_X86_REPEATED_BYTES_H
#define ARIA_X86_REPEATED_BYTES_H

#include "ciphers/aria/kernels.h"

#if LANES == 1
typedef vector aria_key_byte;

/* Secret. */
typedef struct aria_call_keys {
    vector keys[17][16];
} aria_call_keys;

TARGET RUNNEL_INLINE vector aria_repeat_key_byte(const aria_key_byte *p)
{
    return *p;
}

TARGET RUNNEL_INLINE void aria_repeat_bytes(vector to[16], __m128i bytes)
{
    const vector low = vector_unpack_low8(bytes, bytes), high = vector_unpack_high8(bytes, bytes);
    const vector pairs[4] = {vector_unpack_low16(low, low), vector_unpack_high16(low, low),
                             vector_unpack_low16(high, high), vector_unpack_high16(high, high)};
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++) {
        to[4 * i] = _mm_shuffle_epi32(pairs[i], 0x00);
        to[4 * i + 1] = _mm_shuffle_epi32(pairs[i], 0x55);
        to[4 * i + 2] = _mm_shuffle_epi32(pairs[i], 0xaa);
        to[4 * i + 3] = _mm_shuffle_epi32(pairs[i], 0xff);
    }
}

TARGET RUNNEL_INLINE void aria_make_call_keys(aria_call_keys *call, const runnel_aria_schedule *schedule)
{
    for (unsigned r = 1; r <= schedule->rounds; r++)
        aria_repeat_bytes(call->keys[r], vector_load_aligned(schedule->folded[r]));
}

/* The key of a round, of sixteen bytes. */
TARGET RUNNEL_INLINE const aria_key_byte *aria_round_key(const aria_call_keys *call,
                                                         const runnel_aria_schedule *schedule, unsigned r)
{
    (void)schedule;
    return call->keys[r];
}
#else
typedef uint8_t aria_key_byte;

typedef struct aria_call_keys {
    uint8_t none;
} aria_call_keys;

TARGET RUNNEL_INLINE vector aria_repeat_key_byte(const aria_key_byte *p)
{
    return vector_repeat_byte(*p);
}

TARGET RUNNEL_INLINE void aria_repeat_bytes(vector to[16], __m128i bytes)
{
    RUNNEL_LINE_ALIGNED uint8_t b[16];
    _mm_store_si128((void *)b, bytes);
    __asm__("" : "+m"(b)); /* or the compiler extracts the bytes from the register one by one */
    RUNNEL_UNROLL
    for (int i = 0; i < 16; i++)
        to[i] = vector_repeat_byte(b[i]);
    runnel_wipe(b, sizeof b);
}

TARGET RUNNEL_INLINE void aria_make_call_keys(aria_call_keys *call, const runnel_aria_schedule *schedule)
{
    (void)call;
    (void)schedule;
}

TARGET RUNNEL_INLINE const aria_key_byte *aria_round_key(const aria_call_keys *call,
                                                         const runnel_aria_schedule *schedule, unsigned r)
{
    (void)call;
    return schedule->folded[r];
}
#endif

#endif
