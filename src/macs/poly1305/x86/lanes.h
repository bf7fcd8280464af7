/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on x86 vector registers, written once for every width: LANES blocks at once, each in a 64-bit lane, in five
 * limbs of 26 bits (after Goll, Gueron: Vectorization of Poly1305, 2015), and two such sums side by side, because each
 * step of a sum depends on the one before. A step multiplies all lanes by the factor to the power of 2 * LANES; at the end
 * every lane is multiplied by the power that its last block lacks, and they are added.
 *
 * To be defined before: TARGET, VECTOR, LANES, and on 64-bit lanes LOAD, ADD, MULTIPLY (of low halves), AND, OR,
 * SHIFT_LEFT, SHIFT_RIGHT, REPEAT(word), FIRST(word) with zeros in the other lanes, ADD_UP(v) of all lanes, LAST_POWERS(i),
 * limb i of the power that each lane lacks, and LOW_HALVES(a, b), HIGH_HALVES(a, b) of each 128 bits of both. */
#include "arch/common/bytes.h"
#include "macs/poly1305/limbs.h"

typedef struct poly1305_lanes {
    VECTOR l[5];
} poly1305_lanes;

/* A factor and five times it, limb by limb. */
typedef struct poly1305_factor {
    VECTOR r[5], five[5];
} poly1305_factor;

TARGET RUNNEL_INLINE poly1305_lanes poly1305_multiply_lanes(const poly1305_lanes *h, const poly1305_factor *f)
{
    poly1305_lanes d;
#define TERM(i, j) MULTIPLY(h->l[j], (j) <= (i) ? f->r[((i) - (j) + 5) % 5] : f->five[((i) - (j) + 5) % 5])
#define SUM(i) ADD(ADD(ADD(TERM(i, 0), TERM(i, 1)), ADD(TERM(i, 2), TERM(i, 3))), TERM(i, 4))
    d.l[0] = SUM(0);
    d.l[1] = SUM(1);
    d.l[2] = SUM(2);
    d.l[3] = SUM(3);
    d.l[4] = SUM(4);
    const VECTOR mask = REPEAT(LIMB_MASK);
#define CARRY(from, to)                                                                                                \
    d.l[to] = ADD(d.l[to], SHIFT_RIGHT(d.l[from], 26));                                                                \
    d.l[from] = AND(d.l[from], mask);
    CARRY(0, 1)
    CARRY(3, 4)
    CARRY(1, 2)
    const VECTOR over = SHIFT_RIGHT(d.l[4], 26);
    d.l[0] = ADD(d.l[0], ADD(over, SHIFT_LEFT(over, 2)));
    d.l[4] = AND(d.l[4], mask);
    CARRY(2, 3)
    CARRY(0, 1)
    CARRY(3, 4)
    return d;
}

/* LANES blocks, each with the bit above it: lane 2 i has block i, lane 2 i + 1 block i + LANES / 2. */
TARGET RUNNEL_INLINE poly1305_lanes poly1305_load_blocks(const uint8_t *data)
{
    const VECTOR a = LOAD(data), b = LOAD(data + 8 * LANES), mask = REPEAT(LIMB_MASK);
    const VECTOR low = LOW_HALVES(a, b), high = HIGH_HALVES(a, b);
    return (poly1305_lanes){{AND(low, mask), AND(SHIFT_RIGHT(low, 26), mask),
                             AND(OR(SHIFT_RIGHT(low, 52), SHIFT_LEFT(high, 12)), mask),
                             AND(SHIFT_RIGHT(high, 14), mask), OR(SHIFT_RIGHT(high, 40), REPEAT(1 << 24))}};
}

TARGET RUNNEL_INLINE void poly1305_add_lanes(poly1305_lanes *h, const poly1305_lanes *blocks)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 5; i++)
        h->l[i] = ADD(h->l[i], blocks->l[i]);
}

TARGET RUNNEL_INLINE poly1305_factor poly1305_repeat_power(const poly1305_limbs *power)
{
    poly1305_factor f;
    RUNNEL_UNROLL
    for (int i = 0; i < 5; i++) {
        f.r[i] = REPEAT((long long)power->l[i]);
        f.five[i] = ADD(f.r[i], SHIFT_LEFT(f.r[i], 2));
    }
    return f;
}

static void poly1305_make_powers(runnel_poly1305 *c)
{
    poly1305_fill_powers(poly1305_powers_of(c), c->r, LANES);
}

/* nblocks is a multiple of 2 * LANES. */
TARGET static void poly1305_absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    const poly1305_limbs *powers = poly1305_powers_of(c), start = poly1305_from_words(c->h, c->h[4]);
    const poly1305_factor far = poly1305_repeat_power(&powers[0]);
    poly1305_lanes a = poly1305_load_blocks(data), b = poly1305_load_blocks(data + 16 * LANES), next;
    RUNNEL_UNROLL
    for (int i = 0; i < 5; i++) /* the sum so far goes with the first block */
        a.l[i] = ADD(a.l[i], FIRST(start.l[i]));
    for (nblocks -= 2 * LANES; nblocks > 0; nblocks -= 2 * LANES) {
        data += 32 * LANES;
        next = poly1305_load_blocks(data);
        a = poly1305_multiply_lanes(&a, &far);
        poly1305_add_lanes(&a, &next);
        next = poly1305_load_blocks(data + 16 * LANES);
        b = poly1305_multiply_lanes(&b, &far);
        poly1305_add_lanes(&b, &next);
    }
    const poly1305_factor once = poly1305_repeat_power(&powers[LANES]);
    a = poly1305_multiply_lanes(&a, &once);
    poly1305_add_lanes(&a, &b);
    poly1305_factor last;
    RUNNEL_UNROLL
    for (int i = 0; i < 5; i++) {
        last.r[i] = LAST_POWERS(i);
        last.five[i] = ADD(last.r[i], SHIFT_LEFT(last.r[i], 2));
    }
    a = poly1305_multiply_lanes(&a, &last);
    poly1305_limbs sum = {{ADD_UP(a.l[0]), ADD_UP(a.l[1]), ADD_UP(a.l[2]), ADD_UP(a.l[3]), ADD_UP(a.l[4])}};
    poly1305_store_words(c, &sum);
    _mm256_zeroupper();
}
