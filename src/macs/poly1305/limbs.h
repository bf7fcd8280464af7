/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 in five limbs of 26 bits, for kernels whose vectors multiply 32 bits: the powers of the factor that they start
 * with, and the sum that they end with, one number at a time. */
#ifndef POLY1305_LIMBS_H
#define POLY1305_LIMBS_H

#include "kernels.h"
#include "limbs44.h"

#define LIMB_MASK 0x3ffffff

typedef struct poly1305_limbs {
    uint64_t l[5];
} poly1305_limbs;

static inline poly1305_limbs poly1305_from_words(const uint32_t *w, uint32_t top)
{
    return (poly1305_limbs){{w[0] & LIMB_MASK, ((uint64_t)w[1] << 32 | w[0]) >> 26 & LIMB_MASK,
                             ((uint64_t)w[2] << 32 | w[1]) >> 20 & LIMB_MASK,
                             ((uint64_t)w[3] << 32 | w[2]) >> 14 & LIMB_MASK, w[3] >> 8 | (uint64_t)top << 24}};
}

/* Every limb comes out below 2^26, except the second, which may be a little above. */
static inline void poly1305_carry(poly1305_limbs *x)
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

/* The context's powers: number i is the factor r to the power of i, for 1 <= i <= most <= POLY1305_MOST_POWERS, and
 * number 0 that of 2 * most. */
enum { POLY1305_MOST_POWERS = 8 };
static inline poly1305_limbs *poly1305_powers_of(runnel_poly1305 *c)
{
    _Static_assert(sizeof c->powers % sizeof(poly1305_limbs) == 0, "whole powers");
    return (poly1305_limbs *)(void *)c->powers;
}

#if RUNNEL_POLY1305_WIDE
static inline poly1305_limbs poly1305_narrow_limbs(const poly1305_limbs44 *wide)
{
    uint32_t words[5];
    poly1305_limbs44_to_words(words, wide);
    return poly1305_from_words(words, words[4]);
}

/* Limbs of 44 bits take nine products where those of 26 take 25. */
static inline void poly1305_fill_powers(poly1305_limbs *powers, const uint32_t *r, unsigned most)
{
    poly1305_limbs44 wide[POLY1305_MOST_POWERS + 1];
    poly1305_limbs44_powers(wide, r, most);
    for (unsigned i = 0; i <= most; i++)
        powers[i] = poly1305_narrow_limbs(&wide[i]);
    runnel_wipe(wide, sizeof wide);
}
#else
static poly1305_limbs poly1305_multiply_limbs(const poly1305_limbs *a, const poly1305_limbs *b)
{
    poly1305_limbs sum;
    for (unsigned i = 0; i < 5; i++) {
        sum.l[i] = 0;
        for (unsigned j = 0; j < 5; j++)
            sum.l[i] += (uint64_t)(uint32_t)a->l[j] * (uint32_t)(j <= i ? b->l[i - j] : 5 * b->l[5 + i - j]);
    }
    poly1305_carry(&sum);
    return sum;
}

static inline void poly1305_fill_powers(poly1305_limbs *powers, const uint32_t *r, unsigned most)
{
    powers[1] = poly1305_from_words(r, 0);
    for (unsigned i = 2; i <= most; i++)
        powers[i] = poly1305_multiply_limbs(&powers[(i + 1) / 2], &powers[i / 2]);
    powers[0] = poly1305_multiply_limbs(&powers[most], &powers[most]);
}
#endif

/* The sum, in limbs of any size, becomes the context's. */
static inline void poly1305_store_words(runnel_poly1305 *c, poly1305_limbs *sum)
{
    poly1305_carry(sum);
    uint64_t w = sum->l[0] + (sum->l[1] << 26);
    c->h[0] = (uint32_t)w;
    w = (w >> 32) + (sum->l[2] << 20);
    c->h[1] = (uint32_t)w;
    w = (w >> 32) + (sum->l[3] << 14);
    c->h[2] = (uint32_t)w;
    w = (w >> 32) + (sum->l[4] << 8);
    c->h[3] = (uint32_t)w;
    c->h[4] = (uint32_t)(w >> 32);
}

#endif
