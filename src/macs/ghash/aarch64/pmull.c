/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH by PMULL: eight blocks, each times its own power of the key, per reduction. RBIT puts the bits in the order of
 * an ordinary polynomial, lowest coefficient first, so that x^128 is 0x87. */
#include "macs/ghash/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#define TARGET __attribute__((target("+crypto")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { MOST = RUNNEL_GHASH_POWERS };

/* A sum of unreduced products; the middle part overlaps half of each of the others. */
typedef struct products {
    uint64x2_t low, middle, high;
} products;

INLINE uint64x2_t product(uint64_t a, uint64_t b)
{
    return vreinterpretq_u64_p128(vmull_p64((poly64_t)a, (poly64_t)b));
}

INLINE void add_product(products *sum, uint64x2_t x, uint64x2_t y)
{
    const uint64_t x0 = vgetq_lane_u64(x, 0), x1 = vgetq_lane_u64(x, 1);
    const uint64_t y0 = vgetq_lane_u64(y, 0), y1 = vgetq_lane_u64(y, 1);
    sum->low = veorq_u64(sum->low, product(x0, y0));
    sum->middle = veorq_u64(sum->middle, veorq_u64(product(x0, y1), product(x1, y0)));
    sum->high = veorq_u64(sum->high, product(x1, y1));
}

INLINE uint64x2_t reduce(products sum)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    const uint64x2_t low = veorq_u64(sum.low, vextq_u64(zero, sum.middle, 1));
    const uint64x2_t high = veorq_u64(sum.high, vextq_u64(sum.middle, zero, 1));
    const uint64x2_t top = product(vgetq_lane_u64(high, 1), 0x87);
    const uint64_t next = vgetq_lane_u64(high, 0) ^ vgetq_lane_u64(top, 1);
    return veorq_u64(veorq_u64(low, vextq_u64(zero, top, 1)), product(next, 0x87));
}

INLINE uint64x2_t load(const uint8_t *p)
{
    return vreinterpretq_u64_u8(vrbitq_u8(vld1q_u8(p)));
}

/* In memory the sum has the form common to all kernels, its bytes swapped. */
INLINE uint8x16_t swap_bytes(uint8x16_t v)
{
    const uint8x16_t halves = vrev64q_u8(v);
    return vextq_u8(halves, halves, 8);
}

INLINE uint64x2_t power(const runnel_ghash_state *s, size_t n)
{
    return vreinterpretq_u64_u8(vld1q_u8(s->powers[MOST - n]));
}

TARGET static void make_powers(runnel_ghash_state *s, size_t n)
{
    const uint64x2_t one = power(s, 1), zero = vdupq_n_u64(0);
    for (; s->ready < n; s->ready++) {
        products sum = {zero, zero, zero};
        add_product(&sum, power(s, s->ready), one);
        vst1q_u8(s->powers[MOST - s->ready - 1], vreinterpretq_u8_u64(reduce(sum)));
    }
}

TARGET static void set_key(runnel_ghash_state *s, const uint8_t *key)
{
    vst1q_u8(s->powers[MOST - 1], vreinterpretq_u8_u64(load(key)));
    s->ready = 1;
    make_powers(s, 2);
}

TARGET static void absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    uint64x2_t y = vreinterpretq_u64_u8(vrbitq_u8(swap_bytes(vld1q_u8((const uint8_t *)s->y))));
    make_powers(s, nblocks < MOST ? nblocks : MOST);
    while (nblocks > 0) {
        size_t n = nblocks < MOST ? nblocks : MOST;
        nblocks -= n;
        products sum = {zero, zero, zero};
        for (; n > 0; n--, data += 16) {
            add_product(&sum, veorq_u64(y, load(data)), power(s, n));
            y = zero;
        }
        y = reduce(sum);
    }
    vst1q_u8((uint8_t *)s->y, swap_bytes(vrbitq_u8(vreinterpretq_u8_u64(y))));
}

const runnel_ghash_kernel runnel_ghash_pmull = {
    .name = RUNNEL_TEXT("pmull"),
    .citation = RUNNEL_TEXT("PMULL, 8 blocks to a reduction"),
    .cpu = RUNNEL_CPU_CLMUL,
    .key = set_key,
    .absorb = absorb,
};

#endif
