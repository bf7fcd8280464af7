/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One block of Poly1305 in words of 64 bits, for processors that multiply these. As in words.h 2^128 times the factor's
 * upper word, a multiple of four, is 5/4 of it. The next block waits for the sum, some 18 cycles, through one product and
 * two carries. */
#ifndef RUNNEL_POLY1305_WIDE_H
#define RUNNEL_POLY1305_WIDE_H

#include "arch/arch.h"
#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "poly1305.h"

#if defined(__SIZEOF_INT128__) && RUNNEL_MULTIPLIES && !defined(__wasm__) /* WebAssembly multiplies 64 bits to 64 */
#define RUNNEL_POLY1305_WIDE 1

__extension__ typedef unsigned __int128 runnel_poly1305_product;

/* The sum, the factor, and 5/4 of the factor's upper word. */
typedef struct runnel_poly1305_wide {
    uint64_t h0, h1, h2, r0, r1, q1;
} runnel_poly1305_wide;

RUNNEL_INLINE uint64_t runnel_poly1305_join(const uint32_t *w)
{
    return (uint64_t)w[1] << 32 | w[0];
}

RUNNEL_INLINE runnel_poly1305_wide runnel_poly1305_widen(const runnel_poly1305 *c)
{
    const uint64_t r1 = runnel_poly1305_join(c->r + 2);
    return (runnel_poly1305_wide){runnel_poly1305_join(c->h),
                                  runnel_poly1305_join(c->h + 2),
                                  c->h[4],
                                  runnel_poly1305_join(c->r),
                                  r1,
                                  r1 + (r1 >> 2)};
}

RUNNEL_INLINE void runnel_poly1305_narrow(runnel_poly1305 *c, const runnel_poly1305_wide *w)
{
    c->h[0] = (uint32_t)w->h0;
    c->h[1] = (uint32_t)(w->h0 >> 32);
    c->h[2] = (uint32_t)w->h1;
    c->h[3] = (uint32_t)(w->h1 >> 32);
    c->h[4] = (uint32_t)w->h2;
}

/* h = (h + block + top * 2^128) * r, not fully reduced: h2 stays below 8. */
RUNNEL_INLINE void runnel_poly1305_step_with(runnel_poly1305_wide *w, const uint8_t *block, uint64_t top)
{
    runnel_poly1305_product sum = (runnel_poly1305_product)w->h0 + runnel_load64le(block);
    const uint64_t h0 = (uint64_t)sum;
    sum = (sum >> 64) + w->h1 + runnel_load64le(block + 8);
    const uint64_t h1 = (uint64_t)sum, h2 = w->h2 + (uint64_t)(sum >> 64) + top;
    const runnel_poly1305_product d0 = (runnel_poly1305_product)h0 * w->r0 + (runnel_poly1305_product)h1 * w->q1;
    const runnel_poly1305_product d1 =
        (runnel_poly1305_product)h0 * w->r1 + (runnel_poly1305_product)h1 * w->r0 + h2 * w->q1 + (uint64_t)(d0 >> 64);
    const uint64_t d2 = h2 * w->r0 + (uint64_t)(d1 >> 64), above = (d2 >> 2) + (d2 & ~(uint64_t)3);
    sum = (runnel_poly1305_product)(uint64_t)d0 + above;
    w->h0 = (uint64_t)sum;
    sum = (sum >> 64) + (uint64_t)d1;
    w->h1 = (uint64_t)sum;
    w->h2 = (d2 & 3) + (uint64_t)(sum >> 64);
}

#if RUNNEL_X86_64_ASSEMBLY
/* h = (h + block + 2^128) * r, not fully reduced: h2 stays below 8. What compilers make of the C below has twice as many
 * moves, and spills between the rounds of a cipher. */
