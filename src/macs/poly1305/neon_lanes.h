/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on NEON, for AArch64 and Armv7-A: four blocks in the elements of five vectors, a limb of 26 bits each, and two
 * such sums side by side, because each step of a sum depends on the one before. A step multiplies by the factor to the
 * power of eight; at the end each element is multiplied by the power that its last block lacks. The includer has
 * <arm_neon.h>. */
#include "arch/common/bytes.h"
#include "macs/poly1305/limbs.h"

enum { GROUP = 4 };

typedef struct lanes {
    uint32x4_t l[5];
} lanes;

/* A factor and five times it, limb by limb. */
typedef struct factor {
    uint32x4_t r[5], five[5];
} factor;

/* Products of the lower and of the upper two blocks. */
typedef struct pairs {
    uint64x2_t low, high;
} pairs;

#if defined(__aarch64__) /* which has products of upper halves: gcc does not find them */
#define MULTIPLY_HIGH(a, b) vmull_high_u32(a, b)
#define MULTIPLY_ADD_HIGH(sum, a, b) vmlal_high_u32(sum, a, b)
#else
#define MULTIPLY_HIGH(a, b) vmull_u32(vget_high_u32(a), vget_high_u32(b))
#define MULTIPLY_ADD_HIGH(sum, a, b) vmlal_u32(sum, vget_high_u32(a), vget_high_u32(b))
#endif

RUNNEL_INLINE pairs first_product(uint32x4_t a, uint32x4_t b)
{
    return (pairs){vmull_u32(vget_low_u32(a), vget_low_u32(b)), MULTIPLY_HIGH(a, b)};
}

RUNNEL_INLINE void add_product(pairs *sum, uint32x4_t a, uint32x4_t b)
{
    sum->low = vmlal_u32(sum->low, vget_low_u32(a), vget_low_u32(b));
    sum->high = MULTIPLY_ADD_HIGH(sum->high, a, b);
}

/* to += from / 2^26 */
RUNNEL_INLINE void carry_pairs(pairs *to, const pairs *from)
{
    to->low = vsraq_n_u64(to->low, from->low, 26);
    to->high = vsraq_n_u64(to->high, from->high, 26);
}

RUNNEL_INLINE uint32x4_t above_limb(const pairs *d)
{
    return vcombine_u32(vshrn_n_u64(d->low, 26), vshrn_n_u64(d->high, 26));
}

RUNNEL_INLINE uint32x4_t limb_of(const pairs *d)
{
    return vandq_u32(vcombine_u32(vmovn_u64(d->low), vmovn_u64(d->high)), vdupq_n_u32(LIMB_MASK));
}

/* Limbs of h below 2^27 + 2^7, those of the factor below 2^26 + 2^7. What stands above a limb of a sum then has 32 bits at
 * most, also five times what stands above the last one, which has no fivefold products in it: from there on carries are
 * 32-bit. The limbs that come out are below 2^26 + 2^7. */
RUNNEL_INLINE lanes multiply_lanes(const lanes *h, const factor *f)
{
    const uint32x4_t mask = vdupq_n_u32(LIMB_MASK);
    pairs d0 = first_product(h->l[0], f->r[0]), d1 = first_product(h->l[0], f->r[1]);
    pairs d2 = first_product(h->l[0], f->r[2]), d3 = first_product(h->l[0], f->r[3]);
    pairs d4 = first_product(h->l[0], f->r[4]);
#define ROW(j, f0, f1, f2, f3, f4)                                                                                     \
    add_product(&d0, h->l[j], f0);                                                                                     \
    add_product(&d1, h->l[j], f1);                                                                                     \
    add_product(&d2, h->l[j], f2);                                                                                     \
    add_product(&d3, h->l[j], f3);                                                                                     \
    add_product(&d4, h->l[j], f4);
    ROW(1, f->five[4], f->r[0], f->r[1], f->r[2], f->r[3])
    ROW(2, f->five[3], f->five[4], f->r[0], f->r[1], f->r[2])
    ROW(3, f->five[2], f->five[3], f->five[4], f->r[0], f->r[1])
    ROW(4, f->five[1], f->five[2], f->five[3], f->five[4], f->r[0])
#undef ROW
    carry_pairs(&d1, &d0);
    carry_pairs(&d4, &d3);
    carry_pairs(&d2, &d1);
    const uint32x4_t over = above_limb(&d4);
    uint32x4_t l0 = vaddq_u32(limb_of(&d0), vaddq_u32(over, vshlq_n_u32(over, 2)));
    uint32x4_t l3 = vaddq_u32(limb_of(&d3), above_limb(&d2));
    const uint32x4_t l1 = vsraq_n_u32(limb_of(&d1), l0, 26), l4 = vsraq_n_u32(limb_of(&d4), l3, 26);
    return (lanes){{vandq_u32(l0, mask), l1, limb_of(&d2), vandq_u32(l3, mask), l4}};
}

