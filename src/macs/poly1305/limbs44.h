/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Numbers modulo 2^130 - 5 in limbs of 44, 44 and 42 bits, one at a time: the powers of the factor that kernels for many
 * blocks start with. 2^132 is 20. */
#ifndef POLY1305_LIMBS44_H
#define POLY1305_LIMBS44_H

#include "kernels.h"
#include "wide.h"

#if RUNNEL_POLY1305_WIDE

#define MASK_44 ((1ull << 44) - 1)
#define MASK_42 ((1ull << 42) - 1)

typedef struct poly1305_limbs44 {
    uint64_t l[3];
} poly1305_limbs44;

static inline poly1305_limbs44 poly1305_limbs44_from_words(const uint32_t *w, uint32_t top)
{
    const uint64_t low = (uint64_t)w[1] << 32 | w[0], high = (uint64_t)w[3] << 32 | w[2];
    return (poly1305_limbs44){{low & MASK_44, (low >> 44 | high << 20) & MASK_44, high >> 24 | (uint64_t)top << 40}};
}

static inline void poly1305_limbs44_carry(poly1305_limbs44 *x)
{
    x->l[1] += x->l[0] >> 44;
    x->l[2] += x->l[1] >> 44;
    x->l[0] = (x->l[0] & MASK_44) + (x->l[2] >> 42) * 5;
    x->l[1] = (x->l[1] & MASK_44) + (x->l[0] >> 44);
    x->l[0] &= MASK_44;
    x->l[2] &= MASK_42;
}

static inline poly1305_limbs44 poly1305_limbs44_multiply(const poly1305_limbs44 *a, const poly1305_limbs44 *b)
{
    const uint64_t s1 = 20 * b->l[1], s2 = 20 * b->l[2];
    const runnel_poly1305_product d0 = (runnel_poly1305_product)a->l[0] * b->l[0] +
                                       (runnel_poly1305_product)a->l[1] * s2 + (runnel_poly1305_product)a->l[2] * s1;
    const runnel_poly1305_product d1 = (runnel_poly1305_product)a->l[0] * b->l[1] +
                                       (runnel_poly1305_product)a->l[1] * b->l[0] +
                                       (runnel_poly1305_product)a->l[2] * s2 + (uint64_t)(d0 >> 44);
    const runnel_poly1305_product d2 = (runnel_poly1305_product)a->l[0] * b->l[2] +
                                       (runnel_poly1305_product)a->l[1] * b->l[1] +
                                       (runnel_poly1305_product)a->l[2] * b->l[0] + (uint64_t)(d1 >> 44);
    poly1305_limbs44 sum = {
        {((uint64_t)d0 & MASK_44) + (uint64_t)(d2 >> 42) * 5, (uint64_t)d1 & MASK_44, (uint64_t)d2 & MASK_42}};
    poly1305_limbs44_carry(&sum);
    return sum;
}

/* powers[i] becomes the factor r to the power of i, for 1 <= i <= most, and powers[0] that of 2 * most. */
static inline void poly1305_limbs44_powers(poly1305_limbs44 *powers, const uint32_t *r, unsigned most)
{
    powers[1] = poly1305_limbs44_from_words(r, 0);
    for (unsigned i = 2; i <= most; i++)
        powers[i] = poly1305_limbs44_multiply(&powers[(i + 1) / 2], &powers[i / 2]);
    powers[0] = poly1305_limbs44_multiply(&powers[most], &powers[most]);
}

/* The words of a sum whose limbs are carried. */
static inline void poly1305_limbs44_to_words(uint32_t *h, const poly1305_limbs44 *sum)
{
    const uint64_t low = sum->l[0] + (sum->l[1] << 44), over = low < sum->l[0];
    const uint64_t high = (sum->l[1] >> 20) + (sum->l[2] << 24) + over;
    h[0] = (uint32_t)low;
    h[1] = (uint32_t)(low >> 32);
    h[2] = (uint32_t)high;
    h[3] = (uint32_t)(high >> 32);
    h[4] = (uint32_t)(sum->l[2] >> 40) + (uint32_t)(high < (sum->l[1] >> 20) + over);
}

#endif
#endif
