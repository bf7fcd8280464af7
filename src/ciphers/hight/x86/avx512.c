/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on 512-bit registers, 64 blocks in eight of them, F0 and F1 by GFNI: 12 instructions a round. */
#include "arch/common/bytes.h"
#include "arch/x86/words_old.h"
#include "few_avx512.h"
#include "gfni.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 64
#define SETS 2

typedef uint8_t hight_vec __attribute__((vector_size(64)));

typedef struct hight_tables {
    __m512i f0, f1; /* matrices */
} hight_tables;

INLINE hight_tables hight_get_tables(void)
{
    return (hight_tables){_mm512_set1_epi64((long long)F0_ROWS), _mm512_set1_epi64((long long)F1_ROWS)};
}

#define vec_f0(t, x) ((hight_vec)_mm512_gf2p8affine_epi64_epi8((__m512i)(x), (t)->f0, 0))
#define vec_f1(t, x) ((hight_vec)_mm512_gf2p8affine_epi64_epi8((__m512i)(x), (t)->f1, 0))
#define vec_broadcast(byte) ((hight_vec)_mm512_set1_epi8((char)(byte)))
#define vec_order_pairs(v)                                                                                             \
    ((hight_vec)_mm512_shuffle_epi8(                                                                                   \
        (__m512i)(v), _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15))))
#define vec_unpack_lo8(a, b) ((hight_vec)_mm512_unpacklo_epi8((__m512i)(a), (__m512i)(b)))
#define vec_unpack_hi8(a, b) ((hight_vec)_mm512_unpackhi_epi8((__m512i)(a), (__m512i)(b)))
#define vec_unpack_lo16(a, b) ((hight_vec)_mm512_unpacklo_epi16((__m512i)(a), (__m512i)(b)))
#define vec_unpack_hi16(a, b) ((hight_vec)_mm512_unpackhi_epi16((__m512i)(a), (__m512i)(b)))
#define vec_unpack_lo32(a, b) ((hight_vec)_mm512_unpacklo_epi32((__m512i)(a), (__m512i)(b)))
#define vec_unpack_hi32(a, b) ((hight_vec)_mm512_unpackhi_epi32((__m512i)(a), (__m512i)(b)))

/* A register of bytes has eight consecutive blocks, and the transposition stays inside the 128-bit parts. */
INLINE hight_vec hight_vec_lane_numbers(void)
{
    const __m512i first =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 8, 9, 16, 17, 24, 25, 32, 33, 40, 41, 48, 49, 56, 57));
    const __m512i part = (__m512i){0,
                                   0,
                                   0x202020202020202,
                                   0x202020202020202,
                                   0x404040404040404,
                                   0x404040404040404,
                                   0x606060606060606,
                                   0x606060606060606};
    return (hight_vec)_mm512_add_epi8(first, part);
}

#define FIRST_BLOCKS(blocks) ((__mmask8)((1u << (blocks)) - 1))
#define hight_vec_get(p, blocks) ((hight_vec)_mm512_maskz_loadu_epi64(FIRST_BLOCKS(blocks), (const void *)(p)))
#define hight_vec_put(p, v, blocks) _mm512_mask_storeu_epi64((void *)(p), FIRST_BLOCKS(blocks), (__m512i)(v))
#define hight_vec_block(v, number)                                                                                     \
    _mm512_castsi512_si128(_mm512_permutexvar_epi64(_mm512_set1_epi64((long long)(number)), (__m512i)(v)))

/* A round key four times: only words can be broadcast from memory without a shuffle. */
typedef uint32_t hight_round_key;
typedef struct hight_round_keys {
    RUNNEL_LINE_ALIGNED hight_round_key subkeys[128];
    hight_round_key whitening[16]; /* 8 of them */
} hight_round_keys;
#define vec_key(key) ((hight_vec)_mm512_set1_epi32((int)(key)))

INLINE void hight_spread(hight_round_key to[16], __m128i bytes)
{
    const __m512i places = _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                              _mm512_set1_epi32(0x01010101));
    _mm512_storeu_si512((void *)to, _mm512_shuffle_epi8(_mm512_broadcast_i32x4(bytes), places));
}

