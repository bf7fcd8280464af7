/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key and IV set-up of the kernels on x86: the same words as runnel_salsa20_set_key's and runnel_salsa20_set_iv's, in
 * stores as wide as these kernels' loads. A load of what several stores have just written waits until they are in the
 * cache, 40 cycles. */
#ifndef SALSA20_X86_SETUP_H
#define SALSA20_X86_SETUP_H

#include "arch/common/salsa_state.h"
#include "arch/x86/target.h"
#include "ciphers/salsa20/kernels.h"

static void salsa20_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    uint32_t *words = ((runnel_salsa20_state *)state)->words;
    const int long_key = key_bytes == 32;
    const uint8_t *second = long_key ? key + 16 : key;
    const uint32_t nd = long_key ? RUNNEL_ND_3 : RUNNEL_ND_1, by = long_key ? RUNNEL_2_BY : RUNNEL_6_BY;
    const __m128i low = _mm_loadu_si128((const void *)key), high = _mm_loadu_si128((const void *)second);
    _mm_storeu_si128((void *)words, _mm_or_si128(_mm_slli_si128(low, 4), _mm_setr_epi32(RUNNEL_EXPA, 0, 0, 0)));
    runnel_store64le((uint8_t *)(words + 4), runnel_load32le(key + 12) | (uint64_t)nd << 32);
    runnel_store64le((uint8_t *)(words + 8), 0);
    runnel_store64le((uint8_t *)(words + 10), by | (uint64_t)runnel_load32le(second) << 32);
    _mm_storeu_si128((void *)(words + 12), _mm_or_si128(_mm_srli_si128(high, 4), _mm_setr_epi32(0, 0, 0, RUNNEL_TE_K)));
}

static void salsa20_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    (void)iv_bytes;
    runnel_store64le((uint8_t *)(((runnel_salsa20_state *)state)->words + 6), runnel_load64le(iv));
}

#endif
