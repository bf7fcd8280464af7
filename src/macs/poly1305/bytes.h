/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arithmetic modulo 2^130 - 5 in bytes, for processors that multiply bytes: row by row; a product plus two bytes fits
 * into 16 bits. */
#ifndef POLY1305_ARITHMETIC_H
#define POLY1305_ARITHMETIC_H

#include "arch/common/multiply.h"
#include "poly1305.h"

static void poly1305_set_factor(runnel_poly1305 *c, const uint8_t *r)
{
    for (unsigned i = 0; i < 16; i++) {
        c->r[i] = r[i];
        c->h[i] = 0;
    }
    c->h[16] = 0;
    for (unsigned i = 3; i < 16; i += 4)
        c->r[i] &= 0x0f;
    for (unsigned i = 4; i < 16; i += 4)
        c->r[i] &= 0xfc;
}

/* sum[0 … 17] += h[0 … 16] * factor, where sum[17] is new. */
static void poly1305_add_row(uint8_t *sum, const uint8_t *h, uint8_t factor)
{
    uint16_t p = 0;
    for (uint8_t i = 0; i < 17; i++) {
        p = (uint16_t)(RUNNEL_PRODUCT16(h[i], factor) + sum[i] + (uint8_t)(p >> 8));
        sum[i] = (uint8_t)p;
    }
    sum[17] = (uint8_t)(p >> 8);
}

/* h = (h + block + top * 2^128) * r for each block, not fully reduced: h[16] stays below 8. */
static void poly1305_multiply(runnel_poly1305 *c, const uint8_t *data, size_t nblocks, uint8_t top)
{
    uint8_t *const h = c->h, product[33], *const high = product + 16;
    for (; nblocks > 0; nblocks--, data += 16) {
        uint16_t sum = 0;
        for (uint8_t i = 0; i < 16; i++) {
            sum = (uint16_t)(sum + h[i] + data[i]);
            h[i] = (uint8_t)sum;
            sum >>= 8;
        }
        h[16] = (uint8_t)(h[16] + top + sum);

        memset(product, 0, 17);
        for (uint8_t i = 0; i < 16; i++)
            poly1305_add_row(product + i, h, c->r[i]);

        /* 2^130 is 5: what lies above it, (high without its lowest two bits) / 4, is added back times 5. */
        h[16] = high[0] & 3;
        high[0] &= 0xfc;
        uint16_t carry = 0;
        for (uint8_t i = 0; i < 16; i++) {
            const uint8_t quarter = (uint8_t)(high[i] >> 2 | high[i + 1] << 6);
            carry = (uint16_t)(carry + product[i] + high[i] + quarter);
            h[i] = (uint8_t)carry;
            carry >>= 8;
        }
        h[16] = (uint8_t)(h[16] + carry);
    }
    runnel_wipe(product, sizeof product);
}

/* tag = (h mod 2^130 - 5) + s mod 2^128 */
static void poly1305_reduce_and_add(const runnel_poly1305 *c, uint8_t *tag)
{
    uint8_t less[16]; /* h - (2^130 - 5), if that is not negative */
    uint16_t sum = 5;
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + c->h[i]);
        less[i] = (uint8_t)sum;
        sum >>= 8;
    }
    const uint8_t take = runnel_value_barrier8((uint8_t)(0 - ((uint8_t)(sum + c->h[16]) >> 2 & 1)));
    sum = 0;
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + (uint8_t)((c->h[i] & (uint8_t)~take) | (less[i] & take)) + c->s[i]);
        tag[i] = (uint8_t)sum;
        sum >>= 8;
    }
    runnel_wipe(less, sizeof less);
}

#endif
