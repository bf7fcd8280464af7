/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on 512-bit registers, 16 blocks in each four. A rotation is one instruction, which makes 12 for a round of 16
 * blocks; round keys are broadcast by the XORs that take them. */
#include "arch/x86/words_old.h"
#include "few_avx512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512vl")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 16
#define FEW RUNNEL_LEA_FEW
#define encrypt_few runnel_lea_encrypt_few
#define xor_few runnel_lea_xor_few

typedef runnel_words512 lea_vec;

#define vec_broadcast(word) ((lea_vec)_mm512_set1_epi32((int)(word)))
#define vec_transpose(x) RUNNEL_TRANSPOSE_WORDS(lea_vec, __m512i, _mm512, (x)[0], (x)[1], (x)[2], (x)[3])
/* A register of bytes has four consecutive blocks, and the transposition stays inside the 128-bit parts. */
#define vec_lane_numbers() ((lea_vec)_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15))
#define FIRST_BLOCKS(blocks) ((__mmask8)((1u << 2 * (blocks)) - 1))
#define lea_vec_get(p, blocks) ((lea_vec)_mm512_maskz_loadu_epi64(FIRST_BLOCKS(blocks), (const void *)(p)))
#define lea_vec_put(p, v, blocks) _mm512_mask_storeu_epi64((void *)(p), FIRST_BLOCKS(blocks), (__m512i)(v))

INLINE __m128i lea_vec_block(lea_vec v, size_t number)
{
    const __m512i places = _mm512_add_epi64(_mm512_set1_epi64(2 * (long long)number), (__m512i){0, 1});
    return _mm512_castsi512_si128(_mm512_permutexvar_epi64(places, (__m512i)v));
}

INLINE lea_vec lea_vec_swap_bytes(lea_vec v)
{
    const __m128i order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    return (lea_vec)_mm512_shuffle_epi8((__m512i)v, _mm512_broadcast_i32x4(order));
}

/* For key.h. */
#define rotate4_by(v, n) ((runnel_words128)_mm_rolv_epi32((__m128i)(v), (__m128i)(n)))
#define rotate8_by(v, n) ((runnel_words256)_mm256_rolv_epi32((__m256i)(v), (__m256i)(n)))

#include "rounds.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_lea_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("as avx2, a word of 16 blocks in a register; 8 blocks and fewer in 256 bits"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks,
              .ctr32 = lea_ctr32,
              .ctr32_tail = lea_ctr32_tail,
              RUNNEL_DECRYPTION(lea_set_key, lea_decrypt_blocks)},
    .stack_bytes = 2560,
};

#endif
