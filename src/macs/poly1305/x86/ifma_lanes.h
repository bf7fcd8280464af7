/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 by products of 52 bits: eight blocks in the lanes of a register, in limbs of 44, 44 and 42 bits. The bits of a
 * product above 52 belong to the next limb, shifted. 2^132 is 20 modulo 2^130 - 5. */
#ifndef POLY1305_X86_IFMA_H
#define POLY1305_X86_IFMA_H

#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "macs/poly1305/limbs44.h"

#define IFMA RUNNEL_TARGET("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")

enum { POLY1305_LANES = 8, POLY1305_BLOCKS = 2 * POLY1305_LANES };

typedef struct poly1305_lanes {
    __m512i l0, l1, l2;
} poly1305_lanes;

/* A factor, and 20 times its upper limbs44. */
typedef struct poly1305_factor {
    __m512i r0, r1, r2, s1, s2;
} poly1305_factor;

IFMA RUNNEL_INLINE poly1305_lanes poly1305_multiply_lanes(poly1305_lanes h, const poly1305_factor *f)
{
    const __m512i zero = _mm512_setzero_si512(), mask_44 = _mm512_set1_epi64((long long)MASK_44);
#define LOW(sum, a, b) _mm512_madd52lo_epu64(sum, a, b)
#define HIGH(sum, a, b) _mm512_madd52hi_epu64(sum, a, b)
#define THREE(of, a, b, c) of(of(of(zero, h.l2, c), h.l1, b), h.l0, a)
    __m512i low0 = THREE(LOW, f->r0, f->s2, f->s1), high0 = THREE(HIGH, f->r0, f->s2, f->s1);
    __m512i low1 = THREE(LOW, f->r1, f->r0, f->s2), high1 = THREE(HIGH, f->r1, f->r0, f->s2);
    __m512i low2 = THREE(LOW, f->r2, f->r1, f->r0), high2 = THREE(HIGH, f->r2, f->r1, f->r0);
    low1 = _mm512_add_epi64(low1, _mm512_add_epi64(_mm512_srli_epi64(low0, 44), _mm512_slli_epi64(high0, 8)));
    low2 = _mm512_add_epi64(low2, _mm512_add_epi64(_mm512_srli_epi64(low1, 44), _mm512_slli_epi64(high1, 8)));
    const __m512i over = _mm512_add_epi64(_mm512_srli_epi64(low2, 42), _mm512_slli_epi64(high2, 10));
    low0 = _mm512_add_epi64(_mm512_and_si512(low0, mask_44), _mm512_add_epi64(over, _mm512_slli_epi64(over, 2)));
    low1 = _mm512_add_epi64(_mm512_and_si512(low1, mask_44), _mm512_srli_epi64(low0, 44));
    return (poly1305_lanes){_mm512_and_si512(low0, mask_44), low1,
                            _mm512_and_si512(low2, _mm512_set1_epi64((long long)MASK_42))};
}

/* Eight blocks, each with the bit above it: lane 2 i has block i, lane 2 i + 1 block i + 4. */
IFMA RUNNEL_INLINE poly1305_lanes poly1305_load_blocks(const uint8_t *data)
{
    const __m512i a = _mm512_loadu_si512(data), b = _mm512_loadu_si512(data + 64);
    const __m512i low = _mm512_unpacklo_epi64(a, b), high = _mm512_unpackhi_epi64(a, b);
    const __m512i mask_44 = _mm512_set1_epi64((long long)MASK_44);
    const __m512i middle = _mm512_or_si512(_mm512_srli_epi64(low, 44), _mm512_slli_epi64(high, 20));
    return (poly1305_lanes){_mm512_and_si512(low, mask_44), _mm512_and_si512(middle, mask_44),
                            _mm512_or_si512(_mm512_srli_epi64(high, 24), _mm512_set1_epi64(1ll << 40))};
}

IFMA RUNNEL_INLINE poly1305_lanes poly1305_add_lanes(poly1305_lanes a, poly1305_lanes b)
{
    return (poly1305_lanes){_mm512_add_epi64(a.l0, b.l0), _mm512_add_epi64(a.l1, b.l1), _mm512_add_epi64(a.l2, b.l2)};
}

IFMA RUNNEL_INLINE poly1305_factor poly1305_make_factor(__m512i r0, __m512i r1, __m512i r2)
{
    const __m512i four1 = _mm512_slli_epi64(r1, 2), four2 = _mm512_slli_epi64(r2, 2);
    return (poly1305_factor){r0, r1, r2, _mm512_add_epi64(four1, _mm512_slli_epi64(four1, 2)),
                             _mm512_add_epi64(four2, _mm512_slli_epi64(four2, 2))};
}

IFMA RUNNEL_INLINE poly1305_factor poly1305_repeat_factor(const poly1305_limbs44 *r)
{
    return poly1305_make_factor(_mm512_set1_epi64((long long)r->l[0]), _mm512_set1_epi64((long long)r->l[1]),
                                _mm512_set1_epi64((long long)r->l[2]));
}

/* For each lane the power of r, r^2 … r^8 that its last block lacks. */
#define LANES_OF(i)                                                                                                    \
    _mm512_set_epi64((long long)powers[1].l[i], (long long)powers[5].l[i], (long long)powers[2].l[i],                  \
                     (long long)powers[6].l[i], (long long)powers[3].l[i], (long long)powers[7].l[i],                  \
                     (long long)powers[4].l[i], (long long)powers[8].l[i])

/* The sum of two times eight blocks, of which b has the later ones: each lane times the power that its last block lacks. */
IFMA RUNNEL_INLINE poly1305_limbs44 poly1305_add_up(poly1305_lanes a, poly1305_lanes b, const poly1305_limbs44 *powers)
{
    poly1305_factor f = poly1305_repeat_factor(&powers[POLY1305_LANES]);
    a = poly1305_add_lanes(poly1305_multiply_lanes(a, &f), b);
    f = poly1305_make_factor(LANES_OF(0), LANES_OF(1), LANES_OF(2));
    a = poly1305_multiply_lanes(a, &f);
    poly1305_limbs44 sum = {{(uint64_t)_mm512_reduce_add_epi64(a.l0), (uint64_t)_mm512_reduce_add_epi64(a.l1),
                             (uint64_t)_mm512_reduce_add_epi64(a.l2)}};
    poly1305_limbs44_carry(&sum);
    return sum;
}

#endif
