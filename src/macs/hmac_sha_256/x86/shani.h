/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-256's blocks by the SHA extensions, four rounds at a time. */
#include "arch/x86/upper_halves.h"
#include "macs/hmac_sha_256/kernels.h"
#include "macs/hmac_sha_256/sha_256_constants.h"

#define TARGET RUNNEL_TARGET("sha,sse4.1")

typedef struct hmac_sha_256_stream {
    __m128i abef, cdgh;
    __m128i words[4]; /* the latest 16 of the message schedule */
} hmac_sha_256_stream;

TARGET RUNNEL_INLINE void hmac_sha_256_load_state(hmac_sha_256_stream *s, const uint32_t *state)
{
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const void *)state), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(state + 4)), 0x1b);
    s->abef = _mm_alignr_epi8(cdab, efgh, 8);
    s->cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
}

TARGET RUNNEL_INLINE void hmac_sha_256_store_state(const hmac_sha_256_stream *s, uint32_t *state)
{
    const __m128i feba = _mm_shuffle_epi32(s->abef, 0x1b), dchg = _mm_shuffle_epi32(s->cdgh, 0xb1);
    _mm_storeu_si128((void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

TARGET RUNNEL_INLINE void hmac_sha_256_load_words(hmac_sha_256_stream *s, const uint8_t *block)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    for (unsigned i = 0; i < 4; i++)
        s->words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(block + 16 * i)), swap);
}

/* Rounds 4 i to 4 i + 3, and the schedule's words for later ones. i is a constant for the compiler. */
TARGET RUNNEL_INLINE void hmac_sha_256_four_rounds(hmac_sha_256_stream *s, unsigned i)
{
    __m128i *const now = &s->words[i % 4], *const next = &s->words[(i + 1) % 4], *const last = &s->words[(i + 3) % 4];
    const __m128i sum = _mm_add_epi32(*now, _mm_loadu_si128((const void *)(sha_256_constants + 4 * i)));
    s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, sum);
    if (i >= 3 && i < 15)
        *next = _mm_sha256msg2_epu32(_mm_add_epi32(*next, _mm_alignr_epi8(*now, *last, 4)), *now);
    s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(sum, 0x0e));
    if (i >= 1 && i < 13)
        *last = _mm_sha256msg1_epu32(*last, *now);
}
