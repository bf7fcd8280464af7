/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on 256-bit registers, 8 blocks in each four. A round of 8 blocks is 18 instructions, (no rotation is a byte
 * shuffle), and 4 cycles of latency: two sets keep any processor busy. */
#include "arch/x86/words_old.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 8

typedef runnel_words256 lea_vec;

#define vec_broadcast(word) ((lea_vec)_mm256_set1_epi32((int)(word)))
#define vec_transpose(x) RUNNEL_TRANSPOSE_WORDS(lea_vec, __m256i, _mm256, (x)[0], (x)[1], (x)[2], (x)[3])
/* A register of bytes has two consecutive blocks, and the transposition stays inside the 128-bit halves. */
#define vec_lane_numbers() ((lea_vec)_mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))

INLINE lea_vec lea_vec_swap_bytes(lea_vec v)
{
    const __m128i order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    return (lea_vec)_mm256_shuffle_epi8((__m256i)v, _mm256_broadcastsi128_si256(order));
}

/* 1 or 2 blocks. */
INLINE lea_vec lea_vec_get(const uint8_t *p, size_t blocks)
{
    if (blocks == 1)
        return (lea_vec)_mm256_zextsi128_si256(_mm_loadu_si128((const void *)p));
    return (lea_vec)_mm256_loadu_si256((const void *)p);
}

INLINE void lea_vec_put(uint8_t *p, lea_vec v, size_t blocks)
{
    if (blocks == 1)
        _mm_storeu_si128((void *)p, _mm256_castsi256_si128((__m256i)v));
    else
        _mm256_storeu_si256((void *)p, (__m256i)v);
}

#define lea_vec_block(v, number)                                                                                       \
    ((number) == 0 ? _mm256_castsi256_si128((__m256i)(v)) : _mm256_extracti128_si256((__m256i)(v), 1))

/* For key.h: rotations by another number of bits, 0 to 31, in each word. */
#define rotate4_by(v, n)                                                                                               \
    ((runnel_words128)_mm_or_si128(_mm_sllv_epi32((__m128i)(v), (__m128i)(n)),                                         \
                                   _mm_srlv_epi32((__m128i)(v), (__m128i)(32 - (n)))))
#define rotate8_by(v, n)                                                                                               \
    ((runnel_words256)_mm256_or_si256(_mm256_sllv_epi32((__m256i)(v), (__m256i)(n)),                                   \
                                      _mm256_srlv_epi32((__m256i)(v), (__m256i)(32 - (n)))))

#include "rounds.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_lea_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("a word of 8 blocks in a register; what the first rounds share is made once a call"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks,
              .ctr32 = lea_ctr32,
              .ctr32_tail = lea_ctr32_tail,
              RUNNEL_DECRYPTION(lea_set_key, lea_decrypt_blocks)},
    .stack_bytes = 2560,
};

#endif
