/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH on x86 vector registers, written once for every width: products of LANES blocks at once, summed over as many
 * blocks as there are powers of the key before one reduction. For GHASH's own kernels, and for those of GCM.
 *
 * A block's bytes are swapped, so that its first bit, the coefficient of 1, is the highest: products of such mirrored
 * numbers come out one bit too low, and the powers of the key are kept times x for that. x^128 = x^7 + x^2 + x + 1 is
 * then multiplication of the low halves by 0xc2 << 56 (after Gueron, Kounavis; BoringSSL).
 *
 * To be defined before:
 *   TARGET, VECTOR, LANES      function attribute; type, and how many blocks it holds (1, 2 or 4)
 *   LOAD(p), STORE(p, v)       LANES blocks
 *   REPEAT_REGISTER(x)         16 bytes in every lane
 *   ONE(x)                     16 bytes in the first lane, zeros in the others
 *   XOR, XOR3, CLMUL, SHUFFLE_BYTES, SWAP_HALVES   on vectors; the last exchanges the 64-bit halves of each lane
 *   ADD_LANES(v)               the sum of the lanes, 16 bytes */
#include "macs/ghash/kernels.h"

#define LAST_POWER RUNNEL_GHASH_POWERS

TARGET RUNNEL_INLINE VECTOR swap_bytes(VECTOR v)
{
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return SHUFFLE_BYTES(v, REPEAT_REGISTER(order));
}

/* A sum of unreduced products: low, middle and high 128 bits, which overlap by halves. */
typedef struct products {
    VECTOR low, middle, high;
} products;

TARGET RUNNEL_INLINE products no_products(void)
{
    const VECTOR zero = REPEAT_REGISTER(_mm_setzero_si128());
    return (products){zero, zero, zero};
}

TARGET RUNNEL_INLINE void add_product(products *sum, VECTOR x, VECTOR power)
{
    sum->low = XOR(sum->low, CLMUL(x, power, 0x00));
    sum->middle = XOR3(sum->middle, CLMUL(x, power, 0x01), CLMUL(x, power, 0x10));
    sum->high = XOR(sum->high, CLMUL(x, power, 0x11));
}

TARGET RUNNEL_INLINE void add_two_products(products *sum, VECTOR x, VECTOR x_power, VECTOR y, VECTOR y_power)
{
#if LANES == 4 /* an instruction adds both */
    sum->low = XOR3(sum->low, CLMUL(x, x_power, 0x00), CLMUL(y, y_power, 0x00));
    sum->middle = XOR3(sum->middle, CLMUL(x, x_power, 0x01), CLMUL(x, x_power, 0x10));
    sum->middle = XOR3(sum->middle, CLMUL(y, y_power, 0x01), CLMUL(y, y_power, 0x10));
    sum->high = XOR3(sum->high, CLMUL(x, x_power, 0x11), CLMUL(y, y_power, 0x11));
#else
    add_product(sum, x, x_power);
    add_product(sum, y, y_power);
#endif
}

TARGET RUNNEL_INLINE VECTOR reduce(products sum)
{
    const VECTOR polynomial = REPEAT_REGISTER(_mm_set_epi64x((long long)0xc200000000000000, 1));
    const VECTOR middle = XOR3(sum.middle, SWAP_HALVES(sum.low), CLMUL(polynomial, sum.low, 0x01));
    return XOR3(sum.high, SWAP_HALVES(middle), CLMUL(polynomial, middle, 0x01));
}

TARGET RUNNEL_INLINE VECTOR multiply(VECTOR x, VECTOR power)
{
    products sum = no_products();
    add_product(&sum, x, power);
    return reduce(sum);
}

/* Where the powers n, n - 1 … 1 of the key lie. */
static inline const uint8_t *powers_from(const runnel_ghash_state *s, size_t n)
{
    return s->powers[LAST_POWER - n];
}

/* Eight powers from the first. Each squaring waits for the one before, and a vector that was stored in parts would not be
 * forwarded to a load: they stay in registers. */
