/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef ARIA_X86_COUNTER_BLOCK_H
#define ARIA_X86_COUNTER_BLOCK_H

#include "arch/x86/target.h"

/* The counter block with this number in its last word. The includer defines TARGET. */
TARGET RUNNEL_INLINE __m128i aria_with_counter(const uint8_t *block, uint32_t counter)
{
    return _mm_insert_epi32(_mm_loadu_si128((const void *)block), (int)__builtin_bswap32(counter), 3);
}

#endif
