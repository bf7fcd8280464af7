/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cipher feedback without GFNI. One block takes as long as its chain of rounds, whatever fits into a register. The
 * includer defines TARGET and includes the vectors of its width.
 *
 * As in pairs.h a register has byte i of the block and byte i + 4, here in 16 bits each. The others are zero: a shift
 * leaves high nibbles alone then, without a mask. A round is
 *     b += F1(a) ^ key      and      d ^= F0(c) + other key
 * where a is the d of the round before. F1 is linear, so its key is XORed one round earlier, as F1^-1(key) and with the
 * old d, off the chain. */

#ifndef HIGHT_X86_CFB_H
#define HIGHT_X86_CFB_H

#include <string.h>

#include "nibbles.h"

typedef uint8_t hight_spaced __attribute__((vector_size(16)));

TARGET RUNNEL_INLINE hight_spaced hight_spaced_look_up(hight_spaced table, hight_spaced places)
{
    return (hight_spaced)_mm_shuffle_epi8((__m128i)table, (__m128i)places);
}

/* Bytes a and b, spaced. */
TARGET RUNNEL_INLINE hight_spaced hight_spaced_pick(__m128i bytes, const char a, const char b)
{
    const __m128i places = _mm_setr_epi8(a, -1, b, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    return (hight_spaced)_mm_shuffle_epi8(bytes, places);
}

/* Exchanges the two. */
TARGET RUNNEL_INLINE hight_spaced hight_spaced_turn(hight_spaced v)
{
    return (hight_spaced)_mm_shufflelo_epi16((__m128i)v, 0xe1);
}

TARGET RUNNEL_INLINE hight_spaced hight_spaced_load(const uint8_t *two)
{
    uint32_t bytes;
    memcpy(&bytes, two, sizeof bytes);
    return (hight_spaced)_mm_cvtsi32_si128((int)bytes);
}

typedef struct hight_spaced_table {
    hight_spaced of_low, of_high;
} hight_spaced_table;

TARGET RUNNEL_INLINE hight_spaced hight_spaced_map(const hight_spaced_table *t, hight_spaced x)
{
    const hight_spaced nibble = (hight_spaced)_mm_set1_epi8(0x0f);
    return hight_spaced_look_up(t->of_low, x & nibble) ^
           hight_spaced_look_up(t->of_high, (hight_spaced)_mm_srli_epi16((__m128i)x, 4));
}

TARGET RUNNEL_INLINE hight_spaced_table hight_get_nibble_table(unsigned number)
{
    return (hight_spaced_table){(hight_spaced)_mm_load_si128((const void *)hight_nibble_values[2 * number]),
                                (hight_spaced)_mm_load_si128((const void *)hight_nibble_values[2 * number + 1])};
}

/* For each round its two keys of a kind, 16 bits apart and turned as the register is that they go into. */
typedef struct hight_spaced_keys {
    RUNNEL_LINE_ALIGNED uint8_t added[128]; /* to F0 */
    uint8_t moved[128 + 16];                /* F1^-1 of what is XORed with F1; zeros after the last round's */
} hight_spaced_keys;

TARGET RUNNEL_INLINE void hight_make_spaced_keys(hight_spaced_keys *keys, const uint8_t *subkeys)
{
    const hight_spaced_table inverse = hight_get_nibble_table(2);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 128; i += 16) {
        const hight_spaced four_rounds = (hight_spaced)_mm_loadu_si128((const void *)(subkeys + i));
        const hight_spaced added = hight_spaced_look_up(
            four_rounds, (hight_spaced)_mm_setr_epi8(1, -1, 3, -1, 5, -1, 7, -1, 11, -1, 9, -1, 15, -1, 13, -1));
        const hight_spaced xored = hight_spaced_look_up(
            four_rounds, (hight_spaced)_mm_setr_epi8(0, -1, 2, -1, 6, -1, 4, -1, 10, -1, 8, -1, 12, -1, 14, -1));
        _mm_store_si128((void *)(keys->added + i), (__m128i)added);
        _mm_store_si128((void *)(keys->moved + i), (__m128i)hight_spaced_map(&inverse, xored));
    }
    _mm_store_si128((void *)(keys->moved + 128), _mm_setzero_si128());
}

