/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode of AES or ARIA, bitsliced: a warp makes 1024 blocks at once, a thread 32 of them. Block 32 * j + lane is bit
 * j of the lane's planes, so that each of a warp's loads and stores is 512 bytes without a gap. No secret is an index or
 * decides a branch.
 *
 * The blocks of a run differ in the bytes of one word alone, without a carry out of it. Each of these bytes meets the
 * others only after PREFIX_ROUNDS rounds, in a sum: so the state there is that of four tables of 256 entries, whose indices
 * are the counter's bytes, which are public. */
#include "planes.cuh"
#ifdef ARIA
#include "aria.cuh"
#else
#include "aes.cuh"
#endif

enum { STATE_BYTES = 16384, TABLE_BYTES = 32768 }; /* what the caller gives to masks and tables */

/* What the lowest byte adds, for each lane, in its planes; and what the three others add, a bit for each of their values. */
enum { LOW_WORDS = PLANES * LANES, HIGH_WORDS = PLANES * 8, TABLE_WORDS = LOW_WORDS + 3 * HIGH_WORDS };

enum { NO_KEY = LAST_KEY + 4, MASK_WORDS = NO_KEY + PLANES };

STATIC_ASSERT(4 * MASK_WORDS <= STATE_BYTES && 4 * TABLE_WORDS <= TABLE_BYTES);

enum { LATER_ROUNDS = ROUNDS - PREFIX_ROUNDS - 1 }; /* those between the tables and the last */

/* The key as words, each with its first byte lowest; those beyond its length are not read. */
KERNEL(set_key)(u32 *masks, u32 k0, u32 k1, u32 k2, u32 k3, u32 k4, u32 k5, u32 k6, u32 k7)
{
    SHARED u32 w[ROUND_KEYS];
    FOR_THREADS(thread)
    {
        if (thread == 0) {
            w[0] = k0, w[1] = k1, w[2] = k2, w[3] = k3;
            if (KEY_BYTES >= 24)
                w[4] = k4, w[5] = k5;
            if (KEY_BYTES == 32)
                w[6] = k6, w[7] = k7;
            expand(w);
        }
    }
    FOR_THREADS(thread)
    {
        ROLLED
        for (u32 i = thread; i < LAST_KEY; i += THREADS)
            masks[i] = key_mask(w, i / PLANES, i % PLANES);
        if (thread < 4)
            masks[LAST_KEY + thread] = last_key(w, thread);
        masks[NO_KEY + thread] = 0;
    }
    FOR_THREADS(thread)
    {
        for (u32 i = thread; i < ROUND_KEYS; i += THREADS)
            w[i] = 0;
    }
}

/* The tables for counter blocks that are b0 to b3 except for the word numbered `word`, in one warp: eight lanes for each
 * of the counter's bytes, from its lowest, which comes first in the block if `little` is 1. */
KERNEL(set_tables)(u32 *tables, const u32 *masks, u32 b0, u32 b1, u32 b2, u32 b3, u32 word, u32 little)
{
    FOR_THREADS(lane)
    {
        if (lane >= LANES)
            continue;
        const u32 byte = lane / 8, part = lane % 8;
        const u32 moving = 4 * word + (little ? byte : 3 - byte);
        u32 s[PLANES];
        UNROLL
        for (u32 i = 0; i < PLANES; i++) {
            const u32 block = i / 32 == 0 ? b0 : i / 32 == 1 ? b1 : i / 32 == 2 ? b2 : b3;
            const u32 bit = i % 8;
            const u32 low = bit == 0 ? COUNT_0 : bit == 1 ? COUNT_1 : bit == 2 ? COUNT_2 : bit == 3 ? COUNT_3 : COUNT_4;
            const u32 of_lane = bit == 0 ? COUNT_3 : bit == 1 ? COUNT_4 : mask_of(part, bit - 2);
            const u32 of_byte = bit < 5 ? low : mask_of(part, bit - 5);
            const u32 in_low = bit < 5 ? of_lane : bit == 5 ? COUNT_0 : bit == 6 ? COUNT_1 : COUNT_2;
            s[i] = mask_of(block, i % 32) & (0 - (u32)(i / 32 != word));
            if (i / 8 == moving)
                s[i] = byte == 0 ? in_low : of_byte;
            s[i] ^= masks[i];
        }
        prefix(s, masks, masks + NO_KEY, moving, byte == 0);
        UNROLL
        for (u32 i = 0; i < PLANES; i++) {
            if (byte == 0)
                for (u32 k = 0; k < 4; k++)
                    tables[(i / 4 * LANES + 4 * part + k) * 4 + i % 4] = (s[i] >> 8 * k & 255) * 0x01010101;
            else
                tables[LOW_WORDS + (byte - 1) * HIGH_WORDS + 8 * i + part] = s[i];
        }
    }
}

