/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 on NEON, for AArch64 and Armv7-A: four blocks in the elements of five vectors, a limb of 26 bits each, and two
 * such sums side by side, because each step of a sum depends on the one before. A step multiplies by the factor to the
 * power of eight; at the end each element is multiplied by the power that its last block lacks. The includer has
 * <arm_neon.h>. */
#include "arch/common/bytes.h"
#include "macs/poly1305/limbs.h"

enum { POLY1305_GROUP = 4 };

typedef struct poly1305_lanes {
    uint32x4_t l[5];
} poly1305_lanes;

/* A factor and five times it, limb by limb. */
typedef struct poly1305_factor {
    uint32x4_t r[5], five[5];
} poly1305_factor;

/* Products of the lower and of the upper two blocks. */
typedef struct poly1305_pairs {
    uint64x2_t low, high;
} poly1305_pairs;

#if defined(__aarch64__) /* which has products of upper halves: gcc does not find them */
#define MULTIPLY_HIGH(a, b) vmull_high_u32(a, b)
#define MULTIPLY_ADD_HIGH(sum, a, b) vmlal_high_u32(sum, a, b)
#else
#define MULTIPLY_HIGH(a, b) vmull_u32(vget_high_u32(a), vget_high_u32(b))
#define MULTIPLY_ADD_HIGH(sum, a, b) vmlal_u32(sum, vget_high_u32(a), vget_high_u32(b))
#endif

RUNNEL_INLINE poly1305_pairs poly1305_first_product(uint32x4_t a, uint32x4_t b)
{
    return (poly1305_pairs){vmull_u32(vget_low_u32(a), vget_low_u32(b)), MULTIPLY_HIGH(a, b)};
}

RUNNEL_INLINE void poly1305_add_product(poly1305_pairs *sum, uint32x4_t a, uint32x4_t b)
{
    sum->low = vmlal_u32(sum->low, vget_low_u32(a), vget_low_u32(b));
    sum->high = MULTIPLY_ADD_HIGH(sum->high, a, b);
}

/* to += from / 2^26 */
RUNNEL_INLINE void poly1305_carry_pairs(poly1305_pairs *to, const poly1305_pairs *from)
{
    to->low = vsraq_n_u64(to->low, from->low, 26);
    to->high = vsraq_n_u64(to->high, from->high, 26);
}

RUNNEL_INLINE uint32x4_t poly1305_above_limb(const poly1305_pairs *d)
{
    return vcombine_u32(vshrn_n_u64(d->low, 26), vshrn_n_u64(d->high, 26));
}

RUNNEL_INLINE uint32x4_t poly1305_limb_of(const poly1305_pairs *d)
{
    return vandq_u32(vcombine_u32(vmovn_u64(d->low), vmovn_u64(d->high)), vdupq_n_u32(LIMB_MASK));
}

/* Limbs of h below 2^27 + 2^7, those of the factor below 2^26 + 2^7. What stands above a limb of a sum then has 32 bits at
 * most, also five times what stands above the last one, which has no fivefold products in it: from there on carries are
 * 32-bit. The limbs that come out are below 2^26 + 2^7. */
RUNNEL_INLINE poly1305_lanes poly1305_multiply_lanes(const poly1305_lanes *h, const poly1305_factor *f)
{
    const uint32x4_t mask = vdupq_n_u32(LIMB_MASK);
    poly1305_pairs d0 = poly1305_first_product(h->l[0], f->r[0]), d1 = poly1305_first_product(h->l[0], f->r[1]);
    poly1305_pairs d2 = poly1305_first_product(h->l[0], f->r[2]), d3 = poly1305_first_product(h->l[0], f->r[3]);
    poly1305_pairs d4 = poly1305_first_product(h->l[0], f->r[4]);
#define ROW(j, f0, f1, f2, f3, f4)                                                                                     \
    poly1305_add_product(&d0, h->l[j], f0);                                                                            \
    poly1305_add_product(&d1, h->l[j], f1);                                                                            \
    poly1305_add_product(&d2, h->l[j], f2);                                                                            \
    poly1305_add_product(&d3, h->l[j], f3);                                                                            \
    poly1305_add_product(&d4, h->l[j], f4);
    ROW(1, f->five[4], f->r[0], f->r[1], f->r[2], f->r[3])
    ROW(2, f->five[3], f->five[4], f->r[0], f->r[1], f->r[2])
    ROW(3, f->five[2], f->five[3], f->five[4], f->r[0], f->r[1])
    ROW(4, f->five[1], f->five[2], f->five[3], f->five[4], f->r[0])
#undef ROW
    poly1305_carry_pairs(&d1, &d0);
    poly1305_carry_pairs(&d4, &d3);
    poly1305_carry_pairs(&d2, &d1);
    const uint32x4_t over = poly1305_above_limb(&d4);
    uint32x4_t l0 = vaddq_u32(poly1305_limb_of(&d0), vaddq_u32(over, vshlq_n_u32(over, 2)));
    uint32x4_t l3 = vaddq_u32(poly1305_limb_of(&d3), poly1305_above_limb(&d2));
    const uint32x4_t l1 = vsraq_n_u32(poly1305_limb_of(&d1), l0, 26), l4 = vsraq_n_u32(poly1305_limb_of(&d4), l3, 26);
    return (poly1305_lanes){{vandq_u32(l0, mask), l1, poly1305_limb_of(&d2), vandq_u32(l3, mask), l4}};
}

