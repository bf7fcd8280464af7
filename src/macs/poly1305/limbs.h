/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 in five limbs of 26 bits, for kernels whose vectors multiply 32 bits: the powers of the factor that they start
 * with, and the sum that they end with, one number at a time. */
#ifndef RUNNEL_POLY1305_LIMBS_H
#define RUNNEL_POLY1305_LIMBS_H

#include "kernels.h"
#include "limbs44.h"

#define LIMB_MASK 0x3ffffff

typedef struct limbs {
    uint64_t l[5];
} limbs;

static inline limbs from_words(const uint32_t *w, uint32_t top)
{
    return (limbs){{w[0] & LIMB_MASK, ((uint64_t)w[1] << 32 | w[0]) >> 26 & LIMB_MASK,
                    ((uint64_t)w[2] << 32 | w[1]) >> 20 & LIMB_MASK, ((uint64_t)w[3] << 32 | w[2]) >> 14 & LIMB_MASK,
                    w[3] >> 8 | (uint64_t)top << 24}};
}

/* Every limb comes out below 2^26, except the second, which may be a little above. */
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

/* The context's powers: number i is the factor r to the power of i, for 1 <= i <= most <= MOST_POWERS, and number 0 that of
 * 2 * most. */
enum { MOST_POWERS = 8 };
static inline limbs *powers_of(runnel_poly1305 *c)
{
    _Static_assert(sizeof c->powers % sizeof(limbs) == 0, "whole powers");
    return (limbs *)(void *)c->powers;
}

#if RUNNEL_POLY1305_WIDE
static inline limbs narrow_limbs(const limbs44 *wide)
{
    uint32_t words[5];
    limbs44_to_words(words, wide);
    return from_words(words, words[4]);
}

/* Limbs of 44 bits take nine products where those of 26 take 25. */
static inline void fill_powers(limbs *powers, const uint32_t *r, unsigned most)
{
    limbs44 wide[MOST_POWERS + 1];
    limbs44_powers(wide, r, most);
    for (unsigned i = 0; i <= most; i++)
        powers[i] = narrow_limbs(&wide[i]);
    runnel_wipe(wide, sizeof wide);
}
#else
static limbs multiply_limbs(const limbs *a, const limbs *b)
{
    limbs sum;
    for (unsigned i = 0; i < 5; i++) {
        sum.l[i] = 0;
        for (unsigned j = 0; j < 5; j++)
            sum.l[i] += (uint64_t)(uint32_t)a->l[j] * (uint32_t)(j <= i ? b->l[i - j] : 5 * b->l[5 + i - j]);
    }
    carry(&sum);
    return sum;
}

static inline void fill_powers(limbs *powers, const uint32_t *r, unsigned most)
{
    powers[1] = from_words(r, 0);
    for (unsigned i = 2; i <= most; i++)
        powers[i] = multiply_limbs(&powers[(i + 1) / 2], &powers[i / 2]);
    powers[0] = multiply_limbs(&powers[most], &powers[most]);
}
#endif

/* The sum, in limbs of any size, becomes the context's. */
static inline void store_words(runnel_poly1305 *c, limbs *sum)
{
    carry(sum);
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
