/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on 128-bit registers with AES-NI. */
#include "../../core/x86.h"
#include "../../core/wipe.h"
#include "aes_kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,sse4.1,ssse3")

TARGET static uint32_t sub_word(uint32_t w)
{
    return (uint32_t)_mm_cvtsi128_si32(_mm_aeskeygenassist_si128(_mm_set1_epi32((int)w), 0));
}

TARGET static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    const unsigned nk = (unsigned)key_bytes / 4;
    s->rounds = nk + 6;
    uint32_t w[60], rcon = 1;
    memcpy(w, key, key_bytes);
    for (unsigned i = nk; i < 4 * (s->rounds + 1); i++) {
        uint32_t t = w[i - 1];
        if (i % nk == 0) {
            t = sub_word(t);
            t = (t >> 8 | t << 24) ^ rcon;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        } else if (nk == 8 && i % nk == 4) {
            t = sub_word(t);
        }
        w[i] = w[i - nk] ^ t;
    }
    memcpy(s->keys.bytes, w, 16 * (s->rounds + 1));
    runnel_wipe(w, sizeof w);
}

TARGET static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        __m128i x = _mm_loadu_si128((const void *)in);
        x = _mm_xor_si128(x, _mm_loadu_si128((const void *)s->keys.bytes[0]));
        for (unsigned r = 1; r < s->rounds; r++)
            x = _mm_aesenc_si128(x, _mm_loadu_si128((const void *)s->keys.bytes[r]));
        x = _mm_aesenclast_si128(x, _mm_loadu_si128((const void *)s->keys.bytes[s->rounds]));
        _mm_storeu_si128((void *)out, x);
    }
}

const runnel_kernel runnel_aes_x86_aesni = {
    .name = "aesni",
    .source = "AES-NI, one block at a time",
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .encrypt_blocks = encrypt_blocks,
};

#endif
