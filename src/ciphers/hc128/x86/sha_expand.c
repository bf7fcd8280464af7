/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The expansion of key and IV with the SHA extensions: it is SHA-256's message schedule with a number added. SHA256MSG2 makes
 * four words from those before, on which it waits; the fourth word's addend of seven words before is one of the four
 * just made, so it is added afterwards. */
#include "ciphers/hc128/kernels.h"

#include "arch/x86/upper_halves.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("sha,sse4.1")

/* The four words after w0 to w3. */
TARGET RUNNEL_INLINE __m128i hc128_expanded(__m128i w0, __m128i w1, __m128i w2, __m128i w3, __m128i numbers)
{
    const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_add_epi32(numbers, _mm_srli_si128(w2, 4)));
    return _mm_add_epi32(_mm_sha256msg2_epu32(sum, w3), _mm_slli_si128(w3, 12));
}

/* The words 0 to 255 of the expansion are thrown away. */
TARGET void runnel_hc128_expand_sha(runnel_hc128_state *s, const uint8_t *iv)
{
    runnel_clear_upper_halves();
    const __m128i four = _mm_set1_epi32(4);
    __m128i w0 = _mm_loadu_si128((const void *)s->key), w1 = w0, w2 = _mm_loadu_si128((const void *)iv), w3 = w2;
    __m128i numbers = _mm_setr_epi32(16, 17, 18, 19);
    uint32_t *to = s->words;
    for (unsigned number = 16; number < 256 + 2 * HC128_TABLE; number += 16) {
        w0 = hc128_expanded(w0, w1, w2, w3, numbers);
        numbers = _mm_add_epi32(numbers, four);
        w1 = hc128_expanded(w1, w2, w3, w0, numbers);
        numbers = _mm_add_epi32(numbers, four);
        w2 = hc128_expanded(w2, w3, w0, w1, numbers);
        numbers = _mm_add_epi32(numbers, four);
        w3 = hc128_expanded(w3, w0, w1, w2, numbers);
        numbers = _mm_add_epi32(numbers, four);
        if (number >= 256) {
            _mm_storeu_si128((void *)to, w0);
            _mm_storeu_si128((void *)(to + 4), w1);
            _mm_storeu_si128((void *)(to + 8), w2);
            _mm_storeu_si128((void *)(to + 12), w3);
            to += 16;
        }
    }
}

#endif
