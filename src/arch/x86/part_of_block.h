/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A part of a block of 16 bytes, between memory and a register: not a byte more is read or written, and nothing lies in
 * memory on the way, so that there is nothing to wipe. Branches depend on lengths alone. For vectors without masks. */
#ifndef RUNNEL_ARCH_X86_PART_OF_BLOCK_H
#define RUNNEL_ARCH_X86_PART_OF_BLOCK_H

#include "arch/common/bytes.h"
#include "arch/common/inline.h"
#include "target.h"

#if RUNNEL_X86_64

/* Loads n bytes, 0 to 16, with zeros behind them. */
RUNNEL_INLINE __m128i runnel_load_part_of_block(const uint8_t *p, size_t n)
{
    uint64_t low = 0, high = 0;
    if (n == 16)
        return _mm_loadu_si128((const void *)p);
    if (n >= 8) { /* two loads that overlap, twice */
        low = runnel_load64le(p);
        high = runnel_load64le(p + n - 8) >> 1 >> (127 - 8 * n); /* 64 if n is 8 */
    } else if (n >= 4) {
        low = runnel_load32le(p) | (uint64_t)runnel_load32le(p + n - 4) << (8 * (n - 4));
    } else if (n > 0) {
        low = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return _mm_set_epi64x((long long)high, (long long)low);
}

/* Stores the first n bytes, 0 to 16. */
RUNNEL_INLINE void runnel_store_part_of_block(uint8_t *p, __m128i v, size_t n)
{
    if (n == 16) {
        _mm_storeu_si128((void *)p, v);
        return;
    }
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(v), high = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v));
    if (n > 8) {
        runnel_store64le(p, low);
        runnel_store64le(p + n - 8, high << (128 - 8 * n) | low >> (8 * n - 64));
    } else if (n == 8) {
        runnel_store64le(p, low);
    } else if (n >= 4) {
        runnel_store32le(p, (uint32_t)low);
        runnel_store32le(p + n - 4, (uint32_t)(low >> (8 * (n - 4))));
    } else if (n > 0) {
        p[0] = (uint8_t)low;
        p[n / 2] = (uint8_t)(low >> (8 * (n / 2)));
        p[n - 1] = (uint8_t)(low >> (8 * (n - 1)));
    }
}

#endif

#endif
