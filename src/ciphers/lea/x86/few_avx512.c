/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arch/x86/words_old.h"
#include "few_avx512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512vl")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 8

typedef runnel_words256 lea_vec;

#define vec_broadcast(word) ((lea_vec)_mm256_set1_epi32((int)(word)))
#define vec_transpose(x) RUNNEL_TRANSPOSE_WORDS(lea_vec, __m256i, _mm256, (x)[0], (x)[1], (x)[2], (x)[3])
#define vec_lane_numbers() ((lea_vec)_mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))
#define FIRST_BLOCKS(blocks) ((__mmask8)((1u << 2 * (blocks)) - 1))
#define lea_vec_get(p, blocks) ((lea_vec)_mm256_maskz_loadu_epi64(FIRST_BLOCKS(blocks), (const void *)(p)))
#define lea_vec_put(p, v, blocks) _mm256_mask_storeu_epi64((void *)(p), FIRST_BLOCKS(blocks), (__m256i)(v))
#define lea_vec_block(v, number)                                                                                       \
    ((number) == 0 ? _mm256_castsi256_si128((__m256i)(v)) : _mm256_extracti128_si256((__m256i)(v), 1))

INLINE lea_vec lea_vec_swap_bytes(lea_vec v)
{
    const __m128i order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    return (lea_vec)_mm256_shuffle_epi8((__m256i)v, _mm256_broadcastsi128_si256(order));
}

#include "rounds.h"

TARGET void runnel_lea_encrypt_few(const runnel_lea_schedule *schedule, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (schedule->rounds == 24)
        lea_encrypt_sets(schedule, 4, 1, out, in, nblocks);
    else
        lea_encrypt_sets(schedule, 6, 1, out, in, nblocks);
}

TARGET void runnel_lea_xor_few(const runnel_lea_schedule *schedule, const uint8_t *block, uint8_t *out,
                               const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    if (schedule->rounds == 24)
        lea_xor_set(schedule, 4, block, out, in, nblocks, leftover);
    else
        lea_xor_set(schedule, 6, block, out, in, nblocks, leftover);
}

#endif
