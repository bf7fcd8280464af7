/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2 without secret addresses, with look-ups by permutations of registers. A step needs the word two steps before, so
 * the look-ups of two steps overlap. */
#include "historic/nls/kernels.h"

#include "arch/x86/lookup_512.h"

#if RUNNEL_X86_64

RUNNEL_LOOKUP_512 RUNNEL_INLINE uint32_t nls_s_box(uint8_t x)
{
    const __m512i found = runnel_look_up_256(runnel_nls_s_box, _mm512_castsi128_si512(_mm_cvtsi32_si128(x)));
    return (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(found));
}

#define NLS_TARGET RUNNEL_LOOKUP_512
#include "historic/nls/steps.h"

const runnel_kernel runnel_nls_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("own: table read in full by permutations of register pairs"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = nls_set_key,
    .stream = {.iv = nls_set_iv, .xor_blocks = nls_xor_blocks},
};

#endif
