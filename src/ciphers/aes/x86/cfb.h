/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CFB of the x86 kernels. In encryption, as in ccm.h, a block is its rounds' latency and nothing more: the text is added
 * with the last round key, together with the next block's first one, which is taken away again beside the chain. The
 * includer defines TARGET and includes the vectors of its width. */
#ifndef AES_X86_CFB_H
#define AES_X86_CFB_H

#include "group.h"
#include "one_block.h"
#include "tail.h"

TARGET static void aes_cfb(const void *state, uint8_t *reg, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    const __m128i *keys = (const void *)s->keys.bytes, *last = keys + s->rounds;
    const __m128i first = _mm_loadu_si128(keys), last_and_first = _mm_xor_si128(_mm_loadu_si128(last), first);
    __m128i x = _mm_xor_si128(_mm_loadu_si128((const void *)reg), first), made;
    do {
        const __m128i added = _mm_xor_si128(last_and_first, _mm_loadu_si128((const void *)in));
        RUNNEL_UNROLL
        for (int i = 1; i < 10; i++)
            x = _mm_aesenc_si128(x, _mm_loadu_si128(keys + i));
        for (const __m128i *key = keys + 10; key != last; key++)
            x = _mm_aesenc_si128(x, _mm_loadu_si128(key));
        x = _mm_aesenclast_si128(x, added);
        made = _mm_xor_si128(x, first);
        _mm_storeu_si128((void *)out, made);
        in += 16;
        out += 16;
    } while (--nblocks > 0);
    _mm_storeu_si128((void *)reg, made);
}

/* Groups from the message's end on: what a group needs is there, in place too. The first block, and only it, needs `last`. */
TARGET static void aes_cfb_decrypt(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    const __m128i next = _mm_loadu_si128((const void *)(in + 16 * (nblocks - 1)));
    const __m128i key = aes_load_block(s->keys.bytes[0]);
    const vector base = vector_repeat(key);
    while (nblocks > AES_GROUP) {
        nblocks -= AES_GROUP;
        aes_group_from_table(s, in + 16 * (nblocks - 1), base, 0, NULL, base, out + 16 * nblocks, in + 16 * nblocks);
    }
    if (nblocks > 1)
        aes_partial_group(s, in, _mm_setzero_si128(), key, 0, NULL, key, out + 16, in + 16, 16 * (nblocks - 1), NULL);
    vector_clear_upper();
    aes_xor_one(s, _mm_loadu_si128((const void *)last), out, in);
    _mm_storeu_si128((void *)last, next);
}

#endif