/* What the counter's upper bytes add to a plane, for the four values that a warp's blocks have of the second. */
DEVICE u32 of_upper_bytes(const u32 *high, u32 plane, u32 counter)
{
    const u32 second = counter >> 8 & 255, third = counter >> 16 & 255, fourth = counter >> 24;
    const u32 four = high[8 * plane + second / 32] >> second % 32 & 15;
    return (four * 0x00204081 & 0x01010101) * 255 ^ mask_of(high[HIGH_WORDS + 8 * plane + third / 32], third % 32) ^
           mask_of(high[2 * HIGH_WORDS + 8 * plane + fourth / 32], fourth % 32);
}

/* XORs the keystream of `groups` times 1024 blocks to data, at a multiple of 16 bytes; the counter's word in the first is
 * `counter`, a multiple of 1024. */
KERNEL(xor_groups)(u32x4 *data, const u32 *masks, const u32 *tables, u32 counter, u32 groups)
{
    SHARED u32 low[LOW_WORDS];
    SHARED u32 keys[(LATER_ROUNDS + 1) * PLANES];
    SHARED u32 high[WARPS][PLANES];
    FOR_THREADS(thread)
    {
        for (u32 i = thread; i < LOW_WORDS; i += THREADS)
            low[i] = tables[i];
        for (u32 i = thread; i < LATER_ROUNDS * PLANES + 4; i += THREADS)
            keys[i] = masks[(PREFIX_ROUNDS + 1) * PLANES + i];
    }
    FOR_WARPS(warp)
    {
        ROLLED
        for (u32 group = BLOCK * WARPS + warp; group < groups; group += BLOCKS * WARPS) {
            FOR_LANES(lane)
            {
                UNROLL
                for (u32 i = 0; i < 4; i++)
                    high[warp][4 * lane + i] = of_upper_bytes(tables + LOW_WORDS, 4 * lane + i, counter + 1024 * group);
            }
            FOR_LANES(lane)
            {
                u32 s[PLANES];
                UNROLL
                for (u32 i = 0; i < PLANES / 4; i++) {
                    const u32x4 a = ((const u32x4 *)low)[LANES * i + lane], b = ((const u32x4 *)high[warp])[i];
                    s[4 * i] = a.x ^ b.x, s[4 * i + 1] = a.y ^ b.y, s[4 * i + 2] = a.z ^ b.z, s[4 * i + 3] = a.w ^ b.w;
                }
                middle_rounds(s, keys);
                substitute(s, ROUNDS);
                finish(s);
                const u32x4 last = *(const u32x4 *)(keys + LATER_ROUNDS * PLANES);
                UNROLL
                for (u32 i = 0; i < 4; i++)
                    transpose(s + 32 * i);
                u32x4 *to = data + (u64)group * 1024 + lane;
                UNROLL
                for (u32 j = 0; j < 32; j++) {
                    u32x4 x = to[32 * j];
                    x.x ^= s[j] ^ last.x, x.y ^= s[32 + j] ^ last.y, x.z ^= s[64 + j] ^ last.z, x.w ^= s[96 + j] ^ last.w;
                    to[32 * j] = x;
                }
            }
        }
    }
    FOR_THREADS(thread)
    {
        for (u32 i = thread; i < LOW_WORDS; i += THREADS)
            low[i] = 0;
        for (u32 i = thread; i < LATER_ROUNDS * PLANES + 4; i += THREADS)
            keys[i] = 0;
        for (u32 i = thread; i < WARPS * PLANES; i += THREADS)
            high[i / PLANES][i % PLANES] = 0;
    }
}
