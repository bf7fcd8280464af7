/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 by products of 52 bits, two sums of eight blocks side by side, because each step of a sum depends on the one
 * before. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#include "ifma_lanes.h"

static limbs44 *powers_of(runnel_poly1305 *c)
{
    _Static_assert(sizeof c->powers >= (LANES + 1) * sizeof(limbs44), "room for them");
    return (limbs44 *)(void *)c->powers;
}

static void make_powers(runnel_poly1305 *c)
{
    limbs44_powers(powers_of(c), c->r, LANES);
}

/* nblocks is a multiple of BLOCKS. */
IFMA static void absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    const limbs44 *powers = powers_of(c), start = limbs44_from_words(c->h, c->h[4]);
    const factor step = repeat_factor(&powers[0]);
    lanes a = load_blocks(data), b = load_blocks(data + 128);
    a = add_lanes(a,
                  (lanes){_mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)start.l[0])), /* with the first block */
                          _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)start.l[1])),
                          _mm512_zextsi128_si512(_mm_cvtsi64_si128((long long)start.l[2]))});
    for (nblocks -= BLOCKS; nblocks > 0; nblocks -= BLOCKS) {
        data += 16 * BLOCKS;
        a = add_lanes(multiply_lanes(a, &step), load_blocks(data));
        b = add_lanes(multiply_lanes(b, &step), load_blocks(data + 128));
    }
    const limbs44 sum = add_up(a, b, powers);
    limbs44_to_words(c->h, &sum);
    _mm256_zeroupper();
}

const runnel_poly1305_kernel runnel_poly1305_ifma = {
    .name = RUNNEL_TEXT("ifma"),
    .citation = RUNNEL_TEXT("vectorisation after Goll, Gueron, 2015, in limbs of 44 bits"),
    .cpu = RUNNEL_CPU_AVX2 | RUNNEL_CPU_AVX512 | RUNNEL_CPU_IFMA,
    .least = 32,
    .blocks = BLOCKS,
    .make_powers = make_powers,
    .absorb = absorb,
};

#endif
