/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit in four 128-bit registers of two words each: words j and j + 4 of x, in the low halves of 64-bit lanes; what
 * stands in the high halves is never used. What limits Rabbit is the chain from one x to the next, and this arrangement
 * keeps it short: a register is squared as it is, its neighbours j - 1 and j - 2 are other registers, and where they
 * wrap round, exchanging the lanes and rotating within the words are one byte shuffle. The counters do not depend on x:
 * the integer units add them up, in 64-bit words, some steps ahead. */
#include "ciphers/rabbit/kernels.h"

#include "arch/common/barrier.h"
#include "arch/common/wipe.h"
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum {
    RABBIT_AHEAD = 16,     /* steps from a counter's store to its load */
    RABBIT_STEP_WORDS = 4, /* the counters of one step: c1:c0, c5:c4, c3:c2, c7:c6 */
    RABBIT_RING_WORDS = RABBIT_AHEAD * RABBIT_STEP_WORDS,
    RABBIT_BEHIND = RABBIT_STEP_WORDS + 1 /* words that are loaded behind those of the last step, and not used */
};

typedef struct rabbit_pairs {
    __m128i x04, x15, x26, x37;
} rabbit_pairs;

/* Byte shuffles. They are read through a pointer that the compiler knows nothing about: clang turns one into three
 * shuffles if it knows the bytes. */
typedef struct rabbit_shuffles {
    uint8_t rotate8[16], rotate16[16], exchange_rotate16[16];
    uint8_t mix[16]; /* x1 x5 x3 x7 into halves (high, low) x3 x5, x5 x7, x7 x1, x1 x3: low from high, high from low */
} rabbit_shuffles;

static const rabbit_shuffles rabbit_shuffle_bytes = {
    .rotate8 = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14},
    .rotate16 = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13},
    .exchange_rotate16 = {10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5},
    .mix = {6, 7, 8, 9, 14, 15, 4, 5, 2, 3, 12, 13, 10, 11, 0, 1},
};

RUNNEL_INLINE const rabbit_shuffles *rabbit_hidden_shuffles(void)
{
    const rabbit_shuffles *p = &rabbit_shuffle_bytes;
    RUNNEL_VALUE_BARRIER(p);
    return p;
}

TARGET RUNNEL_INLINE __m128i rabbit_shuffle(__m128i v, const uint8_t bytes[16])
{
    return _mm_shuffle_epi8(v, _mm_loadu_si128((const void *)bytes));
}

/* The low and the high half of the square, XORed. */
TARGET RUNNEL_INLINE __m128i rabbit_g(__m128i u)
{
    const __m128i square = _mm_mul_epu32(u, u);
    return _mm_xor_si128(square, _mm_srli_epi64(square, 32));
}

/* The counters of a step in the places of the words they are added to. The load includes four bytes of what follows in
 * the ring, and after the last step a step of zeros or a stale one: both are added to unused parts. */
TARGET RUNNEL_INLINE rabbit_pairs rabbit_load_counters(const unsigned long long *step_words)
{
    const uint8_t *p = (const uint8_t *)step_words;
    const rabbit_pairs c = {_mm_loadu_si128((const void *)p), _mm_loadu_si128((const void *)(p + 4)),
                            _mm_loadu_si128((const void *)(p + 16)), _mm_loadu_si128((const void *)(p + 20))};
    return c;
}

/* One step. u is x plus counters, before and after; returns x. The last sums of u are 64 bits wide, which changes
 * nothing in the low halves: compilers would otherwise add the counters to x, which is two additions late. */