/* h + four blocks, each with the bit above it. */
RUNNEL_INLINE poly1305_lanes poly1305_add_blocks(const poly1305_lanes *h, const uint8_t *data)
{
    const uint32x4_t mask = vdupq_n_u32(LIMB_MASK);
    const uint32x4x4_t w = vld4q_u32((const void *)data);
    const uint32x4_t l1 = vsliq_n_u32(vshrq_n_u32(w.val[0], 26), w.val[1], 6);
    const uint32x4_t l2 = vsliq_n_u32(vshrq_n_u32(w.val[1], 20), w.val[2], 12);
    const uint32x4_t l3 = vsliq_n_u32(vshrq_n_u32(w.val[2], 14), w.val[3], 18);
    const uint32x4_t l4 = vorrq_u32(vshrq_n_u32(w.val[3], 8), vdupq_n_u32(1 << 24));
    return (poly1305_lanes){{vaddq_u32(h->l[0], vandq_u32(w.val[0], mask)), vaddq_u32(h->l[1], vandq_u32(l1, mask)),
                             vaddq_u32(h->l[2], vandq_u32(l2, mask)), vaddq_u32(h->l[3], vandq_u32(l3, mask)),
                             vaddq_u32(h->l[4], l4)}};
}

/* a + b, carried, because limbs of 2^27 + 2^26 would be too large for a product. */
RUNNEL_INLINE poly1305_lanes poly1305_add_lanes(const poly1305_lanes *a, const poly1305_lanes *b)
{
    const uint32x4_t mask = vdupq_n_u32(LIMB_MASK);
    uint32x4_t sum[5];
    for (unsigned i = 0; i < 5; i++)
        sum[i] = vaddq_u32(a->l[i], b->l[i]);
    const uint32x4_t over = vshrq_n_u32(sum[4], 26);
    poly1305_lanes carried = {{vaddq_u32(vandq_u32(sum[0], mask), vaddq_u32(over, vshlq_n_u32(over, 2)))}};
    for (unsigned i = 1; i < 5; i++)
        carried.l[i] = vsraq_n_u32(vandq_u32(sum[i], mask), sum[i - 1], 26);
    return carried;
}

/* The same factor for all blocks, or for block i the power 4 - i. */
RUNNEL_INLINE poly1305_factor poly1305_repeat_power(const poly1305_limbs *power)
{
    poly1305_factor f;
    for (unsigned i = 0; i < 5; i++) {
        f.r[i] = vdupq_n_u32((uint32_t)power->l[i]);
        f.five[i] = vaddq_u32(f.r[i], vshlq_n_u32(f.r[i], 2));
    }
    return f;
}

RUNNEL_INLINE poly1305_factor poly1305_last_powers(const poly1305_limbs *powers)
{
    poly1305_factor f;
    for (unsigned i = 0; i < 5; i++) {
        const uint32_t words[4] = {(uint32_t)powers[4].l[i], (uint32_t)powers[3].l[i], (uint32_t)powers[2].l[i],
                                   (uint32_t)powers[1].l[i]};
        f.r[i] = vld1q_u32(words);
        f.five[i] = vaddq_u32(f.r[i], vshlq_n_u32(f.r[i], 2));
    }
    return f;
}

static void poly1305_make_powers(runnel_poly1305 *c)
{
    poly1305_fill_powers(poly1305_powers_of(c), c->r, POLY1305_GROUP);
}

/* nblocks is a multiple of 4, and 8 at least. */
static void poly1305_absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    const poly1305_limbs *powers = poly1305_powers_of(c), start = poly1305_from_words(c->h, c->h[4]);
    poly1305_limbs sum;
    poly1305_factor f = poly1305_repeat_power(&powers[0]);
    poly1305_lanes a, b;
    for (unsigned i = 0; i < 5; i++) { /* the sum so far goes with the first block */
        a.l[i] = vsetq_lane_u32((uint32_t)start.l[i], vdupq_n_u32(0), 0);
        b.l[i] = vdupq_n_u32(0);
    }
    a = poly1305_add_blocks(&a, data);
    b = poly1305_add_blocks(&b, data + 16 * POLY1305_GROUP);
    data += 32 * POLY1305_GROUP;
    for (nblocks -= 2 * POLY1305_GROUP; nblocks >= 2 * POLY1305_GROUP; nblocks -= 2 * POLY1305_GROUP) {
        a = poly1305_multiply_lanes(&a, &f);
        a = poly1305_add_blocks(&a, data);
        b = poly1305_multiply_lanes(&b, &f);
        b = poly1305_add_blocks(&b, data + 16 * POLY1305_GROUP);
        data += 32 * POLY1305_GROUP;
    }
    f = poly1305_repeat_power(&powers[POLY1305_GROUP]);
    a = poly1305_multiply_lanes(&a, &f);
    a = poly1305_add_lanes(&a, &b);
    if (nblocks > 0) {
        a = poly1305_multiply_lanes(&a, &f);
        a = poly1305_add_blocks(&a, data);
    }
    f = poly1305_last_powers(powers);
    a = poly1305_multiply_lanes(&a, &f);
    for (unsigned i = 0; i < 5; i++) {
        uint32_t words[4];
        vst1q_u32(words, a.l[i]);
        sum.l[i] = (uint64_t)words[0] + words[1] + words[2] + words[3];
    }
    poly1305_store_words(c, &sum);
    runnel_wipe(&sum, sizeof sum);
}
