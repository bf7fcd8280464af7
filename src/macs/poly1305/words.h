/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arithmetic modulo 2^130 - 5 in words of 32 bits, or of 64 where wide.h has them. The factor's words 1 to 3 are multiples
 * of four, so that 2^128 times one of them is 5/4 of it: what a product has above 2^128 is added back without a second
 * reduction. */
#ifndef POLY1305_ARITHMETIC_H
#define POLY1305_ARITHMETIC_H

#include "arch/common/multiply.h"
#include "poly1305.h"
#include "wide.h"
#if RUNNEL_THUMB2_DSP_IN_C
#include "thumb2/multiply.h"
#endif

#if RUNNEL_POLY1305_WIDE
/* In stores as wide as the loads that follow, which would wait for narrower ones. */
static void poly1305_set_factor(runnel_poly1305 *c, const uint8_t *r)
{
    const runnel_poly1305_wide w = runnel_poly1305_wide_of(r);
    const uint64_t factor[2] = {w.r0, w.r1};
    memcpy(c->r, factor, sizeof c->r);
    memset(c->h, 0, sizeof c->h);
}
#else
static void poly1305_set_factor(runnel_poly1305 *c, const uint8_t *r)
{
    for (unsigned i = 0; i < 4; i++) {
        c->r[i] = runnel_load32le(r + 4 * i) & (i == 0 ? 0x0fffffff : 0x0ffffffc);
        c->h[i] = 0;
    }
    c->h[4] = 0;
}
#endif

/* h = (h + block + top * 2^128) * r for each block, not fully reduced: h[4] stays below 8. */
#if RUNNEL_POLY1305_WIDE
static void poly1305_multiply(runnel_poly1305 *c, const uint8_t *data, size_t nblocks, uint32_t top)
{
    runnel_poly1305_wide w = runnel_poly1305_widen(c);
    if (top == 0)
        runnel_poly1305_step_with(&w, data, 0);
    else
        for (; nblocks > 0; nblocks--, data += 16)
            runnel_poly1305_step(&w, data);
    runnel_poly1305_narrow(c, &w);
}
#elif RUNNEL_THUMB2_DSP_IN_C
static void poly1305_multiply(runnel_poly1305 *c, const uint8_t *data, size_t nblocks, uint32_t top)
{
    const uint32_t *const r = c->r;
    poly1305_factors f = {{c->h[0], c->h[1], c->h[2], c->h[3], c->h[4]},
                          {r[0], r[1], r[2], r[3]},
                          {r[1] + (r[1] >> 2), r[2] + (r[2] >> 2), r[3] + (r[3] >> 2)}};
    if (nblocks > 0)
        poly1305_multiply_blocks(&f, data, nblocks, top);
    for (unsigned i = 0; i < 5; i++)
        c->h[i] = f.h[i];
    for (unsigned i = 0; i < 3; i++)
        f.q[i] = f.r[i] = f.h[i] = 0;
    f.r[3] = f.h[3] = 0;
    __asm__ volatile("" : : "r"(&f) : "memory");
}
#else
static void poly1305_multiply(runnel_poly1305 *c, const uint8_t *data, size_t nblocks, uint32_t top)
{
    const uint32_t r0 = c->r[0], r1 = c->r[1], r2 = c->r[2], r3 = c->r[3];
    const uint32_t q1 = r1 + (r1 >> 2), q2 = r2 + (r2 >> 2), q3 = r3 + (r3 >> 2);
    uint32_t h0 = c->h[0], h1 = c->h[1], h2 = c->h[2], h3 = c->h[3], h4 = c->h[4];
    for (; nblocks > 0; nblocks--, data += 16) {
        uint64_t sum = (uint64_t)h0 + runnel_load32le(data);
        h0 = (uint32_t)sum;
        sum = (sum >> 32) + h1 + runnel_load32le(data + 4);
        h1 = (uint32_t)sum;
        sum = (sum >> 32) + h2 + runnel_load32le(data + 8);
        h2 = (uint32_t)sum;
        sum = (sum >> 32) + h3 + runnel_load32le(data + 12);
        h3 = (uint32_t)sum;
        h4 += (uint32_t)(sum >> 32) + top;

        const uint64_t d0 =
            RUNNEL_PRODUCT64(h0, r0) + RUNNEL_PRODUCT64(h1, q3) + RUNNEL_PRODUCT64(h2, q2) + RUNNEL_PRODUCT64(h3, q1);
        uint64_t d1 = RUNNEL_PRODUCT64(h0, r1) + RUNNEL_PRODUCT64(h1, r0) + RUNNEL_PRODUCT64(h2, q3) +
                      RUNNEL_PRODUCT64(h3, q2) + RUNNEL_PRODUCT32(h4, q1);
        uint64_t d2 = RUNNEL_PRODUCT64(h0, r2) + RUNNEL_PRODUCT64(h1, r1) + RUNNEL_PRODUCT64(h2, r0) +
                      RUNNEL_PRODUCT64(h3, q3) + RUNNEL_PRODUCT32(h4, q2);
        uint64_t d3 = RUNNEL_PRODUCT64(h0, r3) + RUNNEL_PRODUCT64(h1, r2) + RUNNEL_PRODUCT64(h2, r1) +
                      RUNNEL_PRODUCT64(h3, r0) + RUNNEL_PRODUCT32(h4, q3);
        h4 = RUNNEL_PRODUCT32(h4, r0);
        d1 += d0 >> 32;
        d2 += d1 >> 32;
        d3 += d2 >> 32;
        const uint64_t d4 = h4 + (d3 >> 32);
        h4 = (uint32_t)d4 & 3;
        sum = (uint32_t)d0 + RUNNEL_PRODUCT64((uint32_t)(d4 >> 2), 5);
        h0 = (uint32_t)sum;
        sum = (sum >> 32) + (uint32_t)d1;
        h1 = (uint32_t)sum;
        sum = (sum >> 32) + (uint32_t)d2;
        h2 = (uint32_t)sum;
        sum = (sum >> 32) + (uint32_t)d3;
        h3 = (uint32_t)sum;
        h4 += (uint32_t)(sum >> 32);
    }
    c->h[0] = h0;
    c->h[1] = h1;
    c->h[2] = h2;
    c->h[3] = h3;
    c->h[4] = h4;
}
#endif

/* tag = (h mod 2^130 - 5) + s mod 2^128 */
#if RUNNEL_POLY1305_WIDE
static void poly1305_reduce_and_add(const runnel_poly1305 *c, uint8_t *tag)
{
    const runnel_poly1305_wide w = runnel_poly1305_widen(c);
    runnel_poly1305_wide_finish(&w, c->s, tag);
}
#else
static void poly1305_reduce_and_add(const runnel_poly1305 *c, uint8_t *tag)
{
    uint32_t less[4]; /* h - (2^130 - 5), if that is not negative */
    uint64_t sum = 5;
    for (unsigned i = 0; i < 4; i++) {
        sum += c->h[i];
        less[i] = (uint32_t)sum;
        sum >>= 32;
    }
    const uint32_t take = runnel_value_barrier32(0u - (((uint32_t)sum + c->h[4]) >> 2 & 1));
    sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        sum += (uint64_t)((c->h[i] & ~take) | (less[i] & take)) + runnel_load32le(c->s + 4 * i);
        runnel_store32le(tag + 4 * i, (uint32_t)sum);
        sum >>= 32;
    }
    runnel_wipe(less, sizeof less);
}

#endif

#endif
