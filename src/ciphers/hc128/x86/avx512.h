/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The look-ups of HC-128's AVX-512 kernel. */
#ifndef RUNNEL_HC128_X86_AVX512_H
#define RUNNEL_HC128_X86_AVX512_H

#include "arch/x86/lookup_512.h"
#include "ciphers/hc128/kernels.h"

#if RUNNEL_X86_64

#define HC128_AVX512 RUNNEL_LOOKUP_512

void runnel_hc128_set_iv_avx512(void *state, const uint8_t *iv, size_t iv_bytes);

/* h1 or h2 of 16 words. */
HC128_AVX512 RUNNEL_INLINE __m512i hc128_look_up(const uint32_t *table, __m512i words)
{
    return _mm512_add_epi32(runnel_look_up_256(table, words),
                            runnel_look_up_256(table + 256, _mm512_srli_epi32(words, 16)));
}

#endif

#endif
