/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED on 128-bit registers, 4 blocks in each, S-boxes by the AES instructions. */
#include "arch/common/barrier.h"
#include "arch/x86/target.h"
#include "ciphers/seed/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3,sse4.1,aes")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 4

typedef __m128i seed_vec;

#define vec_xor _mm_xor_si128
#define vec_and _mm_and_si128
#define vec_add _mm_add_epi32
#define vec_shuffle _mm_shuffle_epi8
#define vec_shift4(v) _mm_srli_epi16(v, 4)
#define vec_sub_bytes_xor _mm_aesenclast_si128
#define vec_blend _mm_blendv_epi8
#define vec_broadcast(word) _mm_set1_epi32((int)(word))
#define vec_repeat(bytes16) (bytes16)
#define vec_unpack_lo32 _mm_unpacklo_epi32
#define vec_unpack_hi32 _mm_unpackhi_epi32
#define vec_unpack_lo64 _mm_unpacklo_epi64
#define vec_unpack_hi64 _mm_unpackhi_epi64
#define vec_load(p) _mm_loadu_si128((const void *)(p))
#define vec_store(p, v) _mm_storeu_si128((void *)(p), v)
#define vec_lane_numbers() _mm_setr_epi32(0, 1, 2, 3)

INLINE seed_vec seed_vec_get(const uint8_t *p, size_t blocks)
{
    return blocks > 0 ? vec_load(p) : _mm_setzero_si128();
}

INLINE void seed_vec_put(uint8_t *p, seed_vec v, size_t blocks)
{
    if (blocks > 0)
        vec_store(p, v);
}

#define seed_vec_block(v, number) ((void)(number), (v))

#include "aes.h"
#include "rounds.h"

const runnel_kernel runnel_seed_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("S-boxes by AESENCLAST between affine maps in byte shuffles; 4 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_tail = seed_ctr32_tail,
              .ctr32_left = seed_ctr32_left,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