INLINE void hight_spread_keys(hight_round_keys *keys, const runnel_hight_schedule *schedule)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 128; i += 16)
        hight_spread(keys->subkeys + i, _mm_loadu_si128((const void *)(schedule->subkeys + i)));
    hight_spread(keys->whitening, _mm_loadl_epi64((const void *)schedule->whitening));
}

#define WITH_KEYS(keys, schedule)                                                                                      \
    hight_round_keys spread_out;                                                                                       \
    const hight_round_keys *const keys = &spread_out;                                                                  \
    hight_spread_keys(&spread_out, schedule);
#define FORGET_KEYS(keys) runnel_wipe(&spread_out, sizeof spread_out);

#include "rounds.h"

/* For few.h. */
#define vec_broadcast32(word) ((hight_vec)_mm512_set1_epi32((int)(word)))
#define vec_lookup(table, index) ((hight_vec)_mm512_shuffle_epi8((__m512i)(table), (__m512i)(index)))
#define vec_halves(low, high)                                                                                          \
    ((hight_vec)_mm512_mask_mov_epi8(_mm512_set1_epi8((char)(low)), 0xffffffff00000000, _mm512_set1_epi8((char)(high))))
#define vec_turn(v) ((hight_vec)_mm512_shuffle_i64x2((__m512i)(v), (__m512i)(v), 0x4e))

INLINE hight_vec hight_vec_few_numbers(void)
{
    const __m512i first =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27));
    const long long four = 0x404040404040404;
    return (hight_vec)_mm512_add_epi8(first, (__m512i){0, 0, four, four, 0, 0, four, four});
}

/* Up to 32 blocks. The first four bytes of each go to the first half, the others to the second. */
INLINE void hight_get_few(hight_vec x[4], const uint8_t *in, size_t nblocks)
{
    const __m512i split = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    const __m512i columns = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t n = nblocks > 8 * i ? hight_minimum(nblocks - 8 * i, 8) : 0;
        x[i] = vec_lookup(_mm512_permutexvar_epi32(split, (__m512i)hight_vec_get(in + 64 * i, n)), columns);
    }
    RUNNEL_TRANSPOSE_WORDS(hight_vec, __m512i, _mm512, x[0], x[1], x[2], x[3]);
}

INLINE void hight_put_few(uint8_t *out, const uint8_t *in, const hight_vec x[4], size_t nblocks, uint8_t *leftover)
{
    const __m512i unite = _mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    const hight_vec low[2] = {vec_unpack_lo8(x[0], x[1]), vec_unpack_lo8(x[2], x[3])};
    const hight_vec high[2] = {vec_unpack_hi8(x[0], x[1]), vec_unpack_hi8(x[2], x[3])};
    const hight_vec y[4] = {vec_unpack_lo16(low[0], low[1]), vec_unpack_hi16(low[0], low[1]),
                            vec_unpack_lo16(high[0], high[1]), vec_unpack_hi16(high[0], high[1])};
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        if (!hight_put_register(out, in, (hight_vec)_mm512_permutexvar_epi32(unite, (__m512i)y[i]), i, nblocks,
                                leftover))
            return;
}

#define TAKE_FEWER(total, call)                                                                                        \
    if ((total) <= RUNNEL_HIGHT_FEW) {                                                                                 \
        call;                                                                                                          \
        return;                                                                                                        \
    }
#include "few.h"
#include "key.h"
#include "modes.h"

const runnel_kernel runnel_hight_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("a byte of 64 blocks in a register, F0 and F1 as matrices by GFNI"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512 | RUNNEL_CPU_GFNI,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks,
              .ctr32 = hight_ctr32,
              .ctr32_tail = hight_ctr32_tail,
              .fused = {.cfb = runnel_hight_cfb_avx512},
              RUNNEL_DECRYPTION(hight_set_key, hight_decrypt_blocks)},
};

#endif
