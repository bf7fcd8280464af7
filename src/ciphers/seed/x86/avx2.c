/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED on 256-bit registers, 8 blocks in each, S-boxes by the AES instructions. */
#include "arch/common/barrier.h"
#include "arch/x86/target.h"
#include "ciphers/seed/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2,aes,vaes")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 8

typedef __m256i seed_vec;

#define vec_xor _mm256_xor_si256
#define vec_and _mm256_and_si256
#define vec_add _mm256_add_epi32
#define vec_shuffle _mm256_shuffle_epi8
#define vec_shift4(v) _mm256_srli_epi16(v, 4)
#define vec_sub_bytes_xor _mm256_aesenclast_epi128
#define vec_blend _mm256_blendv_epi8
#define vec_broadcast(word) _mm256_set1_epi32((int)(word))
#define vec_repeat(bytes16) _mm256_broadcastsi128_si256(bytes16)
#define vec_unpack_lo32 _mm256_unpacklo_epi32
#define vec_unpack_hi32 _mm256_unpackhi_epi32
#define vec_unpack_lo64 _mm256_unpacklo_epi64
#define vec_unpack_hi64 _mm256_unpackhi_epi64
#define vec_load(p) _mm256_loadu_si256((const void *)(p))
#define vec_store(p, v) _mm256_storeu_si256((void *)(p), v)
#define vec_lane_numbers() _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7)

INLINE seed_vec seed_vec_get(const uint8_t *p, size_t blocks)
{
    if (blocks == 0)
        return _mm256_setzero_si256();
    return blocks == 1 ? _mm256_zextsi128_si256(_mm_loadu_si128((const void *)p)) : vec_load(p);
}

INLINE void seed_vec_put(uint8_t *p, seed_vec v, size_t blocks)
{
    if (blocks == 1)
        _mm_storeu_si128((void *)p, _mm256_castsi256_si128(v));
    else if (blocks > 1)
        vec_store(p, v);
}

INLINE __m128i seed_vec_block(seed_vec v, size_t number)
{
    return number == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
}

#include "aes.h"
#include "rounds.h"

const runnel_kernel runnel_seed_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("S-boxes by AESENCLAST between affine maps in byte shuffles; 8 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES | RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_tail = seed_ctr32_tail,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
