/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key set-up of the kernels on x86: the same words as runnel_chacha20_set_key's, in stores as wide as these kernels'
 * loads. A load of what several stores have just written waits until they are in the cache, 40 cycles. */
#ifndef CHACHA20_X86_SETUP_H
#define CHACHA20_X86_SETUP_H

#include "arch/common/salsa_state.h"
#include "arch/x86/target.h"

static void chacha20_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    __m128i *rows = state;
    (void)key_bytes;
    _mm_storeu_si128(rows, _mm_setr_epi32(RUNNEL_EXPA, RUNNEL_ND_3, RUNNEL_2_BY, RUNNEL_TE_K));
    _mm_storeu_si128(rows + 1, _mm_loadu_si128((const void *)key));
    _mm_storeu_si128(rows + 2, _mm_loadu_si128((const void *)(key + 16)));
    ((uint32_t *)state)[12] = 0;
}

#endif
