/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on 256-bit registers, two blocks each. */
#include "arch/x86/target.h"
#include "vectors.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes")
#define VECTOR __m256i
#define LANES 2
#define LOAD(p) _mm256_loadu_si256((const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((void *)(p), v)
#define LOAD_SOME(p, n) ((n) == 2 ? LOAD(p) : _mm256_zextsi128_si256(_mm_loadu_si128((const void *)(p))))
#define STORE_SOME(p, v, n) ((n) == 2 ? STORE(p, v) : _mm_storeu_si128((void *)(p), _mm256_castsi256_si128(v)))
#define BLOCK(v, i) ((i) == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1))
#define REPEAT(p) _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(p)))
#define REPEAT_REGISTER(x) _mm256_broadcastsi128_si256(x)
#define XOR(a, b) _mm256_xor_si256(a, b)
#define AND(a, b) _mm256_and_si256(a, b)
#define ADD32(a, b) _mm256_add_epi32(a, b)
#define SHUFFLE_BYTES(v, order) _mm256_shuffle_epi8(v, order)
#define ENC(x, k) _mm256_aesenc_epi128(x, k)
#define LAST(x, k) _mm256_aesenclast_epi128(x, k)
#include "ctr.h"

#include "ccm.h"
#include "cfb.h"
#include "keys.h"

const runnel_kernel runnel_aes_vaes = {
    .name = RUNNEL_TEXT("vaes"),
    .citation = RUNNEL_TEXT("VAES, 16 blocks in flight; prefix caching after Park, Lee (FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES | RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES,
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
                        .gcm = &runnel_aes_gcm_vaes,
                        .gcm_siv = &runnel_aes_gcm_siv_vaes}},
    .stack_bytes = 1024,
};

#endif