/* h + four blocks, each with the bit above it. */
RUNNEL_INLINE lanes add_blocks(const lanes *h, const uint8_t *data)
{
    const uint32x4_t mask = vdupq_n_u32(LIMB_MASK);
    const uint32x4x4_t w = vld4q_u32((const void *)data);
    const uint32x4_t l1 = vsliq_n_u32(vshrq_n_u32(w.val[0], 26), w.val[1], 6);
    const uint32x4_t l2 = vsliq_n_u32(vshrq_n_u32(w.val[1], 20), w.val[2], 12);
    const uint32x4_t l3 = vsliq_n_u32(vshrq_n_u32(w.val[2], 14), w.val[3], 18);
    const uint32x4_t l4 = vorrq_u32(vshrq_n_u32(w.val[3], 8), vdupq_n_u32(1 << 24));
    return (lanes){{vaddq_u32(h->l[0], vandq_u32(w.val[0], mask)), vaddq_u32(h->l[1], vandq_u32(l1, mask)),
                    vaddq_u32(h->l[2], vandq_u32(l2, mask)), vaddq_u32(h->l[3], vandq_u32(l3, mask)),
                    vaddq_u32(h->l[4], l4)}};
}

/* a + b, carried, because limbs of 2^27 + 2^26 would be too large for a product. */
RUNNEL_INLINE lanes add_lanes(const lanes *a, const lanes *b)
{
    const uint32x4_t mask = vdupq_n_u32(LIMB_MASK);
    uint32x4_t sum[5];
    for (unsigned i = 0; i < 5; i++)
        sum[i] = vaddq_u32(a->l[i], b->l[i]);
    const uint32x4_t over = vshrq_n_u32(sum[4], 26);
    lanes carried = {{vaddq_u32(vandq_u32(sum[0], mask), vaddq_u32(over, vshlq_n_u32(over, 2)))}};
    for (unsigned i = 1; i < 5; i++)
        carried.l[i] = vsraq_n_u32(vandq_u32(sum[i], mask), sum[i - 1], 26);
    return carried;
}

/* The same factor for all blocks, or for block i the power 4 - i. */
RUNNEL_INLINE factor repeat_power(const limbs *power)
{
    factor f;
    for (unsigned i = 0; i < 5; i++) {
        f.r[i] = vdupq_n_u32((uint32_t)power->l[i]);
        f.five[i] = vaddq_u32(f.r[i], vshlq_n_u32(f.r[i], 2));
    }
    return f;
}

RUNNEL_INLINE factor last_powers(const limbs *powers)
{
    factor f;
    for (unsigned i = 0; i < 5; i++) {
        const uint32_t words[4] = {(uint32_t)powers[4].l[i], (uint32_t)powers[3].l[i], (uint32_t)powers[2].l[i],
                                   (uint32_t)powers[1].l[i]};
        f.r[i] = vld1q_u32(words);
        f.five[i] = vaddq_u32(f.r[i], vshlq_n_u32(f.r[i], 2));
    }
    return f;
}

static void make_powers(runnel_poly1305 *c)
{
    fill_powers(powers_of(c), c->r, GROUP);
}

/* nblocks is a multiple of 4, and 8 at least. */
static void absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    const limbs *powers = powers_of(c), start = from_words(c->h, c->h[4]);
    limbs sum;
    factor f = repeat_power(&powers[0]);
    lanes a, b;
    for (unsigned i = 0; i < 5; i++) { /* the sum so far goes with the first block */
        a.l[i] = vsetq_lane_u32((uint32_t)start.l[i], vdupq_n_u32(0), 0);
        b.l[i] = vdupq_n_u32(0);
    }
    a = add_blocks(&a, data);
    b = add_blocks(&b, data + 16 * GROUP);
    data += 32 * GROUP;
    for (nblocks -= 2 * GROUP; nblocks >= 2 * GROUP; nblocks -= 2 * GROUP) {
        a = multiply_lanes(&a, &f);
        a = add_blocks(&a, data);
        b = multiply_lanes(&b, &f);
        b = add_blocks(&b, data + 16 * GROUP);
        data += 32 * GROUP;
    }
    f = repeat_power(&powers[GROUP]);
    a = multiply_lanes(&a, &f);
    a = add_lanes(&a, &b);
    if (nblocks > 0) {
        a = multiply_lanes(&a, &f);
        a = add_blocks(&a, data);
    }
    f = last_powers(powers);
    a = multiply_lanes(&a, &f);
    for (unsigned i = 0; i < 5; i++) {
        uint32_t words[4];
        vst1q_u32(words, a.l[i]);
        sum.l[i] = (uint64_t)words[0] + words[1] + words[2] + words[3];
    }
    store_words(c, &sum);
    runnel_wipe(&sum, sizeof sum);
}
