/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium with the three registers side by side: the older words of all three in one vector, the newer ones in another,
 * so that windows at three places are two shifts by different counts. In general registers, thirty shifts for 64 steps
 * wait for the two units that shift; here it is ten, and what limits is the path from a word to the next one. The
 * includer, a kernel, defines TARGET, the instructions that it may use. */
#ifndef TRIVIUM_X86_VECTORS_H
#define TRIVIUM_X86_VECTORS_H

#include "arch/common/barrier.h"
#include "arch/x86/lanes.h"
#include "ciphers/trivium/kernels.h"

typedef runnel_longs256 trivium_vector;

/* The elements belong to a, c and b, in this order, which is that of two unpacks; the last one is empty. */
typedef struct trivium_registers {
    trivium_vector older, newer;
} trivium_registers;

/* Distances by which the older words are shifted right and the newer ones left, for windows that begin with a cell of
 * each register, 65 to 127, as in trivium.c. */
typedef struct trivium_window {
    RUNNEL_LINE_ALIGNED uint64_t right[4];
    uint64_t left[4];
} trivium_window;

#define WINDOW(a, b, c) {{128 - (a), 128 - (c), 128 - (b), 0}, {(a) - 64, (c) - 64, (b) - 64, 0}}
static const trivium_window trivium_windows[5] = {WINDOW(66, 69, 66), WINDOW(93, 84, 111), WINDOW(91, 82, 109),
                                                  WINDOW(92, 83, 110), WINDOW(69, 78, 87)};

TARGET RUNNEL_INLINE trivium_vector trivium_older(const trivium_registers *r, const trivium_window *w)
{
    return (trivium_vector)_mm256_srlv_epi64((__m256i)r->older, _mm256_load_si256((const void *)w->right));
}

TARGET RUNNEL_INLINE trivium_vector trivium_newer(const trivium_registers *r, const trivium_window *w)
{
    return (trivium_vector)_mm256_sllv_epi64((__m256i)r->newer, _mm256_load_si256((const void *)w->left));
}

/* 64 steps; returns what each register contributes to their keystream. */
TARGET RUNNEL_INLINE trivium_vector trivium_steps(trivium_registers *r)
{
    const trivium_window *w = trivium_windows;
    RUNNEL_VALUE_BARRIER(w); /* counts come from memory: as many registers would be spilled */
    const trivium_vector from =
        trivium_older(r, w) ^ trivium_older(r, w + 1) ^ (trivium_newer(r, w) ^ trivium_newer(r, w + 1));
    const trivium_vector to = from ^ ((trivium_older(r, w + 2) | trivium_newer(r, w + 2)) &
                                      (trivium_older(r, w + 3) | trivium_newer(r, w + 3)));
    const trivium_vector next =
        trivium_older(r, w + 4) ^ trivium_newer(r, w + 4) ^
        (trivium_vector)_mm256_permute4x64_epi64((__m256i)to, _MM_SHUFFLE(3, 0, 2, 1)); /* from c, b, a */
    r->older = r->newer;
    r->newer = next;
    return from;
}

TARGET RUNNEL_INLINE trivium_registers trivium_load(const runnel_trivium_registers *now)
{
    const __m256i ab = _mm256_loadu_si256((const void *)now->a);
    const __m256i c = _mm256_zextsi128_si256(_mm_loadu_si128((const void *)now->c));
    const trivium_registers r = {(trivium_vector)_mm256_unpacklo_epi64(ab, c),
                                 (trivium_vector)_mm256_unpackhi_epi64(ab, c)};
    return r;
}

TARGET RUNNEL_INLINE void trivium_store(runnel_trivium_registers *now, const trivium_registers *r)
{
    const __m256i older = (__m256i)r->older, newer = (__m256i)r->newer;
    _mm256_storeu_si256((void *)now->a, _mm256_unpacklo_epi64(older, newer));
    _mm_storeu_si128((void *)now->c, _mm256_castsi256_si128(_mm256_unpackhi_epi64(older, newer)));
}

/* The words of a register that 10 bytes fill from the end. */
static inline uint64_t trivium_older_word(const uint8_t *bytes)
{
    return (uint64_t)(bytes[0] | bytes[1] << 8) << 48;
}

static inline uint64_t trivium_newer_word(const uint8_t *bytes)
{
    return runnel_load64le(bytes + 2);
}

/* Straight into vectors where that can be: loads of what was just stored in parts wait for the stores. */
TARGET RUNNEL_INLINE trivium_registers trivium_loaded(runnel_trivium_state *state, const uint8_t *iv, size_t iv_bytes)
{
    if (iv_bytes != TRIVIUM_IV_MOST) {
        runnel_trivium_load(&state->now, state->key, iv, iv_bytes);
        return trivium_load(&state->now);
    }
    const trivium_registers r = {{trivium_older_word(state->key), (uint64_t)7 << 17, trivium_older_word(iv), 0},
                                 {trivium_newer_word(state->key), 0, trivium_newer_word(iv), 0}};
    return r;
}

TARGET static void trivium_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_trivium_state *state = states;
    trivium_registers r = trivium_loaded(state, iv, iv_bytes);
    for (unsigned i = 0; i < TRIVIUM_SETUP_STEPS / 64; i++)
        (void)trivium_steps(&r);
    trivium_store(&state->now, &r);
}

/* The keystream of 128 steps, from what the registers contribute. */
TARGET RUNNEL_INLINE __m128i trivium_keystream(trivium_vector first, trivium_vector second)
{
    const __m256i sum = _mm256_xor_si256(_mm256_unpacklo_epi64((__m256i)first, (__m256i)second),
                                         _mm256_unpackhi_epi64((__m256i)first, (__m256i)second));
    return _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
}

TARGET static void trivium_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_trivium_state *state = states;
    trivium_registers r = trivium_load(&state->now);
    (void)index;
    for (; nblocks >= 2; nblocks -= 2, out += 2 * TRIVIUM_BLOCK) {
        const trivium_vector first = trivium_steps(&r), second = trivium_steps(&r);
        __m128i bytes = trivium_keystream(first, second);
        if (in != NULL) {
            bytes = _mm_xor_si128(bytes, _mm_loadu_si128((const void *)in));
            in += 2 * TRIVIUM_BLOCK;
        }
        _mm_storeu_si128((void *)out, bytes);
    }
    if (nblocks > 0) {
        const trivium_vector last = trivium_steps(&r);
        runnel_xor64le(out, in, 0, (uint64_t)_mm_cvtsi128_si64(trivium_keystream(last, last)));
    }
    trivium_store(&state->now, &r);
}

#endif
