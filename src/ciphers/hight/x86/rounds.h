/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on vectors of bytes, for x86-64: a register has one byte of HIGHT_LANES blocks. In a round no byte moves; its place in
 * the round does. modes.h makes a kernel of this.
 *
 * The includer defines TARGET and includes the vectors of its width. */
#ifndef HIGHT_X86_ROUNDS_H
#define HIGHT_X86_ROUNDS_H

#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "bytes.h"
#if LANES == 4
#include "gfni.h"
#include "spread_keys.h"
#else
#include "nibbles.h"
#endif

enum { HIGHT_SETS = LANES == 4 ? 2 : 1 }; /* made at a time: there are registers for more than eight bytes */

/* The two kinds of step: what a byte's neighbour adds to it. */
TARGET RUNNEL_INLINE vector_bytes hight_step0(const hight_tables *t, vector_bytes x, hight_round_key key)
{
    return hight_f0(t, x) + hight_repeat_key(key);
}

TARGET RUNNEL_INLINE vector_bytes hight_step1(const hight_tables *t, vector_bytes x, hight_round_key key)
{
    return hight_f1(t, x) ^ hight_repeat_key(key);
}

/* The round in which the first byte is x[at]. */
TARGET RUNNEL_INLINE void hight_encrypt_round(const hight_tables *t, vector_bytes x[8], const hight_round_key key[4],
                                              unsigned at)
{
    x[(at + 1) & 7] += hight_step1(t, x[at], key[0]);
    x[(at + 3) & 7] ^= hight_step0(t, x[(at + 2) & 7], key[1]);
    x[(at + 5) & 7] += hight_step1(t, x[(at + 4) & 7], key[2]);
    x[(at + 7) & 7] ^= hight_step0(t, x[(at + 6) & 7], key[3]);
}

/* From round number `from`, 0 or 8, on. */
TARGET RUNNEL_INLINE void hight_encrypt_rounds(const hight_round_keys *keys, const hight_tables *t, vector_bytes x[][8],
                                               unsigned sets, unsigned from)
{
    const hight_round_key *key = keys->subkeys + 4 * from, *end = keys->subkeys + 128;
    for (; key != end; key += 32) {
        RUNNEL_UNROLL
        for (unsigned r = 0; r < 8; r++) {
            RUNNEL_UNROLL
            for (unsigned set = 0; set < sets; set++)
                hight_encrypt_round(t, x[set], key + 4 * r, (0 - r) & 7);
        }
    }
}

/* ---- blocks ---- */

TARGET RUNNEL_INLINE size_t hight_minimum(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The lower halves of a and b by turns, and the upper ones. */
TARGET RUNNEL_INLINE void hight_unpack8(vector_bytes *low, vector_bytes *high, vector_bytes a, vector_bytes b)
{
    *low = (vector_bytes)vector_unpack_low8((vector)a, (vector)b);
    *high = (vector_bytes)vector_unpack_high8((vector)a, (vector)b);
}

TARGET RUNNEL_INLINE void hight_unpack16(vector_bytes *low, vector_bytes *high, vector_bytes a, vector_bytes b)
{
    *low = (vector_bytes)vector_unpack_low16((vector)a, (vector)b);
    *high = (vector_bytes)vector_unpack_high16((vector)a, (vector)b);
}

TARGET RUNNEL_INLINE void hight_unpack32(vector_bytes *low, vector_bytes *high, vector_bytes a, vector_bytes b)
{
    *low = (vector_bytes)vector_unpack_low32((vector)a, (vector)b);
    *high = (vector_bytes)vector_unpack_high32((vector)a, (vector)b);
}

/* Bytes 0 and 8, 1 and 9 … 7 and 15 of every block. */
TARGET RUNNEL_INLINE vector_bytes hight_order_pairs(vector_bytes v)
{
    const __m128i order = _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    return (vector_bytes)vector_shuffle_bytes((vector)v, order);
}

/* 1 to HIGHT_REGISTER_BLOCKS blocks. */
TARGET RUNNEL_INLINE vector_bytes hight_load(const uint8_t *p, size_t blocks)
{
    return (vector_bytes)vector_load_halves(p, blocks);
}

/* Register j, blocks of 8 bytes, becomes pair j of all registers, and back: transposes 8 x 8 pairs of bytes in every
 * 128 bits. */
TARGET RUNNEL_INLINE void hight_transpose_pairs(vector_bytes x[8])
{
    vector_bytes y[8];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        hight_unpack16(&y[2 * i], &y[2 * i + 1], x[i], x[i + 4]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        hight_unpack16(&x[2 * i], &x[2 * i + 1], y[i], y[i + 4]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        hight_unpack16(&y[2 * i], &y[2 * i + 1], x[i], x[i + 4]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++)
        x[i] = y[i];
}

/* Byte i of up to HIGHT_LANES blocks in x[i]. */
TARGET RUNNEL_INLINE void hight_get_blocks(vector_bytes x[8], const uint8_t *in, size_t nblocks)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const size_t first = HIGHT_REGISTER_BLOCKS * i;
        x[i] =
            nblocks > first
                ? hight_order_pairs(hight_load(in + 8 * first, hight_minimum(nblocks - first, HIGHT_REGISTER_BLOCKS)))
                : hight_repeat(0);
    }
    hight_transpose_pairs(x);
}

/* Of register number `i` what is among the nblocks blocks, with in added unless it is NULL; the block after them to
 * leftover unless that is NULL. Returns 0 where the blocks end. */
TARGET RUNNEL_INLINE int hight_put_register(uint8_t *out, const uint8_t *in, vector_bytes v, unsigned i, size_t nblocks,
                                            uint8_t *leftover)
{
    const size_t first = HIGHT_REGISTER_BLOCKS * i, n = hight_minimum(nblocks - first, HIGHT_REGISTER_BLOCKS);
    if (n > 0)
        vector_store_halves(out + 8 * first, (vector)(in != NULL ? v ^ hight_load(in + 8 * first, n) : v), n);
    if (n == HIGHT_REGISTER_BLOCKS)
        return 1;
    if (leftover != NULL)
        _mm_storel_epi64((void *)leftover, vector_half_block((vector)v, n));
    return 0;
}

/* The inverse, with in added unless it is NULL. The block after the nblocks goes to leftover, as it is, unless leftover
 * is NULL. */
TARGET RUNNEL_INLINE void hight_put_blocks(uint8_t *out, const uint8_t *in, const vector_bytes x[8], size_t nblocks,
                                           uint8_t *leftover)
{
    vector_bytes y[8], z[8];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        hight_unpack8(&y[i], &y[i + 4], x[2 * i], x[2 * i + 1]); /* pairs of bytes of the first and of the last lanes */
    RUNNEL_UNROLL
    for (unsigned half = 0; half < 8; half += 4) {
        hight_unpack16(&z[half], &z[half + 1], y[half], y[half + 1]);
        hight_unpack16(&z[half + 2], &z[half + 3], y[half + 2], y[half + 3]);
    }
    RUNNEL_UNROLL
    for (unsigned half = 0; half < 8; half += 4) {
        hight_unpack32(&y[half], &y[half + 1], z[half], z[half + 2]);
        hight_unpack32(&y[half + 2], &y[half + 3], z[half + 1], z[half + 3]);
    }
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++)
        if (!hight_put_register(out, in, y[i], i, nblocks, leftover))
            return;
}

