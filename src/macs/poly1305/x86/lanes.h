/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on x86 vector registers, written once for every width: LANES blocks at once, each in a 64-bit lane, in five
 * limbs of 26 bits (after Goll, Gueron: Vectorization of Poly1305, 2015). Each step multiplies all lanes by the factor
 * to the power of LANES; at the end every lane is multiplied by the power that its last block lacks, and they are
 * added.
 *
 * To be defined before: TARGET, VECTOR, LANES, and on 64-bit lanes LOAD, STORE, ADD, MULTIPLY (of low halves), AND, OR,
 * SHIFT_LEFT, SHIFT_RIGHT, REPEAT(word), LOW_HALVES(a, b), HIGH_HALVES(a, b): of each 128 bits of both. */
#include "arch/common/bytes.h"
#include "macs/poly1305/kernels.h"

#define LIMB_MASK 0x3ffffff

typedef struct limbs {
    uint64_t l[5];
} limbs;

typedef struct lanes {
    VECTOR l[5];
} lanes;

static inline limbs from_words(const uint32_t *w, uint32_t top)
{
    return (limbs){{w[0] & LIMB_MASK, ((uint64_t)w[1] << 32 | w[0]) >> 26 & LIMB_MASK,
                    ((uint64_t)w[2] << 32 | w[1]) >> 20 & LIMB_MASK, ((uint64_t)w[3] << 32 | w[2]) >> 14 & LIMB_MASK,
                    w[3] >> 8 | (uint64_t)top << 24}};
}

/* Every limb comes out below 2^26, except the first, which may be a little above. */
static inline void carry(limbs *x)
{
    for (unsigned i = 0; i < 4; i++) {
        x->l[i + 1] += x->l[i] >> 26;
        x->l[i] &= LIMB_MASK;
    }
    x->l[0] += (x->l[4] >> 26) * 5;
    x->l[4] &= LIMB_MASK;
    x->l[1] += x->l[0] >> 26;
    x->l[0] &= LIMB_MASK;
}

static limbs multiply_limbs(const limbs *a, const limbs *b)
{
    limbs sum;
    for (unsigned i = 0; i < 5; i++) {
        sum.l[i] = 0;
        for (unsigned j = 0; j < 5; j++)
            sum.l[i] += a->l[j] * (j <= i ? b->l[i - j] : 5 * b->l[5 + i - j]);
    }
    carry(&sum);
    return sum;
}

/* A factor and five times it, limb by limb. */
typedef struct factor {
    VECTOR r[5], five[5];
} factor;

TARGET RUNNEL_INLINE lanes multiply_lanes(const lanes *h, const factor *f)
{
    lanes d;
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
TARGET RUNNEL_INLINE lanes load_blocks(const uint8_t *data)
{
    const VECTOR a = LOAD(data), b = LOAD(data + 8 * LANES), mask = REPEAT(LIMB_MASK);
    const VECTOR low = LOW_HALVES(a, b), high = HIGH_HALVES(a, b);
    return (lanes){{AND(low, mask), AND(SHIFT_RIGHT(low, 26), mask),
                    AND(OR(SHIFT_RIGHT(low, 52), SHIFT_LEFT(high, 12)), mask), AND(SHIFT_RIGHT(high, 14), mask),
                    OR(SHIFT_RIGHT(high, 40), REPEAT(1 << 24))}};
}

TARGET RUNNEL_INLINE void add_lanes(lanes *h, const lanes *blocks)
{
    RUNNEL_UNROLL
    for (int i = 0; i < 5; i++)
        h->l[i] = ADD(h->l[i], blocks->l[i]);
}

/* nblocks is a multiple of LANES. */
TARGET static void absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    limbs powers[LANES + 1];
    uint64_t words[5][LANES];
    factor f;
    lanes h = load_blocks(data), next;
    powers[0] = from_words(c->h, c->h[4]);
    powers[1] = from_words(c->r, 0);
    for (unsigned i = 2; i <= LANES; i++)
        powers[i] = multiply_limbs(&powers[(i + 1) / 2], &powers[i / 2]);
    for (unsigned i = 0; i < 5; i++) { /* the sum so far goes with the first block */
        memset(words[0], 0, sizeof words[0]);
        words[0][0] = powers[0].l[i];
        h.l[i] = ADD(h.l[i], LOAD(words[0]));
        f.r[i] = REPEAT((long long)powers[LANES].l[i]);
        f.five[i] = REPEAT((long long)(5 * powers[LANES].l[i]));
    }
    for (nblocks -= LANES; nblocks > 0; nblocks -= LANES) {
        data += 16 * LANES;
        next = load_blocks(data);
        h = multiply_lanes(&h, &f);
        add_lanes(&h, &next);
    }
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned lane = 0; lane < LANES; lane++)
            words[i][lane] = powers[LANES - (lane / 2 + lane % 2 * (LANES / 2))].l[i];
        f.r[i] = LOAD(words[i]);
        f.five[i] = ADD(f.r[i], SHIFT_LEFT(f.r[i], 2));
    }
    h = multiply_lanes(&h, &f);
    limbs sum;
    for (unsigned i = 0; i < 5; i++) {
        STORE(words[i], h.l[i]);
        sum.l[i] = 0;
        for (unsigned lane = 0; lane < LANES; lane++)
            sum.l[i] += words[i][lane];
    }
    carry(&sum);
    uint64_t w = sum.l[0] + (sum.l[1] << 26);
    c->h[0] = (uint32_t)w;
    w = (w >> 32) + (sum.l[2] << 20);
    c->h[1] = (uint32_t)w;
    w = (w >> 32) + (sum.l[3] << 14);
    c->h[2] = (uint32_t)w;
    w = (w >> 32) + (sum.l[4] << 8);
    c->h[3] = (uint32_t)w;
    c->h[4] = (uint32_t)(w >> 32);
    runnel_wipe(powers, sizeof powers);
    runnel_wipe(words, sizeof words);
    runnel_wipe(&sum, sizeof sum);
    runnel_wipe(&f, sizeof f);
    _mm256_zeroupper();
}
