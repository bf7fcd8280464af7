/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-1 by the Armv8 instructions: four rounds each, and two for the schedule. */
#include "macs/hmac_sha_1/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#define TARGET __attribute__((target("+crypto")))

/* Rounds 4 i to 4 i + 3, and from the fifth group on their words. */
#define GROUP(function, i)                                                                                             \
    do {                                                                                                               \
        if (i >= 4)                                                                                                    \
            w[i % 4] = vsha1su1q_u32(vsha1su0q_u32(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4]), w[(i + 3) % 4]);         \
        const uint32x4_t sum = vaddq_u32(w[i % 4], vdupq_n_u32(constants[i / 5]));                                     \
        const uint32_t next = vsha1h_u32(vgetq_lane_u32(abcd, 0));                                                     \
        abcd = function(abcd, e, sum);                                                                                 \
        e = next;                                                                                                      \
    } while (0)
#define FIVE_GROUPS(function, from)                                                                                    \
    GROUP(function, from);                                                                                             \
    GROUP(function, (from + 1));                                                                                       \
    GROUP(function, (from + 2));                                                                                       \
    GROUP(function, (from + 3));                                                                                       \
    GROUP(function, (from + 4))

TARGET static void hmac_sha_1_compress(uint32_t *state, const uint8_t *data, size_t nblocks)
{
    static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32x4_t abcd = vld1q_u32(state);
    uint32_t e = state[4];
    for (; nblocks > 0; nblocks--, data += RUNNEL_SHA_1_BLOCK) {
        const uint32x4_t abcd_before = abcd;
        const uint32_t e_before = e;
        uint32x4_t w[4];
        for (unsigned i = 0; i < 4; i++)
            w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
        FIVE_GROUPS(vsha1cq_u32, 0);
        FIVE_GROUPS(vsha1pq_u32, 5);
        FIVE_GROUPS(vsha1mq_u32, 10);
        FIVE_GROUPS(vsha1pq_u32, 15);
        abcd = vaddq_u32(abcd, abcd_before);
        e += e_before;
    }
    vst1q_u32(state, abcd);
    state[4] = e;
}

const runnel_hmac_sha_1_kernel runnel_hmac_sha_1_sha1 = {
    .name = RUNNEL_TEXT("sha1"),
    .citation = RUNNEL_TEXT("Arm Architecture Reference Manual: SHA1C, SHA1P, SHA1M"),
    .cpu = RUNNEL_CPU_SHA,
    .compress = hmac_sha_1_compress,
};

#endif