RUNNEL_INLINE void runnel_poly1305_step(runnel_poly1305_wide *w, const uint8_t *block)
{
    uint64_t low, high, d0, d0_high, d1, d1_high;
    __asm__("addq (%[block]), %[h0]\n\t"
            "adcq 8(%[block]), %[h1]\n\t"
            "adcq $1, %[h2]\n\t"
            "movq %[h0], %%rax\n\t"
            "mulq %[r0]\n\t"
            "movq %%rax, %[d0]\n\t"
            "movq %%rdx, %[d0_high]\n\t"
            "movq %[h0], %%rax\n\t"
            "mulq %[r1]\n\t"
            "movq %%rax, %[d1]\n\t"
            "movq %%rdx, %[d1_high]\n\t"
            "movq %[h1], %%rax\n\t"
            "mulq %[q1]\n\t"
            "addq %%rax, %[d0]\n\t"
            "adcq %%rdx, %[d0_high]\n\t"
            "movq %[h1], %%rax\n\t"
            "mulq %[r0]\n\t"
            "addq %%rax, %[d1]\n\t"
            "adcq %%rdx, %[d1_high]\n\t"
            "movq %[h2], %%rax\n\t"
            "imulq %[q1], %%rax\n\t"
            "imulq %[r0], %[h2]\n\t"
            "addq %%rax, %[d1]\n\t"
            "adcq $0, %[d1_high]\n\t"
            "addq %[d0_high], %[d1]\n\t"
            "adcq %[d1_high], %[h2]\n\t"
            "movq %[h2], %%rax\n\t"
            "movq %[h2], %%rdx\n\t"
            "andq $-4, %%rax\n\t"
            "shrq $2, %%rdx\n\t"
            "andq $3, %[h2]\n\t"
            "addq %%rdx, %%rax\n\t"
            "addq %%rax, %[d0]\n\t"
            "adcq $0, %[d1]\n\t"
            "adcq $0, %[h2]"
            : [h0] "+r"(w->h0), [h1] "+r"(w->h1), [h2] "+r"(w->h2), "=&a"(low),
              "=&d"(high), [d0] "=&r"(d0), [d0_high] "=&r"(d0_high), [d1] "=&r"(d1), [d1_high] "=&r"(d1_high)
            : [block] "r"(block), [r0] "rm"(w->r0), [r1] "rm"(w->r1), [q1] "rm"(w->q1),
              "m"(*(const uint8_t(*)[16])(const void *)block)
            : "cc");
    w->h0 = d0;
    w->h1 = d1;
}
#else
/* h = (h + block + 2^128) * r, not fully reduced: h2 stays below 8. */
RUNNEL_INLINE void runnel_poly1305_step(runnel_poly1305_wide *w, const uint8_t *block)
{
    runnel_poly1305_step_with(w, block, 1);
}
#endif

/* The factor of a key, and a sum of nothing so far. */
RUNNEL_INLINE runnel_poly1305_wide runnel_poly1305_wide_of(const uint8_t *key)
{
    const uint64_t r0 = runnel_load64le(key) & 0x0ffffffc0fffffff, r1 = runnel_load64le(key + 8) & 0x0ffffffc0ffffffc;
    return (runnel_poly1305_wide){0, 0, 0, r0, r1, r1 + (r1 >> 2)};
}

/* tag = (h mod 2^130 - 5) + s mod 2^128; h2 < 8. */
RUNNEL_INLINE void runnel_poly1305_wide_finish(const runnel_poly1305_wide *w, const uint8_t *s, uint8_t *tag)
{
    runnel_poly1305_product sum = (runnel_poly1305_product)w->h0 + 5; /* h - (2^130 - 5), if that is not negative */
    const uint64_t less0 = (uint64_t)sum;
    sum = (sum >> 64) + w->h1;
    const uint64_t less1 = (uint64_t)sum;
    const uint64_t take = runnel_value_barrier64(0 - ((w->h2 + (uint64_t)(sum >> 64)) >> 2 & 1));
    sum = (runnel_poly1305_product)(w->h0 ^ ((w->h0 ^ less0) & take)) + runnel_load64le(s);
    runnel_store64le(tag, (uint64_t)sum);
    sum = (sum >> 64) + (w->h1 ^ ((w->h1 ^ less1) & take)) + runnel_load64le(s + 8);
    runnel_store64le(tag + 8, (uint64_t)sum);
}
#else
#define RUNNEL_POLY1305_WIDE 0
#endif

#endif
