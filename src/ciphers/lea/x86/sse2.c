/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA on 128-bit registers, 4 blocks in each four, with the instructions of every x86-64 processor. */
#include "arch/x86/words_old.h"
#include "ciphers/lea/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("sse2")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 4

typedef runnel_words128 lea_vec;

#define vec_broadcast(word) ((lea_vec)_mm_set1_epi32((int)(word)))
#define vec_transpose(x) RUNNEL_TRANSPOSE_WORDS(lea_vec, __m128i, _mm, (x)[0], (x)[1], (x)[2], (x)[3])
#define vec_lane_numbers() ((lea_vec)_mm_setr_epi32(0, 1, 2, 3))
#define lea_vec_get(p, blocks) ((void)(blocks), (lea_vec)_mm_loadu_si128((const void *)(p)))
#define lea_vec_put(p, v, blocks) ((void)(blocks), _mm_storeu_si128((void *)(p), (__m128i)(v)))

INLINE lea_vec lea_vec_swap_bytes(lea_vec v)
{
    const lea_vec odd = {0xff00ff00, 0xff00ff00, 0xff00ff00, 0xff00ff00};
    v = v << 16 | v >> 16;
    return (v & odd) >> 8 | (v << 8 & odd);
}

#define lea_vec_block(v, number) ((void)(number), (__m128i)(v))

#include "rounds.h"
#include "modes.h"

const runnel_kernel runnel_lea_sse2 = {
    .name = RUNNEL_TEXT("sse2"),
    .citation = RUNNEL_TEXT("as avx2, a word of 4 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_lea_set_key,
    .block = {.encrypt_blocks = lea_encrypt_blocks,
              .ctr32 = lea_ctr32,
              .ctr32_tail = lea_ctr32_tail,
              RUNNEL_DECRYPTION(runnel_lea_set_key, lea_decrypt_blocks)},
    .stack_bytes = 2048,
};

#endif
