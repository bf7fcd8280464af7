/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* GHASH by PMULL: eight blocks, each times its own power of the key, per reduction. RBIT puts the bits in the order of
 * an ordinary polynomial, lowest coefficient first, so that x^128 is 0x87. */
#include "macs/ghash/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#define TARGET __attribute__((target("+crypto")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { GHASH_MOST = RUNNEL_GHASH_POWERS };

/* A sum of unreduced products; the middle part overlaps half of each of the others. */
typedef struct ghash_products {
    uint64x2_t low, middle, high;
} ghash_products;

INLINE uint64x2_t ghash_product(uint64_t a, uint64_t b)
{
    return vreinterpretq_u64_p128(vmull_p64((poly64_t)a, (poly64_t)b));
}

INLINE void ghash_add_product(ghash_products *sum, uint64x2_t x, uint64x2_t y)
{
    const uint64_t x0 = vgetq_lane_u64(x, 0), x1 = vgetq_lane_u64(x, 1);
    const uint64_t y0 = vgetq_lane_u64(y, 0), y1 = vgetq_lane_u64(y, 1);
    sum->low = veorq_u64(sum->low, ghash_product(x0, y0));
    sum->middle = veorq_u64(sum->middle, veorq_u64(ghash_product(x0, y1), ghash_product(x1, y0)));
    sum->high = veorq_u64(sum->high, ghash_product(x1, y1));
}

INLINE uint64x2_t ghash_reduce(ghash_products sum)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    const uint64x2_t low = veorq_u64(sum.low, vextq_u64(zero, sum.middle, 1));
    const uint64x2_t high = veorq_u64(sum.high, vextq_u64(sum.middle, zero, 1));
    const uint64x2_t top = ghash_product(vgetq_lane_u64(high, 1), 0x87);
    const uint64_t next = vgetq_lane_u64(high, 0) ^ vgetq_lane_u64(top, 1);
    return veorq_u64(veorq_u64(low, vextq_u64(zero, top, 1)), ghash_product(next, 0x87));
}

INLINE uint64x2_t ghash_load(const uint8_t *p)
{
    return vreinterpretq_u64_u8(vrbitq_u8(vld1q_u8(p)));
}

/* In memory the sum has the form common to all kernels, its bytes swapped. */
INLINE uint8x16_t ghash_swap_bytes(uint8x16_t v)
{
    const uint8x16_t halves = vrev64q_u8(v);
    return vextq_u8(halves, halves, 8);
}

INLINE uint64x2_t ghash_power(const runnel_ghash_state *s, size_t n)
{
    return vreinterpretq_u64_u8(vld1q_u8(s->powers[GHASH_MOST - n]));
}

TARGET static void ghash_make_powers(runnel_ghash_state *s, size_t n)
{
    const uint64x2_t one = ghash_power(s, 1), zero = vdupq_n_u64(0);
    for (; s->ready < n; s->ready++) {
        ghash_products sum = {zero, zero, zero};
        ghash_add_product(&sum, ghash_power(s, s->ready), one);
        vst1q_u8(s->powers[GHASH_MOST - s->ready - 1], vreinterpretq_u8_u64(ghash_reduce(sum)));
    }
}

TARGET static void ghash_set_key(runnel_ghash_state *s, const uint8_t *key)
{
    vst1q_u8(s->powers[GHASH_MOST - 1], vreinterpretq_u8_u64(ghash_load(key)));
    s->ready = 1;
    ghash_make_powers(s, 2);
}

TARGET static void ghash_absorb(runnel_ghash_state *s, const uint8_t *data, size_t nblocks)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    uint64x2_t y = vreinterpretq_u64_u8(vrbitq_u8(ghash_swap_bytes(vld1q_u8((const uint8_t *)s->y))));
    ghash_make_powers(s, nblocks < GHASH_MOST ? nblocks : GHASH_MOST);
    while (nblocks > 0) {
        size_t n = nblocks < GHASH_MOST ? nblocks : GHASH_MOST;
        nblocks -= n;
        ghash_products sum = {zero, zero, zero};
        for (; n > 0; n--, data += 16) {
            ghash_add_product(&sum, veorq_u64(y, ghash_load(data)), ghash_power(s, n));
            y = zero;
        }
        y = ghash_reduce(sum);
    }
    vst1q_u8((uint8_t *)s->y, ghash_swap_bytes(vrbitq_u8(vreinterpretq_u8_u64(y))));
}

const runnel_ghash_kernel runnel_ghash_pmull = {
    .name = RUNNEL_TEXT("pmull"),
    .citation = RUNNEL_TEXT("PMULL, 8 blocks to a reduction"),
    .cpu = RUNNEL_CPU_CLMUL,
    .key = ghash_set_key,
    .absorb = ghash_absorb,
};

#endif
