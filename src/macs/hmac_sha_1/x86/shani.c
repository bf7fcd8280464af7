/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-1 by SHA-NI: four rounds an instruction, whose latency is what limits one message. */
#include "arch/x86/upper_halves.h"
#include "macs/hmac_sha_1/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("sha,sse4.1")

/* Rounds 4 i to 4 i + 3. From the fifth group on their words are made of those of the four groups before. */
#define GROUP(i)                                                                                                       \
    do {                                                                                                               \
        if (i >= 4)                                                                                                    \
            w[i % 4] = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w[i % 4], w[(i + 1) % 4]), w[(i + 2) % 4]), \
                                          w[(i + 3) % 4]);                                                             \
        const __m128i sum = i == 0 ? _mm_add_epi32(e, w[0]) : _mm_sha1nexte_epu32(e, w[i % 4]);                        \
        e = abcd;                                                                                                      \
        abcd = _mm_sha1rnds4_epu32(abcd, sum, i / 5);                                                                  \
    } while (0)

TARGET static void hmac_sha_1_compress(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    runnel_clear_upper_halves();
    const __m128i mirror = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const void *)state), 0x1b);
    __m128i e = _mm_set_epi32((int)state[4], 0, 0, 0);
    for (; nblocks > 0; nblocks--, data += RUNNEL_SHA_1_BLOCK) {
        const __m128i abcd_before = abcd, e_before = e;
        __m128i w[4];
        RUNNEL_UNROLL
        for (unsigned i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(data + 16 * i)), mirror);
        GROUP(0);
        GROUP(1);
        GROUP(2);
        GROUP(3);
        GROUP(4);
        GROUP(5);
        GROUP(6);
        GROUP(7);
        GROUP(8);
        GROUP(9);
        GROUP(10);
        GROUP(11);
        GROUP(12);
        GROUP(13);
        GROUP(14);
        GROUP(15);
        GROUP(16);
        GROUP(17);
        GROUP(18);
        GROUP(19);
        e = _mm_sha1nexte_epu32(e, e_before);
        abcd = _mm_add_epi32(abcd, abcd_before);
    }
    _mm_storeu_si128((void *)state, _mm_shuffle_epi32(abcd, 0x1b));
    state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

const runnel_hmac_sha_1_kernel runnel_hmac_sha_1_shani = {
    .name = RUNNEL_TEXT("shani"),
    .citation = RUNNEL_TEXT("Gulley, Gopal, Yap, Feghali, Guilford, Wolrich: Intel SHA Extensions"),
    .cpu = RUNNEL_CPU_SHA,
    .compress = hmac_sha_1_compress,
};

#endif
