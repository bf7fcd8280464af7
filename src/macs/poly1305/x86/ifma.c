/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 by products of 52 bits: eight blocks in the lanes of a register, in limbs of 44, 44 and 42 bits, and two
 * such sums side by side, because each step of a sum depends on the one before. The bits of a product above 52 belong
 * to the next limb, shifted. 2^132 is 20 modulo 2^130 - 5. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "macs/poly1305/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512ifma")

enum { LANES = 8, BLOCKS = 2 * LANES };

#define MASK_44 ((1ull << 44) - 1)
#define MASK_42 ((1ull << 42) - 1)

typedef struct limbs {
    uint64_t l[3];
} limbs;

typedef struct lanes {
    __m512i l0, l1, l2;
} lanes;

/* A factor, and 20 times its upper limbs. */
typedef struct factor {
    __m512i r0, r1, r2, s1, s2;
} factor;

static inline limbs from_words(const uint32_t *w, uint32_t top)
{
    const uint64_t low = (uint64_t)w[1] << 32 | w[0], high = (uint64_t)w[3] << 32 | w[2];
    return (limbs){{low & MASK_44, (low >> 44 | high << 20) & MASK_44, high >> 24 | (uint64_t)top << 40}};
}

static inline void carry(limbs *x)
{
    x->l[1] += x->l[0] >> 44;
    x->l[2] += x->l[1] >> 44;
    x->l[0] = (x->l[0] & MASK_44) + (x->l[2] >> 42) * 5;
    x->l[1] = (x->l[1] & MASK_44) + (x->l[0] >> 44);
    x->l[0] &= MASK_44;
    x->l[2] &= MASK_42;
}

__extension__ typedef unsigned __int128 wide;

static limbs multiply_limbs(const limbs *a, const limbs *b)
{
    const uint64_t s1 = 20 * b->l[1], s2 = 20 * b->l[2];
    const wide d0 = (wide)a->l[0] * b->l[0] + (wide)a->l[1] * s2 + (wide)a->l[2] * s1;
    const wide d1 = (wide)a->l[0] * b->l[1] + (wide)a->l[1] * b->l[0] + (wide)a->l[2] * s2 + (uint64_t)(d0 >> 44);
    const wide d2 = (wide)a->l[0] * b->l[2] + (wide)a->l[1] * b->l[1] + (wide)a->l[2] * b->l[0] + (uint64_t)(d1 >> 44);
    limbs sum = {{((uint64_t)d0 & MASK_44) + (uint64_t)(d2 >> 42) * 5, (uint64_t)d1 & MASK_44, (uint64_t)d2 & MASK_42}};
    carry(&sum);
    return sum;
}

TARGET RUNNEL_INLINE lanes multiply_lanes(lanes h, const factor *f)
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
    return (lanes){_mm512_and_si512(low0, mask_44), low1,
                   _mm512_and_si512(low2, _mm512_set1_epi64((long long)MASK_42))};
}

/* Eight blocks, each with the bit above it: lane 2 i has block i, lane 2 i + 1 block i + 4. */
TARGET RUNNEL_INLINE lanes load_blocks(const uint8_t *data)
{
    const __m512i a = _mm512_loadu_si512(data), b = _mm512_loadu_si512(data + 64);
    const __m512i low = _mm512_unpacklo_epi64(a, b), high = _mm512_unpackhi_epi64(a, b);
    const __m512i mask_44 = _mm512_set1_epi64((long long)MASK_44);
    const __m512i middle = _mm512_or_si512(_mm512_srli_epi64(low, 44), _mm512_slli_epi64(high, 20));
    return (lanes){_mm512_and_si512(low, mask_44), _mm512_and_si512(middle, mask_44),
                   _mm512_or_si512(_mm512_srli_epi64(high, 24), _mm512_set1_epi64(1ll << 40))};
}

TARGET RUNNEL_INLINE lanes add_lanes(lanes a, lanes b)
{
    return (lanes){_mm512_add_epi64(a.l0, b.l0), _mm512_add_epi64(a.l1, b.l1), _mm512_add_epi64(a.l2, b.l2)};
}

