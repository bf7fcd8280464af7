/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH on x86 vector registers, written once for every width: products of LANES blocks at once, summed over as many
 * blocks as there are powers of the key before one reduction. For GHASH's own kernels, and for those of GCM.
 *
 * A block's bytes are swapped, so that its first bit, the coefficient of 1, is the highest: products of such mirrored
 * numbers come out one bit too low, and the powers of the key are kept times x for that. x^128 = x^7 + x^2 + x + 1 is
 * then multiplication of the low halves by 0xc2 << 56 (after Gueron, Kounavis; BoringSSL).
 *
 * The includer defines TARGET and includes the vectors of its width (arch/x86/blocks_128.h, blocks_256.h or
 * blocks_512.h). */
#ifndef GHASH_X86_MULTIPLY_H
#define GHASH_X86_MULTIPLY_H

#include <stddef.h>

#include "arch/common/barrier.h"
#include "arch/x86/target.h"
#include "macs/ghash/kernels.h"

#define LAST_POWER RUNNEL_GHASH_POWERS

/* The three products of a vector one behind the other: on AMD's processors each is microcode, before and after which
 * decoding pauses. Only instructions of three operands, which AVX has, leave what they multiply as it is. */
#if (LANES > 1 || defined(GHASH_THREE_OPERANDS)) && !defined(RUNNEL_NO_BARRIERS)
#define GHASH_IN_A_ROW 1
#else
#define GHASH_IN_A_ROW 0
#endif

TARGET RUNNEL_INLINE vector ghash_swap_bytes(vector v)
{
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return vector_shuffle_bytes(v, order);
}

/* A power of the key in each lane, and in each lower half the XOR of its halves. */
typedef struct ghash_power {
    vector power, halves;
} ghash_power;

/* A sum of unreduced products by Karatsuba's method: of the lower halves, of the sums of both, of the upper halves. A
 * product of halves takes as long as four rounds of AES on AMD's processors, and there is nothing else that takes as long. */
typedef struct ghash_products {
    vector low, middle, high;
} ghash_products;

TARGET RUNNEL_INLINE ghash_products ghash_no_products(void)
{
    const vector zero = vector_repeat(_mm_setzero_si128());
    return (ghash_products){zero, zero, zero};
}

TARGET RUNNEL_INLINE ghash_products ghash_product(vector x, ghash_power p)
{
    const vector halves = vector_xor(x, vector_swap_halves(x));
    ghash_products z;
#if GHASH_IN_A_ROW
    __asm__("vpclmulqdq $0x00, %[power], %[x], %[low]\n\t"
            "vpclmulqdq $0x00, %[power_halves], %[halves], %[middle]\n\t"
            "vpclmulqdq $0x11, %[power], %[x], %[high]"
            : [low] "=&v"(z.low), [middle] "=&v"(z.middle), [high] "=v"(z.high)
            : [x] "v"(x), [halves] "v"(halves), [power] "v"(p.power), [power_halves] "v"(p.halves));
#else
    z.low = vector_multiply_low_low(x, p.power);
    z.high = vector_multiply_high_high(x, p.power);
    z.middle = vector_multiply_low_low(halves, p.halves);
#endif
    return z;
}

/* Or gcc keeps all products of a group in memory, to add them up in another order at its end. */
TARGET RUNNEL_INLINE void ghash_add_in_turn(ghash_products *sum)
{
#ifndef RUNNEL_NO_BARRIERS
    __asm__("" : "+v"(sum->low), "+v"(sum->middle), "+v"(sum->high));
#else
    (void)sum;
#endif
}

TARGET RUNNEL_INLINE void ghash_add_product(ghash_products *sum, vector x, ghash_power p)
{
    const ghash_products z = ghash_product(x, p);
    sum->low = vector_xor(sum->low, z.low);
    sum->middle = vector_xor(sum->middle, z.middle);
    sum->high = vector_xor(sum->high, z.high);
    ghash_add_in_turn(sum);
}

