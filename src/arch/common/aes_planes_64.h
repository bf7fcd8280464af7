/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Four blocks of AES as bit planes in eight words of 64 bits: bit i of every byte is in word i; the byte in row r, column c
 * of block b is bit 16 r + 4 c + b. The includer defines PLANE, a word or a vector of such words, each with four blocks of
 * its own. */
#ifndef COMMON_AES_PLANES_64_H
#define COMMON_AES_PLANES_64_H

#include "arch/common/aes_sub_bytes.h"
#include "arch/common/bytes.h"
#include "arch/common/transpose.h"

#define BLOCKS 4

PLANES_INLINE PLANE aes_rotate_right(PLANE w, unsigned n)
{
    return n == 0 ? w : w >> n | w << (64 - n);
}

/* Brings up the bytes k rows below, which after round v (modulo 4) are k * v columns further right. */
PLANES_INLINE PLANE aes_rows_below(PLANE w, unsigned k, unsigned v)
{
    const unsigned columns = k * v % 4;
    if (columns == 0)
        return aes_rotate_right(w, 16 * k);
    const uint64_t lane = 0xffffu >> 4 * columns, stay = lane | lane << 16 | lane << 32 | lane << 48;
    const unsigned n = 16 * k + 4 * columns;
    return (aes_rotate_right(w, n % 64) & stay) | (aes_rotate_right(w, (n - 16) % 64) & ~stay);
}

/* MixColumns in the rows as they are after round v, and the round key. */
PLANES_INLINE void aes_mix_columns_add_key(PLANE q[8], unsigned v, const PLANE key[8])
{
    PLANE below[8], sum[8];
    UNROLLED
    for (int i = 0; i < 8; i++) {
        below[i] = aes_rows_below(q[i], 1, v);
        sum[i] = q[i] ^ below[i];
    }
    UNROLLED
    for (int i = 0; i < 8; i++) {
        q[i] = below[i] ^ aes_rows_below(sum[i], 2, v) ^ key[i];
        if (i > 0)
            q[i] ^= sum[i - 1];
        if (0x1b >> i & 1)
            q[i] ^= sum[7];
    }
}

/* Puts the four bytes of x into every other byte. */
static inline uint64_t aes_spread(uint32_t x)
{
    uint64_t w = x;
    w = (w | w << 16) & 0x0000ffff0000ffff;
    return (w | w << 8) & 0x00ff00ff00ff00ff;
}

static inline uint32_t aes_gather(uint64_t w)
{
    w &= 0x00ff00ff00ff00ff;
    w = (w | w >> 8) & 0x0000ffff0000ffff;
    return (uint32_t)(w | w >> 16);
}

/* Before the transposition words b and 4 + b hold columns 0, 2 and 1, 3 of block b, their bytes alternating. */
static inline void aes_spread_block(uint64_t *even, uint64_t *odd, const uint8_t *in)
{
    *even = aes_spread(runnel_load32le(in)) | aes_spread(runnel_load32le(in + 8)) << 8;
    *odd = aes_spread(runnel_load32le(in + 4)) | aes_spread(runnel_load32le(in + 12)) << 8;
}

static inline void aes_gather_block(uint8_t *out, uint64_t even, uint64_t odd)
{
    runnel_store32le(out, aes_gather(even));
    runnel_store32le(out + 4, aes_gather(odd));
    runnel_store32le(out + 8, aes_gather(even >> 8));
    runnel_store32le(out + 12, aes_gather(odd >> 8));
}

#endif