TARGET RUNNEL_INLINE rabbit_pairs rabbit_step(rabbit_pairs *u, const unsigned long long *next_counters,
                                              const rabbit_shuffles *by)
{
    const rabbit_pairs c = rabbit_load_counters(next_counters);
    const __m128i g04 = rabbit_g(u->x04), g15 = rabbit_g(u->x15), g26 = rabbit_g(u->x26), g37 = rabbit_g(u->x37);
    const __m128i t04 =
        _mm_add_epi32(rabbit_shuffle(g37, by->exchange_rotate16), rabbit_shuffle(g26, by->exchange_rotate16));
    const __m128i t15 =
        _mm_add_epi32(rabbit_shuffle(g04, by->rotate8), _mm_shuffle_epi32(g37, _MM_SHUFFLE(1, 0, 3, 2)));
    const __m128i t26 = _mm_add_epi32(rabbit_shuffle(g15, by->rotate16), rabbit_shuffle(g04, by->rotate16));
    const __m128i t37 = _mm_add_epi32(rabbit_shuffle(g26, by->rotate8), g15);
    const rabbit_pairs x = {_mm_add_epi32(g04, t04), _mm_add_epi32(g15, t15), _mm_add_epi32(g26, t26),
                            _mm_add_epi32(g37, t37)};
    u->x04 = _mm_add_epi64(_mm_add_epi32(g04, c.x04), t04);
    u->x15 = _mm_add_epi64(_mm_add_epi32(g15, c.x15), t15);
    u->x26 = _mm_add_epi64(_mm_add_epi32(g26, c.x26), t26);
    u->x37 = _mm_add_epi64(_mm_add_epi32(g37, c.x37), t37);
    return x;
}

TARGET RUNNEL_INLINE __m128i rabbit_low_words(__m128i a, __m128i b)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(2, 0, 2, 0)));
}

/* The block of a state. */
TARGET RUNNEL_INLINE void rabbit_put_block(uint8_t *out, const uint8_t *in, rabbit_pairs x, const rabbit_shuffles *by)
{
    const __m128i even = _mm_blend_epi32(x.x04, _mm_slli_epi64(x.x26, 32), 0xa);
    const __m128i odd = rabbit_shuffle(rabbit_low_words(x.x15, x.x37), by->mix);
    __m128i s = _mm_xor_si128(even, odd);
    if (in != NULL)
        s = _mm_xor_si128(s, _mm_loadu_si128((const void *)in));
    _mm_storeu_si128((void *)out, s);
}

typedef struct rabbit_counters {
    unsigned long long c0, c1, c2, c3;
    unsigned char carry;
} rabbit_counters;

/* Moves the counters on by one step and keeps them. */
TARGET RUNNEL_INLINE void rabbit_count(rabbit_counters *c, unsigned long long *kept)
{
    unsigned char carry = _addcarry_u64(c->carry, c->c0, RABBIT_A0, &kept[0]);
    carry = _addcarry_u64(carry, c->c1, RABBIT_A1, &kept[2]);
    carry = _addcarry_u64(carry, c->c2, RABBIT_A2, &kept[1]);
    c->carry = _addcarry_u64(carry, c->c3, RABBIT_A3, &kept[3]);
    c->c0 = kept[0];
    c->c1 = kept[2];
    c->c2 = kept[1];
    c->c3 = kept[3];
}

TARGET RUNNEL_INLINE rabbit_counters rabbit_load_state_counters(const runnel_rabbit_state *s)
{
    const rabbit_counters c = {s->counters[0], s->counters[1], s->counters[2], s->counters[3], (unsigned char)s->carry};
    return c;
}

TARGET RUNNEL_INLINE void rabbit_store_state_counters(runnel_rabbit_state *s, rabbit_counters c)
{
    s->counters[0] = c.c0;
    s->counters[1] = c.c1;
    s->counters[2] = c.c2;
    s->counters[3] = c.c3;
    s->carry = c.carry;
}

/* The words loaded behind the last step are written, so that no tool finds that anything depends on it. */
TARGET RUNNEL_INLINE void rabbit_end_steps(unsigned long long *end)
{
    _mm256_storeu_si256((void *)end, _mm256_setzero_si256());
    end[RABBIT_STEP_WORDS] = 0;
}

TARGET RUNNEL_INLINE void rabbit_wipe_steps(unsigned long long *ring, size_t steps)
{
    for (size_t i = 0; i < steps; i++) /* step by step: for so little, a string instruction takes too long to start */
        runnel_wipe(ring + i * RABBIT_STEP_WORDS, RABBIT_STEP_WORDS * sizeof ring[0]);
}

/* In memory the words of x are in the order 0 4 1 5 2 6 3 7. */
TARGET RUNNEL_INLINE __m128i rabbit_load_pair(const uint32_t *words)
{
    return _mm_cvtepu32_epi64(_mm_loadl_epi64((const void *)words));
}

TARGET RUNNEL_INLINE rabbit_pairs rabbit_load(const runnel_rabbit_state *s)
{
    const rabbit_pairs x = {rabbit_load_pair(&s->x[0]), rabbit_load_pair(&s->x[2]), rabbit_load_pair(&s->x[4]),
                            rabbit_load_pair(&s->x[6])};
    return x;
}

