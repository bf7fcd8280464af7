/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One message: each pair of rounds waits for the pair before, 4 cycles. */
#include "macs/hmac_sha_256/kernels.h"

#if RUNNEL_X86_64
#include "shani.h"

TARGET static void hmac_sha_256_compress(uint32_t *const *states, const uint8_t *const *in, size_t nblocks)
{
    const uint8_t *p = in[0];
    hmac_sha_256_stream s;
    runnel_clear_upper_halves();
    hmac_sha_256_load_state(&s, states[0]);
    for (; nblocks > 0; nblocks--, p += 64) {
        const __m128i abef = s.abef, cdgh = s.cdgh;
        hmac_sha_256_load_words(&s, p);
        RUNNEL_UNROLL
        for (unsigned i = 0; i < 16; i++)
            hmac_sha_256_four_rounds(&s, i);
        s.abef = _mm_add_epi32(s.abef, abef);
        s.cdgh = _mm_add_epi32(s.cdgh, cdgh);
    }
    hmac_sha_256_store_state(&s, states[0]);
}

const runnel_sha_256_kernel runnel_hmac_sha_256_shani = {
    .name = RUNNEL_TEXT("shani"),
    .citation = RUNNEL_TEXT("Gulley et al.: Intel SHA Extensions, 2013"),
    .cpu = RUNNEL_CPU_SHA,
    .lanes = 1,
    .worth = 1,
    .compress = hmac_sha_256_compress,
};

#endif
