/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 (RFC 8439): a thread makes a block, a warp 32 of them, which cross to the order of memory in shared memory. Three of
 * the four columns of the first round have no counter in them and are done once for a nonce. No secret is an index or
 * decides a branch. */
#include "machine.cuh"

enum { WORDS = 16, DOUBLE_ROUNDS = 10 };

#define QUARTER_ROUND(a, b, c, d) \
    do { \
        a += b, d = rotate(d ^ a, 16); \
        c += d, b = rotate(b ^ c, 12); \
        a += b, d = rotate(d ^ a, 8); \
        c += d, b = rotate(b ^ c, 7); \
    } while (0)

KERNEL(set_key)(u32 *state, u32 k0, u32 k1, u32 k2, u32 k3, u32 k4, u32 k5, u32 k6, u32 k7)
{
    FOR_THREADS(thread)
    {
        if (thread == 0) {
            state[0] = 0x61707865, state[1] = 0x3320646e, state[2] = 0x79622d32, state[3] = 0x6b206574;
            state[4] = k0, state[5] = k1, state[6] = k2, state[7] = k3;
            state[8] = k4, state[9] = k5, state[10] = k6, state[11] = k7;
        }
    }
}

/* The first block's words with counter 0, then those after the first round of columns 1 to 3. */
KERNEL(set_tables)(u32 *tables, const u32 *state, u32 n0, u32 n1, u32 n2, u32 unused, u32 word, u32 little)
{
    (void)unused, (void)word, (void)little;
    FOR_THREADS(thread)
    {
        if (thread != 0)
            continue;
        for (u32 i = 0; i < 12; i++)
            tables[i] = state[i];
        tables[12] = 0, tables[13] = n0, tables[14] = n1, tables[15] = n2;
        for (u32 i = 0; i < 4; i++) {
            u32 a = tables[i], b = tables[4 + i], c = tables[8 + i], d = tables[12 + i];
            if (i > 0)
                QUARTER_ROUND(a, b, c, d);
            tables[WORDS + i] = a, tables[WORDS + 4 + i] = b, tables[WORDS + 8 + i] = c, tables[WORDS + 12 + i] = d;
        }
    }
}

/* Where four words of a lane's block lie in shared memory: eight neighbours' stores, and loads, meet all banks. */
DEVICE u32 place(u32 lane, u32 quarter)
{
    return 4 * lane + (quarter ^ (lane / 2 % 4));
}

/* XORs the keystream of `groups` times 32 blocks to data, at a multiple of 16 bytes; the first block's number is `counter`. */
KERNEL(xor_groups)(u32x4 *data, const u32 *state, const u32 *tables, u32 counter, u32 groups)
{
    SHARED u32x4 made[WARPS][4 * LANES];
    (void)state;
    FOR_WARPS(warp)
    {
        ROLLED
        for (u32 group = BLOCK * WARPS + warp; group < groups; group += BLOCKS * WARPS) {
            FOR_LANES(lane)
            {
                const u32 number = counter + LANES * group + lane;
                u32 x[WORDS];
                UNROLL
                for (u32 i = 0; i < WORDS; i++)
                    x[i] = tables[WORDS + i];
                x[12] = number;
                QUARTER_ROUND(x[0], x[4], x[8], x[12]);
                UNROLL
                for (u32 i = 0; i < DOUBLE_ROUNDS; i++) {
                    if (i > 0) {
                        QUARTER_ROUND(x[0], x[4], x[8], x[12]);
                        QUARTER_ROUND(x[1], x[5], x[9], x[13]);
                        QUARTER_ROUND(x[2], x[6], x[10], x[14]);
                        QUARTER_ROUND(x[3], x[7], x[11], x[15]);
                    }
                    QUARTER_ROUND(x[0], x[5], x[10], x[15]);
                    QUARTER_ROUND(x[1], x[6], x[11], x[12]);
                    QUARTER_ROUND(x[2], x[7], x[8], x[13]);
                    QUARTER_ROUND(x[3], x[4], x[9], x[14]);
                }
                UNROLL
                for (u32 i = 0; i < WORDS; i++)
                    x[i] += tables[i];
                x[12] += number;
                UNROLL
                for (u32 i = 0; i < 4; i++) {
                    u32x4 four;
                    four.x = x[4 * i], four.y = x[4 * i + 1], four.z = x[4 * i + 2], four.w = x[4 * i + 3];
                    made[warp][place(lane, i)] = four;
                }
            }
            FOR_LANES(lane)
            {
                u32x4 *to = data + (u64)group * (4 * LANES) + lane;
                UNROLL
                for (u32 i = 0; i < 4; i++) {
                    const u32x4 k = made[warp][place((LANES * i + lane) / 4, lane % 4)];
                    u32x4 x = to[LANES * i];
                    x.x ^= k.x, x.y ^= k.y, x.z ^= k.z, x.w ^= k.w;
                    to[LANES * i] = x;
                }
            }
        }
        FOR_LANES(lane)
        {
            for (u32 i = 0; i < 4; i++) {
                u32x4 *const p = &made[warp][LANES * i + lane];
                p->x = p->y = p->z = p->w = 0;
            }
        }
    }
}