TARGET RUNNEL_INLINE void rabbit_store(runnel_rabbit_state *s, rabbit_pairs x)
{
    _mm_storeu_si128((void *)&s->x[0], rabbit_low_words(x.x04, x.x15));
    _mm_storeu_si128((void *)&s->x[4], rabbit_low_words(x.x26, x.x37));
}

TARGET RUNNEL_INLINE rabbit_pairs rabbit_add(rabbit_pairs x, rabbit_pairs c)
{
    const rabbit_pairs u = {_mm_add_epi32(x.x04, c.x04), _mm_add_epi32(x.x15, c.x15), _mm_add_epi32(x.x26, c.x26),
                            _mm_add_epi32(x.x37, c.x37)};
    return u;
}

TARGET static void rabbit_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    uint32_t *x = ((runnel_rabbit_states *)states)->master.x;
    runnel_rabbit_set_key(states, key, key_bytes);
    const __m128i first = _mm_loadu_si128((const void *)x), second = _mm_loadu_si128((const void *)(x + 4));
    _mm_storeu_si128((void *)x, _mm_unpacklo_epi32(first, second));
    _mm_storeu_si128((void *)(x + 4), _mm_unpackhi_epi32(first, second));
}

TARGET static void rabbit_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_rabbit_states *both = states;
    runnel_rabbit_state *s = &both->now;
    const rabbit_shuffles *by = rabbit_hidden_shuffles();
    *s = both->master;
    if (iv_bytes == 0)
        return;
    unsigned long long ring[4 * RABBIT_STEP_WORDS + RABBIT_BEHIND];
    runnel_rabbit_mix_iv(s, iv);
    rabbit_counters c = rabbit_load_state_counters(s);
    for (unsigned i = 0; i < 4; i++)
        rabbit_count(&c, ring + i * RABBIT_STEP_WORDS);
    rabbit_end_steps(ring + 4 * RABBIT_STEP_WORDS);
    rabbit_pairs x = rabbit_load(s), u = rabbit_add(x, rabbit_load_counters(ring));
    for (unsigned i = 1; i <= 4; i++)
        x = rabbit_step(&u, ring + i * RABBIT_STEP_WORDS, by);
    rabbit_store(s, x);
    rabbit_store_state_counters(s, c);
    rabbit_wipe_steps(ring, 4);
}

TARGET RUNNEL_INLINE void rabbit_xor_all(runnel_rabbit_state *s, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const rabbit_shuffles *by = rabbit_hidden_shuffles();
    unsigned long long ring[RABBIT_RING_WORDS + RABBIT_BEHIND];
    const size_t kept = nblocks < RABBIT_AHEAD ? nblocks : RABBIT_AHEAD;
    size_t to_count = nblocks - kept, at = 0;
    rabbit_counters c = rabbit_load_state_counters(s);
    for (size_t i = 0; i < kept; i++)
        rabbit_count(&c, ring + i * RABBIT_STEP_WORDS);
    rabbit_end_steps(ring + kept * RABBIT_STEP_WORDS);
    rabbit_pairs x = rabbit_load(s), u = rabbit_add(x, rabbit_load_counters(ring));
    for (; nblocks > 0; nblocks--) {
        unsigned long long *here = ring + at;
        at = (at + RABBIT_STEP_WORDS) % RABBIT_RING_WORDS;
        x = rabbit_step(&u, ring + at, by);
        rabbit_put_block(out, in, x, by);
        if (to_count > 0) {
            rabbit_count(&c, here);
            to_count--;
        }
        out += RABBIT_BLOCK;
        if (in != NULL)
            in += RABBIT_BLOCK;
    }
    rabbit_store(s, x);
    rabbit_store_state_counters(s, c);
    rabbit_wipe_steps(ring, kept);
}

TARGET static void rabbit_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    if (in == NULL)
        rabbit_xor_all(&((runnel_rabbit_states *)states)->now, out, NULL, nblocks);
    else
        rabbit_xor_all(&((runnel_rabbit_states *)states)->now, out, in, nblocks);
}

const runnel_kernel runnel_rabbit_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("own: pairs of words in four registers, counters ahead in the integer units"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = rabbit_set_key,
    .stream = {.iv = rabbit_set_iv, .xor_blocks = rabbit_xor_blocks},
    .batch = &runnel_rabbit_batch_avx2,
};

#endif
