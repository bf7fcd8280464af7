/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Eight messages on 256-bit registers; a rotation is two shifts. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#define XOR(a, b) _mm256_xor_si256(a, b)
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define CHOOSING(e, f, g) XOR(g, _mm256_and_si256(e, XOR(f, g)))
#define MAJORITY_OF(a, b, c) XOR(b, _mm256_and_si256(XOR(a, b), XOR(b, c)))
#define ROTATING(v, n) _mm256_or_si256(_mm256_srli_epi32(v, n), _mm256_slli_epi32(v, 32 - (n)))

#include "ymm.h"

const runnel_sha_256_kernel runnel_hmac_sha_256_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("Gueron, Krasnov: Simultaneous Hashing of Multiple Messages, 2012"),
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = LANES,
    .worth = 3,
    .compress = hmac_sha_256_compress,
};

#endif
