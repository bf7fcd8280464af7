/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK for eight streams at once: each word of the state is a vector, a stream in each element. What a
 * multiplication by alpha or its inverse adds is linear in the byte that is shifted out: the four bytes of four
 * consecutive words are collected in one vector, byte shuffles look up the products of their halves, and then the
 * bytes return to their words. Nothing is looked up in memory, so this is constant-time. */
#include "ciphers/sosemanuk/kernels.h"
#include "ciphers/sosemanuk/serpent.h"

#include "arch/x86/lanes.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum { SOSEMANUK_LANES = 8 };

typedef runnel_words256 sosemanuk_vector;

typedef struct sosemanuk_words {
    sosemanuk_vector s[10], r1, r2;
} sosemanuk_words;

/* Products of the values of half a byte, low halves in even rows, high ones in odd; two rows for each byte of the
 * product, from the lowest. */
static const uint8_t sosemanuk_by_alpha[8][16] = {
    {0x00, 0x13, 0x26, 0x35, 0x4c, 0x5f, 0x6a, 0x79, 0x98, 0x8b, 0xbe, 0xad, 0xd4, 0xc7, 0xf2, 0xe1},
    {0x00, 0x99, 0x9b, 0x02, 0x9f, 0x06, 0x04, 0x9d, 0x97, 0x0e, 0x0c, 0x95, 0x08, 0x91, 0x93, 0x0a},
    {0x00, 0xcf, 0x37, 0xf8, 0x6e, 0xa1, 0x59, 0x96, 0xdc, 0x13, 0xeb, 0x24, 0xb2, 0x7d, 0x85, 0x4a},
    {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff},
    {0x00, 0x9f, 0x97, 0x08, 0x87, 0x18, 0x10, 0x8f, 0xa7, 0x38, 0x30, 0xaf, 0x20, 0xbf, 0xb7, 0x28},
    {0x00, 0xe7, 0x67, 0x80, 0xce, 0x29, 0xa9, 0x4e, 0x35, 0xd2, 0x52, 0xb5, 0xfb, 0x1c, 0x9c, 0x7b},
    {0x00, 0xe1, 0x6b, 0x8a, 0xd6, 0x37, 0xbd, 0x5c, 0x05, 0xe4, 0x6e, 0x8f, 0xd3, 0x32, 0xb8, 0x59},
    {0x00, 0x0a, 0x14, 0x1e, 0x28, 0x22, 0x3c, 0x36, 0x50, 0x5a, 0x44, 0x4e, 0x78, 0x72, 0x6c, 0x66},
};
static const uint8_t sosemanuk_by_inverse[8][16] = {
    {0x00, 0xcd, 0x33, 0xfe, 0x66, 0xab, 0x55, 0x98, 0xcc, 0x01, 0xff, 0x32, 0xaa, 0x67, 0x99, 0x54},
    {0x00, 0x31, 0x62, 0x53, 0xc4, 0xf5, 0xa6, 0x97, 0x21, 0x10, 0x43, 0x72, 0xe5, 0xd4, 0x87, 0xb6},
    {0x00, 0x40, 0x80, 0xc0, 0xa9, 0xe9, 0x29, 0x69, 0xfb, 0xbb, 0x7b, 0x3b, 0x52, 0x12, 0xd2, 0x92},
    {0x00, 0x5f, 0xbe, 0xe1, 0xd5, 0x8a, 0x6b, 0x34, 0x03, 0x5c, 0xbd, 0xe2, 0xd6, 0x89, 0x68, 0x37},
    {0x00, 0x0f, 0x1e, 0x11, 0x3c, 0x33, 0x22, 0x2d, 0x78, 0x77, 0x66, 0x69, 0x44, 0x4b, 0x5a, 0x55},
    {0x00, 0xf0, 0x49, 0xb9, 0x92, 0x62, 0xdb, 0x2b, 0x8d, 0x7d, 0xc4, 0x34, 0x1f, 0xef, 0x56, 0xa6},
    {0x00, 0x18, 0x30, 0x28, 0x60, 0x78, 0x50, 0x48, 0xc0, 0xd8, 0xf0, 0xe8, 0xa0, 0xb8, 0x90, 0x88},
    {0x00, 0x29, 0x52, 0x7b, 0xa4, 0x8d, 0xf6, 0xdf, 0xe1, 0xc8, 0xb3, 0x9a, 0x45, 0x6c, 0x17, 0x3e},
};

