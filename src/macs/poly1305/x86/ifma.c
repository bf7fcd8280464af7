/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Poly1305 by products of 52 bits, two sums of eight blocks side by side, because each step of a sum depends on the one
 * before. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#include "ifma_lanes.h"

/* nblocks is a multiple of BLOCKS. */
IFMA static void absorb(runnel_poly1305 *c, const uint8_t *data, size_t nblocks)
{
    limbs44 powers[LANES + 1], both;
    powers[0] = limbs44_from_words(c->h, c->h[4]); /* the sum so far: it goes with the first block */
    limbs44_powers(powers, c->r, LANES);
    both = limbs44_multiply(&powers[LANES], &powers[LANES]);
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
    const limbs44 sum = add_up(a, b, powers);
    limbs44_to_words(c->h, &sum);
    runnel_wipe(powers, sizeof powers);
    runnel_wipe(&both, sizeof both);
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
