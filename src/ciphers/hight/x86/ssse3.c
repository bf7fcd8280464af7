/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on 128-bit registers, 16 blocks in eight of them. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "ciphers/hight/kernels.h"
#include "modes/fused.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 16

typedef uint8_t hight_vec __attribute__((vector_size(16)));

#define vec_broadcast(byte) ((hight_vec)_mm_set1_epi8((char)(byte)))
#define vec_repeat(bytes) ((hight_vec)_mm_loadu_si128((const void *)(bytes)))
#define vec_lookup(table, index) ((hight_vec)_mm_shuffle_epi8((__m128i)(table), (__m128i)(index)))
#define vec_shift4(v) ((hight_vec)_mm_srli_epi16((__m128i)(v), 4))
#define vec_broadcast32(word) ((hight_vec)_mm_set1_epi32((int)(word)))
#define vec_halves(low, high) ((hight_vec)_mm_unpacklo_epi64(_mm_set1_epi8((char)(low)), _mm_set1_epi8((char)(high))))
#define vec_turn(v) ((hight_vec)_mm_shuffle_epi32((__m128i)(v), 0x4e))
#define hight_vec_few_numbers() ((hight_vec)_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7))
#define hight_vec_lane_numbers() ((hight_vec)_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define vec_order_pairs(v) vec_lookup(v, _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15))
#define vec_unpack_lo8(a, b) ((hight_vec)_mm_unpacklo_epi8((__m128i)(a), (__m128i)(b)))
#define vec_unpack_hi8(a, b) ((hight_vec)_mm_unpackhi_epi8((__m128i)(a), (__m128i)(b)))
#define vec_unpack_lo16(a, b) ((hight_vec)_mm_unpacklo_epi16((__m128i)(a), (__m128i)(b)))
#define vec_unpack_hi16(a, b) ((hight_vec)_mm_unpackhi_epi16((__m128i)(a), (__m128i)(b)))
#define vec_unpack_lo32(a, b) ((hight_vec)_mm_unpacklo_epi32((__m128i)(a), (__m128i)(b)))
#define vec_unpack_hi32(a, b) ((hight_vec)_mm_unpackhi_epi32((__m128i)(a), (__m128i)(b)))

/* 1 or 2 blocks. */
INLINE hight_vec hight_vec_get(const uint8_t *p, size_t blocks)
{
    return (hight_vec)(blocks == 1 ? _mm_loadl_epi64((const void *)p) : _mm_loadu_si128((const void *)p));
}

INLINE void hight_vec_put(uint8_t *p, hight_vec v, size_t blocks)
{
    if (blocks == 1)
        _mm_storel_epi64((void *)p, (__m128i)v);
    else
        _mm_storeu_si128((void *)p, (__m128i)v);
}

#define hight_vec_block(v, number) ((number) == 0 ? (__m128i)(v) : _mm_unpackhi_epi64((__m128i)(v), (__m128i)(v)))

#include "nibbles.h"
#include "rounds.h"

/* Up to 8 blocks. */
INLINE void hight_get_few(hight_vec x[4], const uint8_t *in, size_t nblocks)
{
    hight_vec y[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t n = nblocks > 2 * i ? nblocks - 2 * i : 0;
        y[i] = n > 0 ? vec_order_pairs(hight_vec_get(in + 16 * i, n < 2 ? n : 2)) : vec_broadcast(0);
    }
    const hight_vec low[2] = {vec_unpack_lo16(y[0], y[1]), vec_unpack_lo16(y[2], y[3])};
    const hight_vec high[2] = {vec_unpack_hi16(y[0], y[1]), vec_unpack_hi16(y[2], y[3])};
    const __m128i b01 = (__m128i)vec_unpack_lo32(low[0], low[1]), b23 = (__m128i)vec_unpack_hi32(low[0], low[1]);
    const __m128i b45 = (__m128i)vec_unpack_lo32(high[0], high[1]), b67 = (__m128i)vec_unpack_hi32(high[0], high[1]);
    x[0] = (hight_vec)_mm_unpacklo_epi64(b01, b45);
    x[1] = (hight_vec)_mm_unpackhi_epi64(b01, b45);
    x[2] = (hight_vec)_mm_unpacklo_epi64(b23, b67);
    x[3] = (hight_vec)_mm_unpackhi_epi64(b23, b67);
}

INLINE void hight_put_few(uint8_t *out, const uint8_t *in, const hight_vec x[4], size_t nblocks, uint8_t *leftover)
{
    const hight_vec low[2] = {vec_unpack_lo8(x[0], x[1]), vec_unpack_lo8(x[2], x[3])};
    const hight_vec high[2] = {vec_unpack_hi8(x[0], x[1]), vec_unpack_hi8(x[2], x[3])};
    const hight_vec a[2] = {vec_unpack_lo16(low[0], low[1]), vec_unpack_hi16(low[0], low[1])};
    const hight_vec b[2] = {vec_unpack_lo16(high[0], high[1]), vec_unpack_hi16(high[0], high[1])};
    hight_vec y[4] = {vec_unpack_lo32(a[0], b[0]), vec_unpack_hi32(a[0], b[0]), vec_unpack_lo32(a[1], b[1]),
                      vec_unpack_hi32(a[1], b[1])};
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (!hight_put_register(out, in, y[i], i, nblocks, leftover))
            return;
}

#include "few.h"
#include "key.h"
#include "modes.h"
#include "cfb.h"

static const runnel_fused_functions hight_fused = {.cfb = hight_cfb};

const runnel_kernel runnel_hight_ssse3 = {
    .name = RUNNEL_TEXT("ssse3"),
    .citation = RUNNEL_TEXT("as avx2, a byte of 16 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_SSSE3,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks,
              .ctr32 = hight_ctr32,
              .ctr32_tail = hight_ctr32_tail,
              .fused = &hight_fused,
              RUNNEL_DECRYPTION(hight_set_key, hight_decrypt_blocks)},
};

#endif
