/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For slices_gfni.h: blocks with each byte four times. The includer defines TARGET, with AVX-512. */
#ifndef ARIA_X86_SPREAD_H
#define ARIA_X86_SPREAD_H

#include "parts_avx512.h"

TARGET RUNNEL_INLINE void aria_spread_bytes(runnel_aria_spread *to, __m128i bytes)
{
    const __m512i order = _mm512_setr_epi32(0, 0x01010101, 0x02020202, 0x03030303, 0x04040404, 0x05050505, 0x06060606,
                                            0x07070707, 0x08080808, 0x09090909, 0x0a0a0a0a, 0x0b0b0b0b, 0x0c0c0c0c,
                                            0x0d0d0d0d, 0x0e0e0e0e, 0x0f0f0f0f);
    _mm512_store_si512((void *)to->word, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(bytes), order));
}

#endif
