/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK with AVX-512, whose instructions for any function of three words and for rotations make a round of IV
 * set-up 13 cycles long, of which 8 are waiting: the words of the one block are in the lowest elements of four registers. */
#include "arch/x86/target.h"
#include "ciphers/sosemanuk/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")

#define LOGIC(a, b, c, table) _mm_ternarylogic_epi32(a, b, c, table)
#define LOGIC128 LOGIC
#define LOGIC256(a, b, c, table) _mm256_ternarylogic_epi32(a, b, c, table)
#define XOR3(size, a, b, c) LOGIC##size(a, b, c, 0x96)
#define AND_OR(a, b, c) LOGIC256(a, b, c, 0xea)
#define S2(y0, y1, y2, y3) SERPENT_S2(__m256i, y0, y1, y2, y3)

#include "key.h"
#include "serpent_logic.h"
#include "stream.h"

/* A subkey's word in the lowest element. The others are never used, but lie within the subkeys: a load of the word alone
 * could not be part of another instruction. */
#define KEY(i) ((i) <= 96 ? _mm_loadu_si128((const void *)(k + (i))) : _mm_cvtsi32_si128((int)k[i]))

/* Round `number`: an S-box, Serpent's linear transformation and the next subkey. Words 0 and 2 are the last to be ready,
 * and wait for their rotations: their keys are added before, rotated the other way. */
#define ROUND(number, box)                                                                                             \
    do {                                                                                                               \
        box(y0, y1, y2, y3);                                                                                           \
        y0 = _mm_rol_epi32(y0, 13);                                                                                    \
        y2 = _mm_rol_epi32(y2, 3);                                                                                     \
        y1 = _mm_rol_epi32(XOR3(128, y1, y0, y2), 1);                                                                  \
        y3 = _mm_rol_epi32(XOR3(128, y3, y2, _mm_slli_epi32(y0, 3)), 7);                                               \
        y0 = XOR3(128, y0, y1, _mm_ror_epi32(KEY(4 * (number) + 4), 5));                                               \
        y2 = XOR3(128, y2, _mm_slli_epi32(y1, 7), _mm_ror_epi32(KEY(4 * (number) + 6), 22));                           \
        y0 = _mm_rol_epi32(_mm_xor_si128(y0, y3), 5);                                                                  \
        y2 = _mm_rol_epi32(_mm_xor_si128(y2, y3), 22);                                                                 \
        y1 = _mm_xor_si128(y1, KEY(4 * (number) + 5));                                                                 \
        y3 = _mm_xor_si128(y3, KEY(4 * (number) + 7));                                                                 \
    } while (0)

/* Half of the S-boxes each. */
#define FOUR_ROUNDS(number)                                                                                            \
    do {                                                                                                               \
        ROUND(number, SERPENT_LOGIC_S0);                                                                               \
        ROUND((number) + 1, SERPENT_LOGIC_S1);                                                                         \
        ROUND((number) + 2, SERPENT_LOGIC_S2);                                                                         \
        ROUND((number) + 3, SERPENT_LOGIC_S3);                                                                         \
    } while (0)
#define OTHER_FOUR_ROUNDS(number)                                                                                      \
    do {                                                                                                               \
        ROUND(number, SERPENT_LOGIC_S4);                                                                               \
        ROUND((number) + 1, SERPENT_LOGIC_S5);                                                                         \
        ROUND((number) + 2, SERPENT_LOGIC_S6);                                                                         \
        ROUND((number) + 3, SERPENT_LOGIC_S7);                                                                         \
    } while (0)

/* Four words of which the first is the lowest element of a. */
TARGET RUNNEL_INLINE __m128i sosemanuk_collect(__m128i a, __m128i b, __m128i c, __m128i d)
{
    return _mm_unpacklo_epi64(_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
}

/* As runnel_sosemanuk_set_iv. */
TARGET static void sosemanuk_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_sosemanuk_state *s = state;
    const uint32_t *k = s->subkeys;
    uint8_t padded[16] = {0};
    if (iv_bytes < sizeof padded) {
        if (iv_bytes > 0)
            memcpy(padded, iv, iv_bytes);
        iv = padded;
    }
    __m128i y0 = _mm_loadu_si128((const void *)iv);
    __m128i y1 = _mm_srli_si128(y0, 4), y2 = _mm_srli_si128(y0, 8), y3 = _mm_srli_si128(y0, 12);
    y0 = _mm_xor_si128(y0, KEY(0));
    y1 = _mm_xor_si128(y1, KEY(1));
    y2 = _mm_xor_si128(y2, KEY(2));
    y3 = _mm_xor_si128(y3, KEY(3));
    FOUR_ROUNDS(0);
    OTHER_FOUR_ROUNDS(4);
    FOUR_ROUNDS(8);
    _mm_storeu_si128((void *)(s->s + 6),
                     _mm_xor_si128(sosemanuk_collect(y3, y2, y1, y0), _mm_shuffle_epi32(KEY(48), 0x1b)));
    OTHER_FOUR_ROUNDS(12);
    ROUND(16, SERPENT_LOGIC_S0);
    ROUND(17, SERPENT_LOGIC_S1);
    const __m128i all = _mm_xor_si128(sosemanuk_collect(y0, y2, y1, y3), _mm_shuffle_epi32(KEY(72), 0xd8));
    _mm_storel_epi64((void *)&s->r1, all); /* and r2 */
    _mm_storel_epi64((void *)(s->s + 4), _mm_unpackhi_epi64(all, all));
    ROUND(18, SERPENT_LOGIC_S2);
    ROUND(19, SERPENT_LOGIC_S3);
    OTHER_FOUR_ROUNDS(20);
    _mm_storeu_si128((void *)s->s, sosemanuk_collect(y3, y2, y1, y0));
}

const runnel_kernel runnel_sosemanuk_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("own: as avx2, and Serpent's S-boxes as functions of three words"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = sosemanuk_set_key,
    .stream = {.iv = sosemanuk_set_iv, .xor_blocks = sosemanuk_xor_blocks, .xor_tail = sosemanuk_xor_tail},
    RUNNEL_BATCH_ON_X86_64(runnel_sosemanuk_batch_of_four)};

#endif
