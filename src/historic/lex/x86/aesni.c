/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEX by the AES instructions: a round is one AESENC, and their chain determines the time. The output bytes are
 * extracted from four states at once in its shadow. */
#include "historic/lex/kernels.h"

#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("ssse3,sse4.1,aes")
#define UNROLLED _Pragma("GCC unroll 10")

TARGET RUNNEL_INLINE __m128i lex_load(const uint8_t *p)
{
    return _mm_loadu_si128((const void *)p);
}

/* The key expansion of AES-128. Four equal columns make ShiftRows of AESENCLAST do nothing. */
TARGET static void lex_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    static const uint8_t constants[LEX_ROUNDS] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};
    const __m128i last_word_rotated = _mm_set1_epi32(0x0c0f0e0d);
    uint8_t *keys = ((runnel_lex_state *)state)->keys;
    __m128i k = lex_load(key);
    (void)key_bytes;
    _mm_storeu_si128((void *)keys, k);
    for (unsigned i = 0; i < LEX_ROUNDS; i++) {
        const __m128i t = _mm_aesenclast_si128(_mm_shuffle_epi8(k, last_word_rotated), _mm_set1_epi32(constants[i]));
        k = _mm_xor_si128(k, _mm_slli_si128(k, 4));
        k = _mm_xor_si128(_mm_xor_si128(k, _mm_slli_si128(k, 8)), t);
        _mm_storeu_si128((void *)(keys + 16 + 16 * i), k);
    }
}

TARGET static void lex_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_lex_state *s = state;
    (void)iv_bytes;
    s->pair = 0;
    lex_load_iv(s->text, iv);
    __m128i text = _mm_xor_si128(lex_load(s->text), lex_load(s->keys));
    for (unsigned i = 1; i < LEX_ROUNDS; i++)
        text = _mm_aesenc_si128(text, lex_load(s->keys + 16 * i));
    text = _mm_aesenclast_si128(text, lex_load(s->keys + 16 * LEX_ROUNDS));
    _mm_storeu_si128((void *)s->text, text);
}

/* Rows 0 and 2 after an odd round, rows 1 and 3 after the next. */
TARGET RUNNEL_INLINE __m128i lex_rows(__m128i odd, __m128i even)
{
    const __m128i mask = _mm_set1_epi16(0x00ff);
    return _mm_or_si128(_mm_and_si128(odd, mask), _mm_andnot_si128(mask, even));
}

/* Columns 0 and 2 of the rows of two pairs of rounds, in the order of the keystream. */
TARGET RUNNEL_INLINE __m128i lex_leak(__m128i first, __m128i second)
{
    const __m128i order = _mm_setr_epi8(6, 2, 4, 0, 7, 3, 5, 1, 14, 10, 12, 8, 15, 11, 13, 9);
    const __m128 columns = _mm_shuffle_ps(_mm_castsi128_ps(first), _mm_castsi128_ps(second), _MM_SHUFFLE(2, 0, 2, 0));
    return _mm_shuffle_epi8(_mm_castps_si128(columns), order);
}

/* Two rounds and their output. */
TARGET static void lex_one_block(runnel_lex_state *s, uint8_t *out, const uint8_t *in)
{
    const uint8_t *key = s->keys + 16 + 32 * s->pair;
    const __m128i odd = _mm_aesenc_si128(lex_load(s->text), lex_load(key)),
                  text = _mm_aesenc_si128(odd, lex_load(key + 16));
    __m128i made = lex_rows(odd, text);
    made = lex_leak(made, made);
    if (in != NULL)
        made = _mm_xor_si128(made, _mm_loadl_epi64((const void *)in));
    _mm_storel_epi64((void *)out, made);
    _mm_storeu_si128((void *)s->text, text);
    s->pair = (uint8_t)(s->pair == LEX_PAIRS - 1 ? 0 : s->pair + 1);
}

/* All ten rounds, n times. */
TARGET static void lex_passes(runnel_lex_state *s, uint8_t *out, const uint8_t *in, size_t n)
{
    __m128i text = lex_load(s->text), k[LEX_ROUNDS], pair[LEX_PAIRS];
    UNROLLED
    for (unsigned i = 0; i < LEX_ROUNDS; i++)
        k[i] = lex_load(s->keys + 16 + 16 * i);
    for (; n > 0; n--) {
        UNROLLED
        for (unsigned i = 0; i < LEX_PAIRS; i++) {
            const __m128i odd = _mm_aesenc_si128(text, k[2 * i]);
            text = _mm_aesenc_si128(odd, k[2 * i + 1]);
            pair[i] = lex_rows(odd, text);
        }
        __m128i a = lex_leak(pair[0], pair[1]), b = lex_leak(pair[2], pair[3]), c = lex_leak(pair[4], pair[4]);
        if (in != NULL) {
            a = _mm_xor_si128(a, lex_load(in));
            b = _mm_xor_si128(b, lex_load(in + 16));
            c = _mm_xor_si128(c, _mm_loadl_epi64((const void *)(in + 32)));
            in += LEX_PAIRS * LEX_BLOCK;
        }
        _mm_storeu_si128((void *)out, a);
        _mm_storeu_si128((void *)(out + 16), b);
        _mm_storel_epi64((void *)(out + 32), c);
        out += LEX_PAIRS * LEX_BLOCK;
    }
    _mm_storeu_si128((void *)s->text, text);
}

TARGET static void lex_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_lex_state *s = state;
    (void)index;
    while (nblocks > 0) {
        size_t done = 1;
        if (s->pair == 0 && nblocks >= LEX_PAIRS) {
            done = nblocks - nblocks % LEX_PAIRS;
            lex_passes(s, out, in, done / LEX_PAIRS);
        } else {
            lex_one_block(s, out, in);
        }
        out += done * LEX_BLOCK;
        if (in != NULL)
            in += done * LEX_BLOCK;
        nblocks -= done;
    }
}

const runnel_kernel runnel_lex_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("own: one AESENC a round, the leaks of four rounds by one shuffle"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = lex_set_key,
    .stream = {.iv = lex_set_iv, .xor_blocks = lex_xor_blocks},
};

#endif