TARGET RUNNEL_INLINE __m256i sosemanuk_row(const uint8_t bytes[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)bytes));
}

/* The low bytes of four words, those of the first word first. */
TARGET RUNNEL_INLINE __m256i sosemanuk_pack(sosemanuk_vector a, sosemanuk_vector b, sosemanuk_vector c,
                                            sosemanuk_vector d)
{
    return _mm256_packus_epi16(_mm256_packus_epi32((__m256i)a, (__m256i)b),
                               _mm256_packus_epi32((__m256i)c, (__m256i)d));
}

/* Byte number i of the products. */
TARGET RUNNEL_INLINE __m256i sosemanuk_product(const uint8_t rows[8][16], unsigned i, __m256i low, __m256i high)
{
    return _mm256_xor_si256(_mm256_shuffle_epi8(sosemanuk_row(rows[2 * i]), low),
                            _mm256_shuffle_epi8(sosemanuk_row(rows[2 * i + 1]), high));
}

/* The next four words of the shift register. */
TARGET RUNNEL_INLINE void sosemanuk_feed_back(const sosemanuk_vector s[10], sosemanuk_vector next[4])
{
    const __m256i halves = _mm256_set1_epi8(15);
    const __m256i out = sosemanuk_pack(s[0] >> 24, s[1] >> 24, s[2] >> 24, s[3] >> 24);
    const __m256i out_inverse = sosemanuk_pack(s[3] & 255, s[4] & 255, s[5] & 255, s[6] & 255);
    const __m256i low = _mm256_and_si256(out, halves);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(out, 4), halves);
    const __m256i low_inverse = _mm256_and_si256(out_inverse, halves);
    const __m256i high_inverse = _mm256_and_si256(_mm256_srli_epi16(out_inverse, 4), halves);
    __m256i bytes[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = _mm256_xor_si256(sosemanuk_product(sosemanuk_by_alpha, i, low, high),
                                    sosemanuk_product(sosemanuk_by_inverse, i, low_inverse, high_inverse));
    const __m256i low_first = _mm256_unpacklo_epi8(bytes[0], bytes[1]);
    const __m256i low_last = _mm256_unpackhi_epi8(bytes[0], bytes[1]);
    const __m256i high_first = _mm256_unpacklo_epi8(bytes[2], bytes[3]);
    const __m256i high_last = _mm256_unpackhi_epi8(bytes[2], bytes[3]);
    next[0] = s[9] ^ s[0] << 8 ^ s[3] >> 8 ^ (sosemanuk_vector)_mm256_unpacklo_epi16(low_first, high_first);
    next[1] = next[0] ^ s[1] << 8 ^ s[4] >> 8 ^ (sosemanuk_vector)_mm256_unpackhi_epi16(low_first, high_first);
    next[2] = next[1] ^ s[2] << 8 ^ s[5] >> 8 ^ (sosemanuk_vector)_mm256_unpacklo_epi16(low_last, high_last);
    next[3] = next[2] ^ s[3] << 8 ^ s[6] >> 8 ^ (sosemanuk_vector)_mm256_unpackhi_epi16(low_last, high_last);
}

/* b where the lowest bit of bits is set, else a. */
TARGET RUNNEL_INLINE sosemanuk_vector sosemanuk_choose(sosemanuk_vector a, sosemanuk_vector b, sosemanuk_vector bits)
{
    return (sosemanuk_vector)_mm256_blendv_ps((__m256)a, (__m256)b, (__m256)(bits << 31));
}