TARGET RUNNEL_INLINE void make_eight_powers(runnel_ghash_state *s)
{
    const VECTOR h = REPEAT_REGISTER(_mm_loadu_si128((const void *)powers_from(s, 1))), h2 = multiply(h, h);
#define STORE_FROM(n, v) STORE(s->powers[LAST_POWER - (n)], v)
#if LANES == 4
    const VECTOR alternate = _mm512_mask_blend_epi64(0xcc, h2, h), next = multiply(alternate, h2);
    const VECTOR four = _mm512_mask_blend_epi64(0xf0, next, alternate);
    STORE_FROM(4, four);
    STORE_FROM(8, multiply(four, _mm512_shuffle_i64x2(next, next, 0)));
#elif LANES == 2
    const VECTOR two = _mm256_blend_epi32(h2, h, 0xf0), next = multiply(two, h2);
    const VECTOR h4 = _mm256_permute2x128_si256(next, next, 0);
    STORE_FROM(2, two);
    STORE_FROM(4, next);
    STORE_FROM(6, multiply(two, h4));
    STORE_FROM(8, multiply(next, h4));
#else
    const VECTOR h3 = multiply(h, h2), h4 = multiply(h2, h2);
    STORE_FROM(2, h2);
    STORE_FROM(3, h3);
    STORE_FROM(4, h4);
    STORE_FROM(5, multiply(h, h4));
    STORE_FROM(6, multiply(h2, h4));
    STORE_FROM(7, multiply(h3, h4));
    STORE_FROM(8, multiply(h4, h4));
#endif
    s->ready = 8;
}

/* Makes powers until there are n: those up to `ready` times the highest of them are the next ones. From 4 on their number
 * is a multiple of 4, of whole vectors whatever the width, and never above what there is room for. */
TARGET static __attribute__((noinline)) void make_powers(runnel_ghash_state *s, size_t n)
{
    if (s->ready == 1 && n > 4)
        make_eight_powers(s);
    for (size_t ready = s->ready; ready < n;) {
        const size_t missing = (n - ready + 3) / 4 * 4, more = missing < ready ? missing : ready;
        const VECTOR highest = REPEAT_REGISTER(_mm_loadu_si128((const void *)powers_from(s, ready)));
        const uint8_t *p = powers_from(s, more);
        ready += more;
        uint8_t *q = s->powers[LAST_POWER - ready];
        if (more < LANES)
            for (size_t i = 0; i < more; i++)
                _mm_storeu_si128((void *)(q + 16 * i),
                                 ADD_LANES(multiply(ONE(_mm_loadu_si128((const void *)(p + 16 * i))), highest)));
        else
            for (size_t i = 0; i < more; i += LANES)
                STORE(q + 16 * i, multiply(LOAD(p + 16 * i), highest));
        s->ready = (uint32_t)ready;
    }
}

TARGET RUNNEL_INLINE __m128i load_sum(const runnel_ghash_state *s)
{
    return _mm_loadu_si128((const void *)s->y);
}

TARGET RUNNEL_INLINE void store_sum(runnel_ghash_state *s, __m128i y)
{
    _mm_storeu_si128((void *)s->y, y);
}

enum { MOST_AT_ONCE = 16 * LANES }; /* powers worth computing */

/* The products of n <= MOST_AT_ONCE blocks with the powers from n on; y is added to the first. */
TARGET RUNNEL_INLINE __m128i absorb_some(const runnel_ghash_state *s, __m128i y, const uint8_t *data, size_t n)
{
    const uint8_t *power = powers_from(s, n);
    products sum = no_products();
    VECTOR first = ONE(y);
    for (; n >= LANES; n -= LANES, data += 16 * LANES, power += 16 * LANES) {
        add_product(&sum, XOR(first, swap_bytes(LOAD(data))), LOAD(power));
        first = ONE(_mm_setzero_si128());
    }
    for (; LANES > 1 && n > 0; n--, data += 16, power += 16) {
        add_product(&sum, XOR(first, swap_bytes(ONE(_mm_loadu_si128((const void *)data)))),
                    ONE(_mm_loadu_si128((const void *)power)));
        first = ONE(_mm_setzero_si128());
    }
    return ADD_LANES(reduce(sum));
}