TARGET RUNNEL_INLINE void hight_whiten_first(const hight_round_keys *keys, vector_bytes x[8])
{
    x[0] += hight_repeat_key(keys->whitening[0]);
    x[2] ^= hight_repeat_key(keys->whitening[1]);
    x[4] += hight_repeat_key(keys->whitening[2]);
    x[6] ^= hight_repeat_key(keys->whitening[3]);
}

/* The last round moves nothing: relative to these places, seven bytes have moved back. */
TARGET RUNNEL_INLINE void hight_whiten_last(const hight_round_keys *keys, vector_bytes x[8])
{
    const vector_bytes first = x[0];
    x[0] = x[1] + hight_repeat_key(keys->whitening[4]);
    x[1] = x[2];
    x[2] = x[3] ^ hight_repeat_key(keys->whitening[5]);
    x[3] = x[4];
    x[4] = x[5] + hight_repeat_key(keys->whitening[6]);
    x[5] = x[6];
    x[6] = x[7] ^ hight_repeat_key(keys->whitening[7]);
    x[7] = first;
}

/* ---- counter mode ---- */

/* The number of the block that each byte is of. A register of bytes has consecutive blocks, and the transposition stays
 * inside the 128-bit parts. */
TARGET RUNNEL_INLINE vector_bytes hight_lane_numbers(void)
{
#if LANES == 1
    return (vector_bytes){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#elif LANES == 2
    return (vector_bytes){0, 1, 4, 5, 8,  9,  12, 13, 16, 17, 20, 21, 24, 25, 28, 29,
                          2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31};
#else
    const vector first = vector_repeat(_mm_setr_epi8(0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57));
    const vector part = _mm512_setr_epi64(0, 0, 0x202020202020202, 0x202020202020202, 0x404040404040404,
                                          0x404040404040404, 0x606060606060606, 0x606060606060606);
    return (vector_bytes)vector_add8(first, part);
#endif
}

/* The counter blocks from `counter` on; `block` gives the other bytes. */
TARGET RUNNEL_INLINE void hight_count(vector_bytes x[8], const uint8_t *block, uint32_t counter)
{
    const uint32_t last = counter + HIGHT_LANES - 1; /* carries past the call's last block do not matter */
    const vector_bytes low = hight_repeat((uint8_t)counter);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        x[i] = hight_repeat(block[i]);
    x[7] = low + hight_lane_numbers();
    const vector_bytes before_carry = (vector_bytes)(x[7] >= low);
    RUNNEL_UNROLL
    for (unsigned i = 1; i < 4; i++)
        x[7 - i] = (hight_repeat((uint8_t)(counter >> 8 * i)) & before_carry) |
                   (hight_repeat((uint8_t)(last >> 8 * i)) & ~before_carry);
}

/* Values common to 256 blocks of which only the last byte differs. From round 0 on each byte is the same in all of them
 * until the change in byte 7 reaches it; this holds each byte at that moment, and what is added to byte 7 in rounds 0,
 * 2, 4 and 6. So 12 of the first 28 steps are computed once, and four more become an addition. */
typedef struct hight_shared {
    vector_bytes x[7], to_x7[4];
} hight_shared;

TARGET RUNNEL_INLINE hight_shared hight_share(const hight_round_keys *keys, const hight_tables *t, const uint8_t *block,
                                              uint32_t counter)
{
    const hight_round_key *key = keys->subkeys;
    hight_shared s;
    vector_bytes x[8];
    hight_count(x, block, counter & ~(uint32_t)255);
    hight_whiten_first(keys, x);
    s.x[0] = x[0]; /* round 0 */
    s.x[1] = x[1] + hight_step1(t, x[0], key[0]);
    x[3] ^= hight_step0(t, x[2], key[1]);
    x[5] += hight_step1(t, x[4], key[2]);
    s.to_x7[0] = hight_step0(t, x[6], key[3]);
    s.x[2] = x[2] ^ hight_step0(t, s.x[1], key[5]); /* 1 */
    x[4] += hight_step1(t, x[3], key[6]);
    x[6] ^= hight_step0(t, x[5], key[7]);
    s.to_x7[1] = hight_step1(t, x[6], key[8]); /* 2 */
    s.x[3] = x[3] + hight_step1(t, s.x[2], key[10]);
    x[5] ^= hight_step0(t, x[4], key[11]);
    x[6] += hight_step1(t, x[5], key[12]); /* 3 */
    s.x[4] = x[4] ^ hight_step0(t, s.x[3], key[15]);
    s.x[5] = x[5] + hight_step1(t, s.x[4], key[16]); /* 4 */
    s.to_x7[2] = hight_step0(t, x[6], key[17]);
    s.x[6] = x[6] ^ hight_step0(t, s.x[5], key[21]); /* 5 */
    s.to_x7[3] = hight_step1(t, s.x[6], key[26]);    /* 6 */
    return s;
}

/* Rounds 0 to 7 for the blocks whose last bytes are x7. */
TARGET RUNNEL_INLINE void hight_first_rounds(const hight_round_keys *keys, const hight_tables *t,
                                             const hight_shared *same, vector_bytes x7, vector_bytes x[8])
{
    const hight_round_key *key = keys->subkeys;
    x7 ^= same->to_x7[0];
    x[0] = same->x[0] + hight_step1(t, x7, key[4]); /* 1 */
    x7 += same->to_x7[1];                           /* 2 */
    x[1] = same->x[1] ^ hight_step0(t, x[0], key[9]);
    x[0] ^= hight_step0(t, x7, key[13]); /* 3 */
    x[2] = same->x[2] + hight_step1(t, x[1], key[14]);
    x7 ^= same->to_x7[2]; /* 4 */
    x[1] += hight_step1(t, x[0], key[18]);
    x[3] = same->x[3] ^ hight_step0(t, x[2], key[19]);
    x[4] = same->x[4] + hight_step1(t, x[3], key[20]); /* 5 */
    x[0] += hight_step1(t, x7, key[22]);
    x[2] ^= hight_step0(t, x[1], key[23]);
    x[3] += hight_step1(t, x[2], key[24]); /* 6 */
    x[5] = same->x[5] ^ hight_step0(t, x[4], key[25]);
    x7 += same->to_x7[3];
    x[1] ^= hight_step0(t, x[0], key[27]);
    x[6] = same->x[6];
    x[7] = x7;
    hight_encrypt_round(t, x, key + 28, 1);
}

/* Up to sets * HIGHT_LANES blocks; same is NULL, or what they share with others. */
TARGET RUNNEL_INLINE void hight_xor_sets(const hight_round_keys *keys, const hight_tables *t, const hight_shared *same,
                                         unsigned sets, const uint8_t *block, uint32_t counter, uint8_t *out,
                                         const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    vector_bytes x[HIGHT_SETS][8];
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++, counter += HIGHT_LANES)
        if (same != NULL) {
            hight_first_rounds(keys, t, same, hight_repeat((uint8_t)counter) + hight_lane_numbers(), x[s]);
        } else {
            hight_count(x[s], block, counter);
            hight_whiten_first(keys, x[s]);
        }
    hight_encrypt_rounds(keys, t, x, sets, same != NULL ? 8 : 0);
    RUNNEL_UNROLL
    for (unsigned s = 0; s < sets; s++) {
        const size_t n = hight_minimum(nblocks, HIGHT_LANES);
        hight_whiten_last(keys, x[s]);
        hight_put_blocks(out + 8 * HIGHT_LANES * s, in == NULL ? NULL : in + 8 * HIGHT_LANES * s, x[s], n, leftover);
        if (n < HIGHT_LANES)
            return;
        nblocks -= n;
    }
}

#endif
