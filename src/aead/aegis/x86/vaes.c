/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS on 256-bit registers. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes")
#include "arch/x86/blocks_256.h"
#define STORE_SUM(p, v) _mm_storeu_si128((void *)(p), vector_sum_lanes(v))
#define TWO_WORDS(low, high) vector_repeat(_mm_set_epi64x((long long)(high), (long long)(low)))
#include "aead/aegis/lanes.h"

const runnel_aegis_kernel runnel_aegis_vaes = {
    .name = RUNNEL_TEXT("vaes"),
    .citation = RUNNEL_TEXT("RFC 10032, two lanes in a register of 256 bits"),
    .cpu = RUNNEL_CPU_AES | RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES,
    .ciphers = {AEGIS_OF_2_LANES, AEGIS_OF_4_LANES},
};

#endif
