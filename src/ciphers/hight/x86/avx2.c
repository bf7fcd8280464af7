/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on 256-bit registers, 32 blocks in eight of them. */
#include "arch/common/bytes.h"
#include "arch/x86/words_old.h"
#include "ciphers/hight/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 32

typedef uint8_t hight_vec __attribute__((vector_size(32)));

#define vec_broadcast(byte) ((hight_vec)_mm256_set1_epi8((char)(byte)))
#define vec_repeat(bytes) ((hight_vec)_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(bytes))))
#define vec_lookup(table, index) ((hight_vec)_mm256_shuffle_epi8((__m256i)(table), (__m256i)(index)))
#define vec_shift4(v) ((hight_vec)_mm256_srli_epi16((__m256i)(v), 4))
#define vec_broadcast32(word) ((hight_vec)_mm256_set1_epi32((int)(word)))
#define vec_halves(low, high)                                                                                          \
    ((hight_vec)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_set1_epi8((char)(low))),                            \
                                        _mm_set1_epi8((char)(high)), 1))
#define vec_turn(v) ((hight_vec)_mm256_permute2x128_si256((__m256i)(v), (__m256i)(v), 1))
#define hight_vec_few_numbers()                                                                                        \
    ((hight_vec)_mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
/* A register of bytes has four consecutive blocks, and the transposition stays inside the 128-bit halves. */
#define hight_vec_lane_numbers()                                                                                       \
    ((hight_vec)_mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 2, 3, 6, 7, 10, 11, 14, 15, \
                                 18, 19, 22, 23, 26, 27, 30, 31))
#define vec_order_pairs(v)                                                                                             \
    vec_lookup(v, _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15)))
#define vec_unpack_lo8(a, b) ((hight_vec)_mm256_unpacklo_epi8((__m256i)(a), (__m256i)(b)))
#define vec_unpack_hi8(a, b) ((hight_vec)_mm256_unpackhi_epi8((__m256i)(a), (__m256i)(b)))
#define vec_unpack_lo16(a, b) ((hight_vec)_mm256_unpacklo_epi16((__m256i)(a), (__m256i)(b)))
#define vec_unpack_hi16(a, b) ((hight_vec)_mm256_unpackhi_epi16((__m256i)(a), (__m256i)(b)))
#define vec_unpack_lo32(a, b) ((hight_vec)_mm256_unpacklo_epi32((__m256i)(a), (__m256i)(b)))
#define vec_unpack_hi32(a, b) ((hight_vec)_mm256_unpackhi_epi32((__m256i)(a), (__m256i)(b)))

/* 1 to 4 blocks. */
INLINE hight_vec hight_vec_get(const uint8_t *p, size_t blocks)
{
    if (blocks == 4)
        return (hight_vec)_mm256_loadu_si256((const void *)p);
    const __m128i low = blocks == 1 ? _mm_loadl_epi64((const void *)p) : _mm_loadu_si128((const void *)p);
    const __m128i high = blocks == 3 ? _mm_loadl_epi64((const void *)(p + 16)) : _mm_setzero_si128();
    return (hight_vec)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

INLINE void hight_vec_put(uint8_t *p, hight_vec v, size_t blocks)
{
    const __m128i low = _mm256_castsi256_si128((__m256i)v);
    if (blocks == 4) {
        _mm256_storeu_si256((void *)p, (__m256i)v);
    } else if (blocks == 1) {
        _mm_storel_epi64((void *)p, low);
    } else {
        _mm_storeu_si128((void *)p, low);
        if (blocks == 3)
            _mm_storel_epi64((void *)(p + 16), _mm256_extracti128_si256((__m256i)v, 1));
    }
}

INLINE __m128i hight_vec_block(hight_vec v, size_t number)
{
    const __m256i places =
        _mm256_add_epi32(_mm256_set1_epi32(2 * (int)number), _mm256_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1));
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)v, places));
}

#include "nibbles.h"
#include "rounds.h"

/* Four blocks of eight bytes each, and their first four bytes in one half and the others in the other. */
INLINE hight_vec hight_split(hight_vec v)
{
    return (hight_vec)_mm256_permute4x64_epi64(_mm256_shuffle_epi32((__m256i)v, 0xd8), 0xd8);
}

INLINE hight_vec hight_unite(hight_vec v)
{
    return (hight_vec)_mm256_shuffle_epi32(_mm256_permute4x64_epi64((__m256i)v, 0xd8), 0xd8);
}

/* Up to 16 blocks. */
INLINE void hight_get_few(hight_vec x[4], const uint8_t *in, size_t nblocks)
{
    const __m128i columns = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t n = nblocks > 4 * i ? nblocks - 4 * i : 0;
        x[i] = n > 0 ? hight_split(hight_vec_get(in + 32 * i, n < 4 ? n : 4)) : vec_broadcast(0);
        x[i] = vec_lookup(x[i], _mm256_broadcastsi128_si256(columns));
    }
    RUNNEL_TRANSPOSE_WORDS(hight_vec, __m256i, _mm256, x[0], x[1], x[2], x[3]);
}

INLINE void hight_put_few(uint8_t *out, const uint8_t *in, const hight_vec x[4], size_t nblocks, uint8_t *leftover)
{
    const hight_vec low[2] = {vec_unpack_lo8(x[0], x[1]), vec_unpack_lo8(x[2], x[3])};
    const hight_vec high[2] = {vec_unpack_hi8(x[0], x[1]), vec_unpack_hi8(x[2], x[3])};
    const hight_vec y[4] = {vec_unpack_lo16(low[0], low[1]), vec_unpack_hi16(low[0], low[1]),
                            vec_unpack_lo16(high[0], high[1]), vec_unpack_hi16(high[0], high[1])};
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (!hight_put_register(out, in, hight_unite(y[i]), i, nblocks, leftover))
            return;
}

#include "few.h"
#include "key.h"
#include "modes.h"
#include "cfb.h"

const runnel_kernel runnel_hight_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("a byte of 32 blocks in a register, F0 and F1 by nibbles in byte shuffles"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks,
              .ctr32 = hight_ctr32,
              .ctr32_tail = hight_ctr32_tail,
              .fused = {.cfb = hight_cfb},
              RUNNEL_DECRYPTION(hight_set_key, hight_decrypt_blocks)},
};

#endif