TARGET RUNNEL_INLINE void ghash_add_two_products(ghash_products *sum, vector x, ghash_power x_power, vector y,
                                                 ghash_power y_power)
{
#if LANES == 4 /* an instruction adds both */
    const ghash_products a = ghash_product(x, x_power), b = ghash_product(y, y_power);
    sum->low = vector_xor3(sum->low, a.low, b.low);
    sum->middle = vector_xor3(sum->middle, a.middle, b.middle);
    sum->high = vector_xor3(sum->high, a.high, b.high);
    ghash_add_in_turn(sum);
#else
    ghash_add_product(sum, x, x_power);
    ghash_add_product(sum, y, y_power);
#endif
}

/* low + middle * x^64 + high * x^128 */
TARGET RUNNEL_INLINE vector ghash_reduce_parts(vector low, vector middle, vector high)
{
    const vector polynomial = vector_repeat(_mm_set_epi64x((long long)0xc200000000000000, 1));
    middle = vector_xor3(middle, vector_swap_halves(low), vector_multiply_high_low(polynomial, low));
    return vector_xor3(high, vector_swap_halves(middle), vector_multiply_high_low(polynomial, middle));
}

TARGET RUNNEL_INLINE vector ghash_reduce(ghash_products sum)
{
    return ghash_reduce_parts(sum.low, vector_xor3(sum.middle, sum.low, sum.high), sum.high);
}

/* With four products, which no sum of halves waits for: for single products. */
TARGET RUNNEL_INLINE vector ghash_multiply(vector x, vector power)
{
    return ghash_reduce_parts(vector_multiply_low_low(x, power),
                              vector_xor(vector_multiply_high_low(x, power), vector_multiply_low_high(x, power)),
                              vector_multiply_high_high(x, power));
}

/* Where the powers n, n - 1 … 1 of the key lie. */
static inline const uint8_t *ghash_powers_from(const runnel_ghash_state *s, size_t n)
{
    return s->powers[LAST_POWER - n];
}

enum { GHASH_TO_HALVES = offsetof(runnel_ghash_state, halves) - offsetof(runnel_ghash_state, powers) };

/* The powers that lie at `power`. */
TARGET RUNNEL_INLINE ghash_power ghash_load_power(const uint8_t *power)
{
    return (ghash_power){vector_load(power), vector_load(power + GHASH_TO_HALVES)};
}

/* The first of them, with zeros in the other lanes. */
TARGET RUNNEL_INLINE ghash_power ghash_load_first_power(const uint8_t *power)
{
    return (ghash_power){vector_first(_mm_loadu_si128((const void *)power)),
                         vector_first(_mm_loadu_si128((const void *)(power + GHASH_TO_HALVES)))};
}

TARGET RUNNEL_INLINE void ghash_store_power(uint8_t *to, vector power)
{
    vector_store(to, power);
    vector_store(to + GHASH_TO_HALVES, vector_xor(power, vector_swap_halves(power)));
}

TARGET RUNNEL_INLINE void ghash_store_one_power(uint8_t *to, __m128i power)
{
    _mm_storeu_si128((void *)to, power);
    _mm_storeu_si128((void *)(to + GHASH_TO_HALVES), _mm_xor_si128(power, _mm_shuffle_epi32(power, 0x4e)));
}

/* Eight powers from the first. Each squaring waits for the one before, and a vector that was stored in parts would not be
 * forwarded to a load: they stay in registers. */
