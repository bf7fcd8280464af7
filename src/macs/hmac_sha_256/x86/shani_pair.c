/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two messages: the rounds of one run while those of the other wait for themselves. */
#include "macs/hmac_sha_256/kernels.h"

#if RUNNEL_X86_64
#include "shani.h"

TARGET static void hmac_sha_256_compress(uint32_t *const *states, const uint8_t *const *in, size_t nblocks)
{
    const uint8_t *p = in[0], *q = in[1];
    hmac_sha_256_stream s, t;
    runnel_clear_upper_halves();
    hmac_sha_256_load_state(&s, states[0]);
    hmac_sha_256_load_state(&t, states[1]);
    for (; nblocks > 0; nblocks--, p += 64, q += 64) {
        const hmac_sha_256_stream before[2] = {s, t};
        hmac_sha_256_load_words(&s, p);
        hmac_sha_256_load_words(&t, q);
        RUNNEL_UNROLL
        for (unsigned i = 0; i < 16; i++) {
            hmac_sha_256_four_rounds(&s, i);
            hmac_sha_256_four_rounds(&t, i);
        }
        s.abef = _mm_add_epi32(s.abef, before[0].abef);
        s.cdgh = _mm_add_epi32(s.cdgh, before[0].cdgh);
        t.abef = _mm_add_epi32(t.abef, before[1].abef);
        t.cdgh = _mm_add_epi32(t.cdgh, before[1].cdgh);
    }
    hmac_sha_256_store_state(&s, states[0]);
    hmac_sha_256_store_state(&t, states[1]);
}

const runnel_sha_256_kernel runnel_hmac_sha_256_shani_pair = {
    .name = RUNNEL_TEXT("shani-pair"),
    .citation = RUNNEL_TEXT("Gulley et al.: Intel SHA Extensions, 2013; two interleaved"),
    .cpu = RUNNEL_CPU_SHA,
    .lanes = 2,
    .worth = 2,
    .compress = hmac_sha_256_compress,
};

#endif
