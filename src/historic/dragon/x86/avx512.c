/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon without secret addresses, with look-ups by permutations of registers. F works on three words at a time: its six
 * words are two vectors of three, and the twelve bytes of a vector are looked up together, in both tables. */
#include "historic/dragon/kernels.h"

#include "arch/x86/lookup_512.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_LOOKUP_512

/* G1 to G3 of three words, or H1 to H3; from_s2: which bytes the second table is for. */
TARGET RUNNEL_INLINE __m128i dragon_entries_of(__m128i words, __mmask16 from_s2)
{
    const __m512i bytes = _mm512_cvtepu8_epi32(words);
    const __m512i found = _mm512_mask_blend_epi32(from_s2, runnel_look_up_256(runnel_dragon_s1, bytes),
                                                  runnel_look_up_256(runnel_dragon_s2, bytes));
    const __m512i pairs = _mm512_xor_si512(found, _mm512_shuffle_epi32(found, (_MM_PERM_ENUM)_MM_SHUFFLE(2, 3, 0, 1)));
    const __m512i sums = _mm512_xor_si512(pairs, _mm512_shuffle_epi32(pairs, (_MM_PERM_ENUM)_MM_SHUFFLE(1, 0, 3, 2)));
    return _mm512_castsi512_si128(
        _mm512_maskz_permutexvar_epi32(7, _mm512_setr_epi32(0, 4, 8, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), sums));
}

/* Elements 0 to 2 in another order. */
#define MOVED(x, e2, e1, e0) _mm_shuffle_epi32(x, _MM_SHUFFLE(3, e2, e1, e0))

enum {
    DRAGON_G_FROM_S2 =
        0x421, /* G1, of word 0, takes byte 0 from the second table, G2, of word 1, byte 1, and G3 byte 2 */
    DRAGON_H_FROM_S2 = 0xfff ^ DRAGON_G_FROM_S2
};

/* The function F. */
TARGET RUNNEL_INLINE void dragon_mix(dragon_six *w)
{
    __m128i ace = _mm_setr_epi32((int)w->a, (int)w->c, (int)w->e, 0);
    __m128i bdf = _mm_setr_epi32((int)w->b, (int)w->d, (int)w->f, 0);
    bdf = _mm_xor_si128(bdf, ace);
    ace = _mm_add_epi32(ace, MOVED(bdf, 1, 0, 2)); /* a += f, c += b, e += d */
    bdf = _mm_xor_si128(
        bdf, MOVED(dragon_entries_of(ace, DRAGON_G_FROM_S2), 1, 0, 2)); /* b ^= G3(e), d ^= G1(a), f ^= G2(c) */
    ace = _mm_xor_si128(ace, dragon_entries_of(bdf, DRAGON_H_FROM_S2)); /* a ^= H1(b), c ^= H2(d), e ^= H3(f) */
    bdf = _mm_add_epi32(bdf, MOVED(ace, 1, 0, 2));                      /* b += e, d += a, f += c */
    ace = _mm_xor_si128(ace, MOVED(bdf, 1, 0, 2));                      /* a ^= f, c ^= b, e ^= d */
    w->a = (uint32_t)_mm_extract_epi32(ace, 0), w->c = (uint32_t)_mm_extract_epi32(ace, 1);
    w->e = (uint32_t)_mm_extract_epi32(ace, 2), w->b = (uint32_t)_mm_extract_epi32(bdf, 0);
    w->d = (uint32_t)_mm_extract_epi32(bdf, 1), w->f = (uint32_t)_mm_extract_epi32(bdf, 2);
}

#define DRAGON_MIX
#define DRAGON_TARGET TARGET
#include "historic/dragon/steps.h"

const runnel_kernel runnel_dragon_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("own: tables read in full by permutations of register pairs, three words at a time"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = dragon_set_key,
    .stream = {.iv = dragon_set_iv, .xor_blocks = dragon_xor_blocks},
};

#endif
