/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Eight messages on 256-bit registers with the rotations and the logic of AVX-512, on three ports. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define XOR3(a, b, c) _mm256_ternarylogic_epi32(a, b, c, 0x96)
#define CHOOSING(e, f, g) _mm256_ternarylogic_epi32(e, f, g, 0xca)
#define MAJORITY_OF(a, b, c) _mm256_ternarylogic_epi32(a, b, c, 0xe8)
#define ROTATING(v, n) _mm256_ror_epi32(v, n)

#include "ymm.h"

const runnel_sha_256_kernel runnel_hmac_sha_256_avx512_ymm = {
    .name = RUNNEL_TEXT("avx512-ymm"),
    .citation = RUNNEL_TEXT("Gueron, Krasnov: Simultaneous Hashing of Multiple Messages, 2012"),
    .cpu = RUNNEL_CPU_AVX512,
    .lanes = LANES,
    .worth = 7,
    .compress = hmac_sha_256_compress,
};

#endif