TARGET RUNNEL_INLINE factor make_factor(__m512i r0, __m512i r1, __m512i r2)
{
    const __m512i four1 = _mm512_slli_epi64(r1, 2), four2 = _mm512_slli_epi64(r2, 2);
    return (factor){r0, r1, r2, _mm512_add_epi64(four1, _mm512_slli_epi64(four1, 2)),
                    _mm512_add_epi64(four2, _mm512_slli_epi64(four2, 2))};
}

TARGET RUNNEL_INLINE factor repeat_factor(const limbs *r)
{
    return make_factor(_mm512_set1_epi64((long long)r->l[0]), _mm512_set1_epi64((long long)r->l[1]),
                       _mm512_set1_epi64((long long)r->l[2]));
}

/* For each lane the power of r, r^2 … r^8 that its last block lacks. */
#define LANES_OF(i)                                                                                                    \
    _mm512_set_epi64((long long)powers[1].l[i], (long long)powers[5].l[i], (long long)powers[2].l[i],                  \
                     (long long)powers[6].l[i], (long long)powers[3].l[i], (long long)powers[7].l[i],                  \
                     (long long)powers[4].l[i], (long long)powers[8].l[i])

/* nblocks is a multiple of BLOCKS. */
TARGET static void absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    limbs powers[LANES + 1];
    powers[0] = from_words(c->h, c->h[4]); /* the sum so far: it goes with the first block */
    powers[1] = from_words(c->r, 0);
    for (unsigned i = 2; i <= LANES; i++)
        powers[i] = multiply_limbs(&powers[(i + 1) / 2], &powers[i / 2]);
    limbs both = multiply_limbs(&powers[LANES], &powers[LANES]);
    const factor step = repeat_factor(&both);
    lanes a = load_blocks(data), b = load_blocks(data + 128);
    a = add_lanes(a, (lanes){_mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)powers[0].l[0])),
                             _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)powers[0].l[1])),
                             _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)powers[0].l[2]))});
    for (nblocks -= BLOCKS; nblocks > 0; nblocks -= BLOCKS) {
        data += 16 * BLOCKS;
        a = add_lanes(multiply_lanes(a, &step), load_blocks(data));
        b = add_lanes(multiply_lanes(b, &step), load_blocks(data + 128));
    }
    factor f = repeat_factor(&powers[LANES]);
    a = add_lanes(multiply_lanes(a, &f), b);
    f = make_factor(LANES_OF(0), LANES_OF(1), LANES_OF(2));
    a = multiply_lanes(a, &f);
    limbs sum = {{(uint64_t)_mm512_reduce_add_epi64(a.l0), (uint64_t)_mm512_reduce_add_epi64(a.l1),
                  (uint64_t)_mm512_reduce_add_epi64(a.l2)}};
    carry(&sum);
    const uint64_t low = sum.l[0] + (sum.l[1] << 44), over = low < sum.l[0];
    const uint64_t high = (sum.l[1] >> 20) + (sum.l[2] << 24) + over;
    c->h[0] = (uint32_t)low;
    c->h[1] = (uint32_t)(low >> 32);
    c->h[2] = (uint32_t)high;
    c->h[3] = (uint32_t)(high >> 32);
    c->h[4] = (uint32_t)(sum.l[2] >> 40) + (uint32_t)(high < (sum.l[1] >> 20) + over);
    runnel_wipe(powers, sizeof powers);
    runnel_wipe(&both, sizeof both);
    runnel_wipe(&f, sizeof f);
    _mm256_zeroupper();
}

const runnel_poly1305_kernel runnel_poly1305_ifma = {
    .name = RUNNEL_TEXT("ifma"),
    .citation = RUNNEL_TEXT("vectorisation after Goll, Gueron, 2015, in limbs of 44 bits"),
    .cpu = RUNNEL_CPU_AVX2 | RUNNEL_CPU_AVX512 | RUNNEL_CPU_IFMA,
    .least = 32,
    .blocks = BLOCKS,
    .absorb = absorb,
};

#endif
