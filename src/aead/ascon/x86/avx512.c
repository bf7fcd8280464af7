/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One message of Ascon-AEAD128, each word of the state in a vector register of its own. On words a round waits for its ten
 * rotations, which have two ports and come at once; here each row of the S-box is one instruction (VPTERNLOGQ), so is the
 * sum of three words, and there are 27 instructions a round for three ports. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#include "aead/ascon/kernels.h"

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define VECTOR __m128i
#define REPEAT(ascon_word) _mm_set1_epi64x(ascon_word)
#define XOR(a, b) _mm_xor_si128(a, b)
#define XOR3(a, b, c) _mm_ternarylogic_epi32(a, b, c, 0x96)
#define XNOR3(a, b, c) _mm_ternarylogic_epi32(a, b, c, 0x69)
#define SELECT(a, b, c) _mm_ternarylogic_epi32(a, b, c, 0xd2)
#define ROTATE(x, n) _mm_ror_epi64(x, n)
#include "rounds.h"

typedef __m128i ascon_word;

#define TO_WORD(x) _mm_cvtsi64_si128((long long)(x))
#define FROM_WORD(w) (uint64_t)_mm_cvtsi128_si64(w)
#define LOAD_BYTES(p) _mm_loadl_epi64((const void *)(p))
#define STORE_BYTES(p, w) _mm_storel_epi64((void *)(p), w)
#define LOAD_WORD LOAD_BYTES
#define STORE_WORD STORE_BYTES
#include "aead/ascon/sponge.h"

const runnel_ascon_kernel runnel_ascon_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("words in vector registers, for rotations and operations on three registers"),
    .cpu = RUNNEL_CPU_AVX512,
    ASCON_FUNCTIONS,
};

#endif
