/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS on 128-bit registers. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,sse4.1,ssse3")
#include "arch/x86/blocks_128.h"
#define STORE_SUM(p, v) _mm_storeu_si128((void *)(p), vector_sum_lanes(v))
#define TWO_WORDS(low, high) vector_repeat(_mm_set_epi64x((long long)(high), (long long)(low)))
#include "aead/aegis/lanes.h"

AEGIS_CIPHER(aegis_128l, 8, 1)
AEGIS_CIPHER(aegis_256, 6, 1)
AEGIS_CIPHER(aegis_128x2, 8, 2)
AEGIS_CIPHER(aegis_256x2, 6, 2)
AEGIS_CIPHER(aegis_128x4, 8, 4)
AEGIS_CIPHER(aegis_256x4, 6, 4)

const runnel_aegis_kernel runnel_aegis_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("RFC 10032, AES-NI"),
    .cpu = RUNNEL_CPU_AES,
    .ciphers = {[AEGIS_128L] = &aegis_128l,
                [AEGIS_256] = &aegis_256,
                [AEGIS_128X2] = &aegis_128x2,
                [AEGIS_256X2] = &aegis_256x2,
                [AEGIS_128X4] = &aegis_128x4,
                [AEGIS_256X4] = &aegis_256x4},
};

#endif