/* One step of the finite state machine; s1, s8, s9: words of the shift register, from the one that leaves next on. */
TARGET RUNNEL_INLINE sosemanuk_vector sosemanuk_step(sosemanuk_words *w, sosemanuk_vector s1, sosemanuk_vector s8,
                                                     sosemanuk_vector s9)
{
    const sosemanuk_vector old = w->r1, multiplied = old * SOSEMANUK_MULTIPLIER;
    w->r1 = w->r2 + sosemanuk_choose(s1, s1 ^ s8, old);
    w->r2 = RUNNEL_ROTL_WORDS(multiplied, 7);
    return (s9 + w->r1) ^ w->r2;
}

/* Four steps, and their block of each stream. */
TARGET RUNNEL_INLINE void sosemanuk_block(sosemanuk_words *w, uint8_t *const *out, const uint8_t *const *in, size_t at)
{
    sosemanuk_vector next[4];
    const sosemanuk_vector *s = w->s;
    sosemanuk_feed_back(s, next);
    sosemanuk_vector f0 = sosemanuk_step(w, s[1], s[8], s[9]), f1 = sosemanuk_step(w, s[2], s[9], next[0]);
    sosemanuk_vector f2 = sosemanuk_step(w, s[3], next[0], next[1]), f3 = sosemanuk_step(w, s[4], next[1], next[2]);
    SERPENT_S2(sosemanuk_vector, f0, f1, f2, f3);
    runnel_put_lanes(out, in, at, f0 ^ s[0], f1 ^ s[1], f2 ^ s[2], f3 ^ s[3]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 6; i++)
        w->s[i] = w->s[i + 4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        w->s[6 + i] = next[i];
}

#define AT(member) offsetof(runnel_sosemanuk_state, member)

/* r1 and r2 follow the shift register. */
TARGET RUNNEL_INLINE void sosemanuk_store(uint8_t *const states[SOSEMANUK_LANES], const sosemanuk_words *w)
{
    runnel_put_lanes(states, NULL, AT(s), w->s[0], w->s[1], w->s[2], w->s[3]);
    runnel_put_lanes(states, NULL, AT(s) + 16, w->s[4], w->s[5], w->s[6], w->s[7]);
    runnel_put_lanes(states, NULL, AT(s) + 32, w->s[8], w->s[9], w->r1, w->r2);
}

TARGET static void sosemanuk_xor_blocks(void *const *states, uint64_t index, uint8_t *const *out,
                                        const uint8_t *const *in, size_t nblocks)
{
    const uint8_t *const *from = (const uint8_t *const *)states;
    sosemanuk_words w;
    (void)index;
    runnel_get_lanes(from, AT(s), &w.s[0], &w.s[1], &w.s[2], &w.s[3]);
    runnel_get_lanes(from, AT(s) + 16, &w.s[4], &w.s[5], &w.s[6], &w.s[7]);
    runnel_get_lanes(from, AT(s) + 32, &w.s[8], &w.s[9], &w.r1, &w.r2);
    for (size_t at = 0; nblocks > 0; nblocks--, at += SOSEMANUK_BLOCK)
        sosemanuk_block(&w, out, in, at);
    sosemanuk_store((uint8_t *const *)states, &w);
}

TARGET RUNNEL_INLINE void sosemanuk_add_subkeys(sosemanuk_vector y[4], const uint8_t *const states[SOSEMANUK_LANES],
                                                unsigned round)
{
    sosemanuk_vector k0, k1, k2, k3;
    runnel_get_lanes(states, AT(subkeys) + 16 * round, &k0, &k1, &k2, &k3);
    y[0] ^= k0;
    y[1] ^= k1;
    y[2] ^= k2;
    y[3] ^= k3;
}

TARGET RUNNEL_INLINE void sosemanuk_transform(sosemanuk_vector y[4])
{
    const sosemanuk_vector y0 = RUNNEL_ROTL_WORDS(y[0], 13), y2 = RUNNEL_ROTL_WORDS(y[2], 3);
    const sosemanuk_vector x1 = y[1] ^ y0 ^ y2, x3 = y[3] ^ y2 ^ y0 << 3;
    const sosemanuk_vector y1 = RUNNEL_ROTL_WORDS(x1, 1), y3 = RUNNEL_ROTL_WORDS(x3, 7);
    const sosemanuk_vector x0 = y0 ^ y1 ^ y3, x2 = y2 ^ y3 ^ y1 << 7;
    y[0] = RUNNEL_ROTL_WORDS(x0, 5);
    y[1] = y1;
    y[2] = RUNNEL_ROTL_WORDS(x2, 22);
    y[3] = y3;
}

/* One round of Serpent, with its four subkeys of each stream. */
#define ROUND(number, box)                                                                                             \
    do {                                                                                                               \
        sosemanuk_add_subkeys(y, states, number);                                                                      \
        box(sosemanuk_vector, y[0], y[1], y[2], y[3]);                                                                 \
        sosemanuk_transform(y);                                                                                        \
    } while (0)

/* Four rounds, with the first or the other four of the S-boxes. */
TARGET static void sosemanuk_first_half(sosemanuk_vector y[4], const uint8_t *const states[SOSEMANUK_LANES],
                                        unsigned round)
{
    ROUND(round, SERPENT_S0);
    ROUND(round + 1, SERPENT_S1);
    ROUND(round + 2, SERPENT_S2);
    ROUND(round + 3, SERPENT_S3);
}

TARGET static void sosemanuk_second_half(sosemanuk_vector y[4], const uint8_t *const states[SOSEMANUK_LANES],
                                         unsigned round)
{
    ROUND(round, SERPENT_S4);
    ROUND(round + 1, SERPENT_S5);
    ROUND(round + 2, SERPENT_S6);
    ROUND(round + 3, SERPENT_S7);
}

/* As runnel_sosemanuk_set_iv: the state is what stands between rounds after the 12th, the 18th and the last. */
TARGET static void sosemanuk_set_ivs(void *const *all, const uint8_t *const *ivs, size_t iv_bytes)
{
    const uint8_t *const *states = (const uint8_t *const *)all;
    uint8_t padded[SOSEMANUK_LANES][16] = {{0}};
    const uint8_t *padded_ivs[SOSEMANUK_LANES];
    sosemanuk_vector y[4];
    sosemanuk_words w;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < SOSEMANUK_LANES; i++)
        padded_ivs[i] = memcpy(padded[i], ivs[i], iv_bytes);
    runnel_get_lanes(padded_ivs, 0, &y[0], &y[1], &y[2], &y[3]);
    sosemanuk_first_half(y, states, 0);
    sosemanuk_second_half(y, states, 4);
    sosemanuk_first_half(y, states, 8);
    w.s[6] = y[3];
    w.s[7] = y[2];
    w.s[8] = y[1];
    w.s[9] = y[0];
    sosemanuk_second_half(y, states, 12);
    ROUND(16, SERPENT_S0);
    ROUND(17, SERPENT_S1);
    w.r1 = y[0];
    w.s[4] = y[1];
    w.r2 = y[2];
    w.s[5] = y[3];
    ROUND(18, SERPENT_S2);
    ROUND(19, SERPENT_S3);
    sosemanuk_second_half(y, states, 20);
    sosemanuk_add_subkeys(y, states, 24);
    w.s[0] = y[3];
    w.s[1] = y[2];
    w.s[2] = y[1];
    w.s[3] = y[0];
    sosemanuk_store((uint8_t *const *)all, &w);
}

#define FUNCTIONS                                                                                                      \
    .cpu = RUNNEL_CPU_AVX2, .lanes = SOSEMANUK_LANES, .iv = sosemanuk_set_ivs, .xor_blocks = sosemanuk_xor_blocks

const runnel_batch runnel_sosemanuk_batch_avx2 = {FUNCTIONS, .min_streams_iv = 2, .min_streams_xor = 2};
const runnel_batch runnel_sosemanuk_batch_of_four = {FUNCTIONS, .min_streams_iv = 4, .min_streams_xor = 4};

#endif
