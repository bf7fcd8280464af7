/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS on 128-bit registers. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2")
#include "arch/x86/blocks_128.h"
#define STORE_SUM(p, v) _mm_storeu_si128((void *)(p), vector_sum_lanes(v))
#define TWO_WORDS(low, high) vector_repeat(_mm_set_epi64x((long long)(high), (long long)(low)))
#include "aead/aegis/lanes.h"

const runnel_aegis_kernel runnel_aegis_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("RFC 10032, AES-NI, instructions of three operands"),
    .cpu = RUNNEL_CPU_AES | RUNNEL_CPU_AVX2,
    .ciphers = {AEGIS_OF_1_LANE, AEGIS_OF_2_LANES, AEGIS_OF_4_LANES},
};

#endif
