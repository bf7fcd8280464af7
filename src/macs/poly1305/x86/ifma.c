/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 by products of 52 bits, two sums of eight blocks side by side, because each step of a sum depends on the one
 * before. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#include "ifma_lanes.h"

static poly1305_limbs44 *poly1305_powers_of(runnel_poly1305 *c)
{
    _Static_assert(sizeof c->powers >= (POLY1305_LANES + 1) * sizeof(poly1305_limbs44), "room for them");
    return (poly1305_limbs44 *)(void *)c->powers;
}

static void poly1305_make_powers(runnel_poly1305 *c)
{
    poly1305_limbs44_powers(poly1305_powers_of(c), c->r, POLY1305_LANES);
}

/* nblocks is a multiple of BLOCKS. */
IFMA static void poly1305_absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    const poly1305_limbs44 *powers = poly1305_powers_of(c), start = poly1305_limbs44_from_words(c->h, c->h[4]);
    const poly1305_factor step = poly1305_repeat_factor(&powers[0]);
    poly1305_lanes a = poly1305_load_blocks(data), b = poly1305_load_blocks(data + 128);
    a = poly1305_add_lanes(
        a, (poly1305_lanes){_mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)start.l[0])), /* with the first block */
                            _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)start.l[1])),
                            _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)start.l[2]))});
    for (nblocks -= POLY1305_BLOCKS; nblocks > 0; nblocks -= POLY1305_BLOCKS) {
        data += 16 * POLY1305_BLOCKS;
        a = poly1305_add_lanes(poly1305_multiply_lanes(a, &step), poly1305_load_blocks(data));
        b = poly1305_add_lanes(poly1305_multiply_lanes(b, &step), poly1305_load_blocks(data + 128));
    }
    const poly1305_limbs44 sum = poly1305_add_up(a, b, powers);
    poly1305_limbs44_to_words(c->h, &sum);
    _mm256_zeroupper();
}

const runnel_poly1305_kernel runnel_poly1305_ifma = {
    .name = RUNNEL_TEXT("ifma"),
    .citation = RUNNEL_TEXT("vectorisation after Goll, Gueron, 2015, in limbs of 44 bits"),
    .cpu = RUNNEL_CPU_AVX2 | RUNNEL_CPU_AVX512 | RUNNEL_CPU_IFMA,
    .least = 32,
    .blocks = POLY1305_BLOCKS,
    .make_powers = poly1305_make_powers,
    .absorb = poly1305_absorb,
};

#endif
