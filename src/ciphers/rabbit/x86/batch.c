/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit for eight streams at once: each word of the state is a vector, a stream in each element. Squares are of 64
 * bits, so each takes two multiplications, for the even and the odd elements. The latency of one stream is hidden by
 * the others. The state is the AVX2 kernel's. */
#include "ciphers/rabbit/kernels.h"

#include "arch/x86/lanes.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum { RABBIT_LANES = 8 };

typedef runnel_words256 rabbit_vector;

typedef struct rabbit_words {
    rabbit_vector x[8], c[8];
    rabbit_vector no_carry; /* all ones where there was none out of c[7], else 0 */
} rabbit_words;

static const uint32_t rabbit_constants[8] = {0x4d34d34d, 0xd34d34d3, 0x34d34d34, 0x4d34d34d,
                                             0xd34d34d3, 0x34d34d34, 0x4d34d34d, 0xd34d34d3};

TARGET RUNNEL_INLINE rabbit_vector rabbit_rotate16(rabbit_vector v)
{
    const __m256i bytes = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5,
                                           10, 11, 8, 9, 14, 15, 12, 13);
    return (rabbit_vector)_mm256_shuffle_epi8((__m256i)v, bytes);
}

TARGET RUNNEL_INLINE rabbit_vector rabbit_rotate8(rabbit_vector v)
{
    const __m256i bytes = _mm256_setr_epi8(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14, 3, 0, 1, 2, 7, 4, 5, 6,
                                           11, 8, 9, 10, 15, 12, 13, 14);
    return (rabbit_vector)_mm256_shuffle_epi8((__m256i)v, bytes);
}

/* The low and the high half of the square, XORed. */
TARGET RUNNEL_INLINE rabbit_vector rabbit_g(rabbit_vector u)
{
    const __m256i even = (__m256i)u, odd = _mm256_srli_epi64(even, 32);
    const __m256i even_square = _mm256_mul_epu32(even, even), odd_square = _mm256_mul_epu32(odd, odd);
    const __m256i low = _mm256_blend_epi32(even_square, _mm256_slli_epi64(odd_square, 32), 0xaa);
    const __m256i high = _mm256_blend_epi32(_mm256_srli_epi64(even_square, 32), odd_square, 0xaa);
    return (rabbit_vector)_mm256_xor_si256(low, high);
}

/* The constants are never all ones, so constant + carry fits, and a sum is below it exactly if there is a carry. */
TARGET RUNNEL_INLINE void rabbit_count(rabbit_words *w)
{
    RUNNEL_UNROLL
    for (unsigned j = 0; j < 8; j++) {
        const rabbit_vector addend = rabbit_constants[j] + 1 + w->no_carry, sum = w->c[j] + addend;
        w->no_carry = (rabbit_vector)_mm256_cmpeq_epi32(_mm256_max_epu32((__m256i)sum, (__m256i)addend), (__m256i)sum);
        w->c[j] = sum;
    }
}

TARGET RUNNEL_INLINE void rabbit_next_state(rabbit_words *w)
{
    rabbit_vector v[8];
    rabbit_count(w);
    RUNNEL_UNROLL
    for (unsigned j = 0; j < 8; j++)
        v[j] = rabbit_g(w->x[j] + w->c[j]);
    RUNNEL_UNROLL
    for (unsigned j = 0; j < 8; j += 2) {
        w->x[j] = v[j] + rabbit_rotate16(v[(j + 7) % 8]) + rabbit_rotate16(v[(j + 6) % 8]);
        w->x[j + 1] = v[j + 1] + rabbit_rotate8(v[j]) + v[(j + 7) % 8];
    }
}

#define AT(member) offsetof(runnel_rabbit_state, member)

/* In memory the words of x are in the order 0 4 1 5 2 6 3 7. */
TARGET RUNNEL_INLINE void rabbit_load(rabbit_words *w, const uint8_t *const states[RABBIT_LANES])
{
    uint32_t no_carry[RABBIT_LANES];
    runnel_get_lanes(states, AT(x), &w->x[0], &w->x[4], &w->x[1], &w->x[5]);
    runnel_get_lanes(states, AT(x) + 16, &w->x[2], &w->x[6], &w->x[3], &w->x[7]);
    runnel_get_lanes(states, AT(counters), &w->c[0], &w->c[1], &w->c[2], &w->c[3]);
    runnel_get_lanes(states, AT(counters) + 16, &w->c[4], &w->c[5], &w->c[6], &w->c[7]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < RABBIT_LANES; i++)
        no_carry[i] = (uint32_t)states[i][AT(carry)] - 1;
    w->no_carry = (rabbit_vector)_mm256_loadu_si256((const void *)no_carry);
}

TARGET RUNNEL_INLINE void rabbit_store(uint8_t *const states[RABBIT_LANES], const rabbit_words *w)
{
    runnel_put_lanes(states, NULL, AT(x), w->x[0], w->x[4], w->x[1], w->x[5]);
    runnel_put_lanes(states, NULL, AT(x) + 16, w->x[2], w->x[6], w->x[3], w->x[7]);
    runnel_put_lanes(states, NULL, AT(counters), w->c[0], w->c[1], w->c[2], w->c[3]);
    runnel_put_lanes(states, NULL, AT(counters) + 16, w->c[4], w->c[5], w->c[6], w->c[7]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < RABBIT_LANES; i++)
        states[i][AT(carry)] = (uint8_t)(w->no_carry[i] + 1);
}

TARGET static void rabbit_set_ivs(void *const *states, const uint8_t *const *ivs, size_t iv_bytes)
{
    uint8_t *now[RABBIT_LANES];
    rabbit_words w;
    (void)iv_bytes;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < RABBIT_LANES; i++) {
        runnel_rabbit_states *both = states[i];
        now[i] = (uint8_t *)&both->now;
        both->now = both->master;
        runnel_rabbit_mix_iv(&both->now, ivs[i]);
    }
    rabbit_load(&w, (const uint8_t *const *)now);
    for (unsigned i = 0; i < 4; i++)
        rabbit_next_state(&w);
    rabbit_store(now, &w);
}

/* The words b >> 16 | c << 16. */
TARGET RUNNEL_INLINE rabbit_vector rabbit_halves(rabbit_vector b, rabbit_vector c)
{
    return (rabbit_vector)_mm256_blend_epi16((__m256i)(b >> 16), (__m256i)(c << 16), 0xaa);
}

TARGET static void rabbit_xor_blocks(void *const *states, uint64_t index, uint8_t *const *out, const uint8_t *const *in,
                                     size_t nblocks)
{
    uint8_t *now[RABBIT_LANES];
    rabbit_words w;
    (void)index;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < RABBIT_LANES; i++)
        now[i] = (uint8_t *)&((runnel_rabbit_states *)states[i])->now;
    rabbit_load(&w, (const uint8_t *const *)now);
    for (size_t at = 0; nblocks > 0; nblocks--, at += RABBIT_BLOCK) {
        rabbit_next_state(&w);
        const rabbit_vector *x = w.x;
        runnel_put_lanes(out, in, at, x[0] ^ rabbit_halves(x[5], x[3]), x[2] ^ rabbit_halves(x[7], x[5]),
                         x[4] ^ rabbit_halves(x[1], x[7]), x[6] ^ rabbit_halves(x[3], x[1]));
    }
    rabbit_store(now, &w);
}

const runnel_batch runnel_rabbit_batch_avx2 = {
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = RABBIT_LANES,
    .min_streams_iv = 6,
    .min_streams_xor = 5,
    .iv = rabbit_set_ivs,
    .xor_blocks = rabbit_xor_blocks,
};

#endif
