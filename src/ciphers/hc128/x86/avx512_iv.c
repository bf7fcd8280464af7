/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* IV set-up of HC-128's AVX-512 kernel. All of it waits for itself, so what counts is the latency of the path from word to
 * word, and that nothing moves between elements on it. In the mixing each word depends on the one three before: three at a
 * time in a vector, which the next three need as it stands. Look-ups are by words 12 steps old, so four such vectors are
 * looked up together. */
#include "ciphers/hc128/x86/avx512.h"

#if RUNNEL_X86_64

#define TARGET HC128_AVX512

enum {
    HC128_GROUP = 3,  /* words of a vector, in its elements 1 to 3: so one shuffle makes a group of two neighbours */
    HC128_GROUPS = 4, /* in a batch */
    HC128_BATCH = HC128_GROUP * HC128_GROUPS,
    HC128_FRONT = 16 /* words before a table: element 0 of the first vector is one of them */
};

/* Operands of mixing a table: its words before they are mixed. */
typedef struct hc128_old_words {
    RUNNEL_LINE_ALIGNED uint32_t words[HC128_FRONT + HC128_TABLE + HC128_FRONT];
    uint32_t after[HC128_FRONT + HC128_TABLE + HC128_FRONT]; /* the word after each, rotated as z is */
} hc128_old_words;

TARGET RUNNEL_INLINE __m128i hc128_load(const uint32_t *p)
{
    return _mm_loadu_si128((const void *)p);
}

TARGET RUNNEL_INLINE void hc128_keep_old_words(hc128_old_words *old, const uint32_t *table, int is_q)
{
    for (unsigned i = 0; i < HC128_TABLE; i += 16) {
        const __m512i words = _mm512_loadu_si512(table + i);
        const __mmask16 all = i + 16 < HC128_TABLE ? 0xffff : 0x7fff; /* what is after the last word is not known yet */
        const __m512i after = _mm512_maskz_loadu_epi32(all, table + i + 1);
        _mm512_storeu_si512(old->words + HC128_FRONT + i, words);
        _mm512_storeu_si512(old->after + HC128_FRONT + i,
                            is_q ? _mm512_rol_epi32(after, 23) : _mm512_rol_epi32(after, 9));
    }
}

/* The groups of a batch. */
typedef struct hc128_batch {
    __m128i g0, g1, g2, g3;
} hc128_batch;

TARGET RUNNEL_INLINE __m512i hc128_all_of(const hc128_batch *b)
{
    const __m512i two = _mm512_inserti32x4(_mm512_castsi128_si512(b->g0), b->g1, 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(two, b->g2, 2), b->g3, 3);
}

/* A group before h is XORed in: x, the group before it; a and b, the fourth and the third before it, whose last word and
 * first two are y; at: element 0 of the group. */
TARGET RUNNEL_INLINE __m128i hc128_updated(const hc128_old_words *old, unsigned at, __m128i x, __m128i a, __m128i b,
                                           int is_q)
{
    const __m128i y =
        _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(2, 1, 3, 3)));
    const __m128i rotated_x = is_q ? _mm_rol_epi32(x, 10) : _mm_rol_epi32(x, 22);
    const __m128i rotated_y = is_q ? _mm_rol_epi32(y, 8) : _mm_rol_epi32(y, 24);
    return _mm_add_epi32(_mm_xor_si128(rotated_x, hc128_load(old->after + at)),
                         _mm_add_epi32(rotated_y, hc128_load(old->words + at)));
}

TARGET RUNNEL_INLINE void hc128_put_group(uint32_t *to, __m128i group, unsigned words)
{
    _mm_mask_storeu_epi32(to, (__mmask8)(((1u << words) - 1) << 1), group);
}

/* The next batch, from step j on; writes `words` of them. */
TARGET RUNNEL_INLINE void hc128_mix_batch(uint32_t *table, const uint32_t *other, const hc128_old_words *old,
                                          unsigned j, hc128_batch *b, unsigned words, int is_q)
{
    const __m512i found = hc128_look_up(other, hc128_all_of(b));
    const unsigned at = HC128_FRONT + j - 1;
    const hc128_batch last = *b;
    b->g0 = _mm_xor_si128(hc128_updated(old, at, last.g3, last.g0, last.g1, is_q), _mm512_castsi512_si128(found));
    b->g1 =
        _mm_xor_si128(hc128_updated(old, at + 3, b->g0, last.g1, last.g2, is_q), _mm512_extracti32x4_epi32(found, 1));
    b->g2 =
        _mm_xor_si128(hc128_updated(old, at + 6, b->g1, last.g2, last.g3, is_q), _mm512_extracti32x4_epi32(found, 2));
    hc128_put_group(table + j - 1, b->g0, 3);
    hc128_put_group(table + j + 2, b->g1, 3);
    hc128_put_group(table + j + 5, b->g2, words < 9 ? words - 6 : 3);
    if (words > 9) {
        b->g3 =
            _mm_xor_si128(hc128_updated(old, at + 9, b->g2, last.g3, b->g0, is_q), _mm512_extracti32x4_epi32(found, 3));
        hc128_put_group(table + j + 8, b->g3, 3);
    }
}

TARGET RUNNEL_INLINE void hc128_mix(uint32_t *table, const uint32_t *other, int is_q)
{
    enum { WHOLE = HC128_TABLE / HC128_BATCH * HC128_BATCH };
    hc128_old_words old;
    hc128_keep_old_words(&old, table, is_q);
    const uint32_t *last_words = old.words + HC128_FRONT + HC128_TABLE - HC128_BATCH - 1;
    hc128_batch b = {hc128_load(last_words), hc128_load(last_words + 3), hc128_load(last_words + 6),
                     hc128_load(last_words + 9)};
    hc128_mix_batch(table, other, &old, 0, &b, HC128_BATCH, is_q);
    old.after[HC128_FRONT + HC128_TABLE - 1] = runnel_rotl32(table[0], is_q ? 23 : 9);
    for (unsigned j = HC128_BATCH; j < WHOLE; j += HC128_BATCH)
        hc128_mix_batch(table, other, &old, j, &b, HC128_BATCH, is_q);
    hc128_mix_batch(table, other, &old, WHOLE, &b, HC128_TABLE - WHOLE, is_q);
    runnel_wipe(&old, sizeof old);
}

TARGET static void hc128_mix_p(uint32_t *p)
{
    hc128_mix(p, p + HC128_TABLE, 0);
}

TARGET static void hc128_mix_q(uint32_t *p)
{
    hc128_mix(p + HC128_TABLE, p, 1);
}

void runnel_hc128_set_iv_avx512(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_hc128_state *s = state;
    (void)iv_bytes;
    runnel_hc128_expand_fast(s, iv);
    hc128_mix_p(s->words);
    hc128_mix_q(s->words);
}

#endif