TARGET RUNNEL_INLINE void ghash_make_eight_powers(runnel_ghash_state *s)
{
    const vector h = vector_repeat(_mm_loadu_si128((const void *)ghash_powers_from(s, 1))), h2 = ghash_multiply(h, h);
#if LANES == 4
    const vector alternate = _mm512_mask_blend_epi64(0xcc, h2, h), next = ghash_multiply(alternate, h2);
    const vector four = _mm512_mask_blend_epi64(0xf0, next, alternate);
    ghash_store_power(s->powers[LAST_POWER - 4], four);
    ghash_store_power(s->powers[LAST_POWER - 8], ghash_multiply(four, _mm512_shuffle_i64x2(next, next, 0)));
#elif LANES == 2
    const vector two = _mm256_blend_epi32(h2, h, 0xf0), next = ghash_multiply(two, h2);
    const vector h4 = _mm256_permute2x128_si256(next, next, 0);
    ghash_store_power(s->powers[LAST_POWER - 2], two);
    ghash_store_power(s->powers[LAST_POWER - 4], next);
    ghash_store_power(s->powers[LAST_POWER - 6], ghash_multiply(two, h4));
    ghash_store_power(s->powers[LAST_POWER - 8], ghash_multiply(next, h4));
#else
    const vector h3 = ghash_multiply(h, h2), h4 = ghash_multiply(h2, h2);
    ghash_store_power(s->powers[LAST_POWER - 2], h2);
    ghash_store_power(s->powers[LAST_POWER - 3], h3);
    ghash_store_power(s->powers[LAST_POWER - 4], h4);
    ghash_store_power(s->powers[LAST_POWER - 5], ghash_multiply(h, h4));
    ghash_store_power(s->powers[LAST_POWER - 6], ghash_multiply(h2, h4));
    ghash_store_power(s->powers[LAST_POWER - 7], ghash_multiply(h3, h4));
    ghash_store_power(s->powers[LAST_POWER - 8], ghash_multiply(h4, h4));
#endif
    s->ready = 8;
}

/* Makes powers until there are n: those up to `ready` times the highest of them are the next ones. From 4 on their number
 * is a multiple of 4, of whole vectors whatever the width, and never above what there is room for. */
TARGET static RUNNEL_NOINLINE void ghash_make_powers(runnel_ghash_state *s, size_t n)
{
    if (s->ready == 1 && n > 4)
        ghash_make_eight_powers(s);
    for (size_t ready = s->ready; ready < n;) {
        const size_t missing = (n - ready + 3) / 4 * 4, more = missing < ready ? missing : ready;
        const vector highest = vector_repeat(_mm_loadu_si128((const void *)ghash_powers_from(s, ready)));
        const uint8_t *p = ghash_powers_from(s, more);
        ready += more;
        uint8_t *q = s->powers[LAST_POWER - ready];
        if (more < LANES)
            for (size_t i = 0; i < more; i++)
                ghash_store_one_power(q + 16 * i,
                                      vector_sum_lanes(ghash_multiply(
                                          vector_first(_mm_loadu_si128((const void *)(p + 16 * i))), highest)));
        else
            for (size_t i = 0; i < more; i += LANES)
                ghash_store_power(q + 16 * i, ghash_multiply(vector_load(p + 16 * i), highest));
        s->ready = (uint32_t)ready;
    }
}

TARGET RUNNEL_INLINE __m128i ghash_load_sum(const runnel_ghash_state *s)
{
    return _mm_loadu_si128((const void *)s->y);
}

TARGET RUNNEL_INLINE void ghash_store_sum(runnel_ghash_state *s, __m128i y)
{
    _mm_storeu_si128((void *)s->y, y);
}

enum { GHASH_MOST_AT_ONCE = 16 * LANES }; /* powers worth computing */

/* The products of n <= GHASH_MOST_AT_ONCE blocks with the powers from n on; y is added to the first. */
TARGET RUNNEL_INLINE __m128i ghash_absorb_some(const runnel_ghash_state *s, __m128i y, const uint8_t *data, size_t n)
{
    const uint8_t *power = ghash_powers_from(s, n);
    ghash_products sum = ghash_no_products();
    vector first = vector_first(y);
    for (; n >= LANES; n -= LANES, data += VECTOR_BYTES, power += VECTOR_BYTES) {
        ghash_add_product(&sum, vector_xor(first, ghash_swap_bytes(vector_load(data))), ghash_load_power(power));
        first = vector_first(_mm_setzero_si128());
    }
    for (; LANES > 1 && n > 0; n--, data += 16, power += 16) {
        ghash_add_product(&sum, vector_xor(first, ghash_swap_bytes(vector_first(_mm_loadu_si128((const void *)data)))),
                          ghash_load_first_power(power));
        first = vector_first(_mm_setzero_si128());
    }
    return vector_sum_lanes(ghash_reduce(sum));
}

#endif
