/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arithmetic modulo 2^130 - 5 in bytes, for processors whose products are those of bytes: column by column, so that each
 * product is added to three bytes in registers and to nothing in memory. */
#ifndef RUNNEL_POLY1305_ARITHMETIC_H
#define RUNNEL_POLY1305_ARITHMETIC_H

#include "poly1305.h"

static void set_factor(runnel_poly1305 *c, const uint8_t *r)
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

#if defined(__AVR__)
typedef __uint24 column;
#else
typedef uint32_t column;
#endif

#define PRODUCT(x, y) ((uint16_t)((uint16_t)(x) * (y)))

/* sum + a[0] * b[0] + a[1] * b[-1] + … of n products */
static inline column add_products(column sum, const uint8_t *a, const uint8_t *b, uint8_t n)
{
    b++;
    for (; n >= 4; n = (uint8_t)(n - 4)) {
        sum += PRODUCT(*a++, *--b);
        sum += PRODUCT(*a++, *--b);
        sum += PRODUCT(*a++, *--b);
        sum += PRODUCT(*a++, *--b);
    }
    for (; n > 0; n--)
        sum += PRODUCT(*a++, *--b);
    return sum;
}

/* h = (h + block + top * 2^128) * r for each block, not fully reduced: h[16] stays below 8. */
static void multiply(runnel_poly1305 *c, const uint8_t *data, size_t nblocks, uint8_t top)
{
    uint8_t *const h = c->h, product[17], high[17];
    for (; nblocks > 0; nblocks--, data += 16) {
        uint16_t sum = 0;
        for (uint8_t i = 0; i < 16; i++) {
            sum = (uint16_t)(sum + h[i] + data[i]);
            h[i] = (uint8_t)sum;
            sum >>= 8;
        }
        h[16] = (uint8_t)(h[16] + top + sum);

        column s = 0;
        for (uint8_t i = 0; i < 16; i++) {
            s = add_products(s, h, c->r + i, (uint8_t)(i + 1));
            product[i] = (uint8_t)s;
            s >>= 8;
        }
        for (uint8_t i = 0; i < 16; i++) {
            s = add_products(s, h + 1 + i, c->r + 15, (uint8_t)(16 - i));
            high[i] = (uint8_t)s;
            s >>= 8;
        }
        high[16] = (uint8_t)s; /* 0: r is below 2^124 */

        /* 2^130 is 5: what lies above, (high and its lowest two bits cleared) / 4 times 5, comes back. */
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
    runnel_wipe(high, sizeof high);
}

/* tag = (h mod 2^130 - 5) + s mod 2^128 */
static void reduce_and_add(const runnel_poly1305 *c, uint8_t *tag)
{
    uint8_t less[16]; /* h - (2^130 - 5), if that is not negative */
    uint16_t sum = 5;
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + c->h[i]);
        less[i] = (uint8_t)sum;
        sum >>= 8;
    }
    const uint8_t take = (uint8_t)(0 - ((uint8_t)(sum + c->h[16]) >> 2 & 1));
    sum = 0;
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint16_t)(sum + (uint8_t)((c->h[i] & (uint8_t)~take) | (less[i] & take)) + c->s[i]);
        tag[i] = (uint8_t)sum;
        sum >>= 8;
    }
    runnel_wipe(less, sizeof less);
}

#endif
