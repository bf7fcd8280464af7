/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in counter mode by look-ups in a table of 1 KB, one copy for each bank of shared memory, so that no two lanes meet in one
 * (after Tezcan, IEEE Access 2021). The indices are secret: other programs on the device may learn of them from its
 * timing. Chosen by name only. */
#include "aes.cuh"

CONSTANT u8 aes_s_box[256] = {
#define w(byte) 0x##byte,
#include "aes_s_box.inc"
#undef w
};

KERNEL(set_key)(u32 *state, u32 k0, u32 k1, u32 k2, u32 k3, u32 k4, u32 k5, u32 k6, u32 k7)
{
    FOR_THREADS(thread)
    {
        if (thread == 0) {
            state[0] = k0, state[1] = k1, state[2] = k2, state[3] = k3;
            if (KEY_BYTES >= 24)
                state[4] = k4, state[5] = k5;
            if (KEY_BYTES == 32)
                state[6] = k6, state[7] = k7;
            expand(state);
        }
    }
}

/* The counter block, and where its counter is. */
KERNEL(set_tables)(u32 *tables, const u32 *state, u32 b0, u32 b1, u32 b2, u32 b3, u32 word, u32 little)
{
    (void)state;
    FOR_THREADS(thread)
    {
        if (thread == 0)
            tables[0] = b0, tables[1] = b1, tables[2] = b2, tables[3] = b3, tables[4] = word, tables[5] = little;
    }
}

#define LOOK_UP(x, n) table[x >> 8 * (n) & 255][lane]

KERNEL(xor_groups)(u32x4 *data, const u32 *state, const u32 *tables, u32 counter, u32 groups)
{
    SHARED u32 table[256][LANES];
    SHARED u32 keys[ROUND_KEYS];
    FOR_THREADS(thread)
    {
        for (u32 i = thread; i < 256 * LANES; i += THREADS) {
            const u32 s = aes_s_box[i / LANES], two = twice(s);
            table[i / LANES][i % LANES] = two | s << 8 | s << 16 | (s ^ two) << 24;
        }
        for (u32 i = thread; i < ROUND_KEYS; i += THREADS)
            keys[i] = state[i];
    }
    FOR_WARPS(warp)
    {
        FOR_LANES(lane)
        {
            for (u64 i = (u64)(BLOCK * WARPS + warp) * LANES + lane; i < (u64)groups * 1024; i += (u64)BLOCKS * THREADS) {
                const u32 number = counter + (u32)i, moving = tables[5] ? number : permute(number, 0, 0x0123);
                u32 s[4];
                UNROLL
                for (u32 k = 0; k < 4; k++)
                    s[k] = (tables[4] == k ? moving : tables[k]) ^ keys[k];
                UNROLL
                for (u32 round = 1; round < ROUNDS; round++) {
                    u32 t[4];
                    UNROLL
                    for (u32 k = 0; k < 4; k++)
                        t[k] = LOOK_UP(s[k], 0) ^ rotate(LOOK_UP(s[(k + 1) % 4], 1), 8) ^
                               rotate(LOOK_UP(s[(k + 2) % 4], 2), 16) ^ rotate(LOOK_UP(s[(k + 3) % 4], 3), 24) ^
                               keys[4 * round + k];
                    UNROLL
                    for (u32 k = 0; k < 4; k++)
                        s[k] = t[k];
                }
                u32 t[4];
                UNROLL
                for (u32 k = 0; k < 4; k++) /* the table's second and third bytes are the S-box's own */
                    t[k] = ((LOOK_UP(s[k], 0) >> 8 & 255) | (LOOK_UP(s[(k + 1) % 4], 1) & 0xff00) |
                            (LOOK_UP(s[(k + 2) % 4], 2) & 0xff0000) | (LOOK_UP(s[(k + 3) % 4], 3) << 8 & 0xff000000)) ^
                           keys[4 * ROUNDS + k];
                u32x4 x = data[i];
                x.x ^= t[0], x.y ^= t[1], x.z ^= t[2], x.w ^= t[3];
                data[i] = x;
            }
        }
    }
    FOR_THREADS(thread)
    {
        for (u32 i = thread; i < ROUND_KEYS; i += THREADS)
            keys[i] = 0;
    }
}
