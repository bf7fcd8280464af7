/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on 512-bit registers, four blocks each. */
#include "arch/x86/target.h"
#include "vectors.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes,avx512f,avx512bw,avx512dq,avx512vl")
#define VECTOR __m512i
#define LANES 4
#define LOAD(p) _mm512_loadu_si512((const void *)(p))
#define STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define STREAM(p, v) _mm512_stream_si512((void *)(p), v)
#define LOAD_SOME(p, n) _mm512_maskz_loadu_epi64((__mmask8)((1u << 2 * (n)) - 1), (const void *)(p))
#define STORE_SOME(p, v, n) _mm512_mask_storeu_epi64((void *)(p), (__mmask8)((1u << 2 * (n)) - 1), v)
#define REPEAT(p) _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(p)))
#define REPEAT_REGISTER(x) _mm512_broadcast_i32x4(x)
#define XOR(a, b) _mm512_xor_si512(a, b)
#define AND(a, b) _mm512_and_si512(a, b)
#define ADD32(a, b) _mm512_add_epi32(a, b)
#define SHUFFLE_BYTES(v, order) _mm512_shuffle_epi8(v, order)
#define ENC(x, k) _mm512_aesenc_epi128(x, k)
#define LAST(x, k) _mm512_aesenclast_epi128(x, k)
#include "ctr.h"

#include "ccm.h"
#include "cfb.h"
#include "keys.h"

const runnel_kernel runnel_aes_vaes512 = {
    .name = RUNNEL_TEXT("vaes512"),
    .citation = RUNNEL_TEXT("VAES, 32 blocks in flight; prefix caching after Park, Lee (FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES | RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES | RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_aes_x86_key,
    .keys = set_keys,
    .block = {.encrypt_blocks = encrypt_blocks,
              .key_and_zero = runnel_aes_x86_key_and_zero,
              .ctr32 = ctr32,
              .ctr32_little = ctr32_little,
              .ctr32_tail = ctr32_tail,
              .packet = packet,
              .packet_bytes = 16 * GROUP,
              .prefix_used = aes_x86_prefix_used,
              .fused = {.chain = chain,
                        .cfb = cfb,
                        .cfb_decrypt = cfb_decrypt,
                        .ccm = ccm,
                        .ccm_lanes = ccm_lanes,
                        .gcm = &runnel_aes_gcm_vaes512,
                        .gcm_siv = &runnel_aes_gcm_siv_vaes512}},
    .stack_bytes = 2560,
};

#endif