/* One round. *with_key is a XOR the moved key of this round; it becomes d XOR that of the next. */
TARGET RUNNEL_INLINE void hight_spaced_round(const hight_spaced_table f[2], hight_spaced *with_key, hight_spaced *b,
                                             const hight_spaced *c, hight_spaced *d, const hight_spaced_keys *keys,
                                             unsigned round)
{
    const hight_spaced next = hight_spaced_load(keys->moved + 4 * round + 4),
                       added = hight_spaced_load(keys->added + 4 * round);
    *b += hight_spaced_map(&f[1], *with_key);
    *with_key = (*d ^ next) ^ (hight_spaced_map(&f[0], *c) + added);
    *d = *with_key ^ next;
}

TARGET RUNNEL_INLINE void hight_spaced_block(hight_spaced x[4], const uint8_t *block)
{
    const __m128i bytes = _mm_loadl_epi64((const void *)block);
    x[0] = hight_spaced_pick(bytes, 0, 4);
    x[1] = hight_spaced_pick(bytes, 1, 5);
    x[2] = hight_spaced_pick(bytes, 2, 6);
    x[3] = hight_spaced_pick(bytes, 3, 7);
}

TARGET RUNNEL_INLINE __m128i hight_united(const hight_spaced x[4])
{
    const __m128i even = _mm_unpacklo_epi16((__m128i)x[0], (__m128i)x[2]);
    const __m128i odd = _mm_unpacklo_epi16((__m128i)x[1], (__m128i)x[3]);
    return _mm_or_si128(even, _mm_slli_epi16(odd, 8));
}

/* The block stays in registers from one to the next, and is put together beside the chain. */
TARGET static void hight_cfb(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const hight_spaced_table f[2] = {hight_get_nibble_table(0), hight_get_nibble_table(1)};
    const hight_spaced even = (hight_spaced)_mm_set1_epi16(255);
    const hight_spaced first = hight_spaced_load(schedule->whitening),
                       at_end = hight_spaced_load(schedule->whitening + 4);
    const hight_spaced first0 = first & even, first2 = (hight_spaced)_mm_srli_epi16((__m128i)first, 8);
    const hight_spaced last0 = at_end & even, last2 = (hight_spaced)_mm_srli_epi16((__m128i)at_end, 8);
    hight_spaced_keys keys;
    hight_spaced x[4], text[4];
    __m128i made;
    hight_make_spaced_keys(&keys, schedule->subkeys);
    hight_spaced_block(x, last);
    do {
        hight_spaced a = x[0] + first0, b = x[1], c = x[2] ^ first2, d = x[3];
        hight_spaced with_key = a ^ hight_spaced_load(keys.moved);
        hight_spaced_block(text, in);
        for (unsigned i = 0; i < 32; i += 4) { /* turned: the one whose bytes have been ready longest, as in pairs.h */
            hight_spaced_round(f, &with_key, &b, &c, &d, &keys, i);
            a = hight_spaced_turn(a);
            hight_spaced_round(f, &with_key, &a, &b, &c, &keys, i + 1);
            b = hight_spaced_turn(b);
            hight_spaced_round(f, &with_key, &d, &a, &b, &keys, i + 2);
            c = hight_spaced_turn(c);
            hight_spaced_round(f, &with_key, &c, &d, &a, &keys, i + 3);
            d = hight_spaced_turn(d);
        }
        x[0] = (b + last0) ^ text[0];
        x[1] = c ^ text[1];
        x[2] = d ^ last2 ^ text[2];
        x[3] = hight_spaced_turn(a) ^ text[3];
        made = hight_united(x);
        _mm_storel_epi64((void *)out, made);
        in += 8;
        out += 8;
    } while (--nblocks > 0);
    _mm_storel_epi64((void *)last, made);
    runnel_wipe(&keys, sizeof keys);
}

#endif
