/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a message has beside whole groups: parts of them, and data that do not lie at a multiple of 16 bytes. Their keystream is
 * made in memory of its own, which is zero before and after. */
#include "machine.cuh"

KERNEL(clear)(u32x4 *p, u64 count)
{
    FOR_THREADS(thread)
    {
        for (u64 i = (u64)BLOCK * THREADS + thread; i < count; i += (u64)BLOCKS * THREADS)
            p[i].x = p[i].y = p[i].z = p[i].w = 0;
    }
}

/* XORs bytes of any alignment; where data is a multiple of 4, by words. */
KERNEL(xor_bytes)(u8 *data, const u8 *keystream, u64 bytes)
{
    const u64 before = (4 - ((u64)(size_t)data & 3)) & 3, head = before < bytes ? before : bytes;
    const u64 words = (bytes - head) / 4;
    u32 *const middle = (u32 *)(data + head);
    FOR_THREADS(thread)
    {
        const u64 first = (u64)BLOCK * THREADS + thread, step = (u64)BLOCKS * THREADS;
        for (u64 i = first; i < words; i += step) {
            const u8 *k = keystream + head + 4 * i;
            middle[i] ^= k[0] | (u32)k[1] << 8 | (u32)k[2] << 16 | (u32)k[3] << 24;
        }
        for (u64 i = first; i < bytes - 4 * words; i += step) {
            const u64 at = i < head ? i : i + 4 * words;
            data[at] ^= keystream[at];
        }
    }
}
