/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CBC-MAC and CCM of the x86 kernels. A chain waits for itself: 128 bits at a time, whatever the width, and
 * counter blocks are encrypted between its rounds for nothing. Eight messages side by side fill the processor.
 *
 * The block that follows is added with the last round key, together with the first one: a chain is its rounds' latency
 * and nothing more. The includer defines TARGET and includes the vectors of its width. */
#ifndef AES_X86_CCM_H
#define AES_X86_CCM_H

#include "one_block.h"
#include "rounds.h"

TARGET RUNNEL_INLINE __m128i aes_load_one(const void *p)
{
    return _mm_loadu_si128(p);
}

TARGET static void aes_chain(const void *state, uint8_t *mac, const uint8_t *blocks, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    const __m128i *keys = (const void *)s->keys.bytes, *last = keys + s->rounds;
    const __m128i last_and_first = _mm_xor_si128(aes_load_one(last), aes_load_one(keys));
    __m128i x = _mm_xor_si128(_mm_xor_si128(aes_load_one(mac), aes_load_one(keys)), aes_load_one(blocks));
    for (;;) {
        RUNNEL_UNROLL
        for (int i = 1; i < 10; i++)
            x = _mm_aesenc_si128(x, aes_load_one(keys + i));
        for (const __m128i *key = keys + 10; key != last; key++)
            x = _mm_aesenc_si128(x, aes_load_one(key));
        if (--nblocks == 0)
            break;
        blocks += 16;
        x = _mm_aesenclast_si128(x, _mm_xor_si128(last_and_first, aes_load_one(blocks)));
    }
    _mm_storeu_si128((void *)mac, _mm_aesenclast_si128(x, aes_load_one(last)));
}

/* The keystream is made a block ahead: when opening, the chain needs what it decrypts. */
TARGET static void aes_ccm(const void *state, uint8_t *mac, const uint8_t *block, uint8_t *out, const uint8_t *in,
                           size_t nblocks, int decrypt)
{
    const runnel_aes_schedule *s = state;
    const __m128i *keys = (const void *)s->keys.bytes, *last = keys + s->rounds;
    const __m128i first = aes_load_one(keys), last_and_first = _mm_xor_si128(aes_load_one(last), first);
    const __m128i opening = _mm_set1_epi8((char)-decrypt);
    const __m128i one = _mm_set_epi32(1, 0, 0, 0);
    __m128i stream = aes_load_block(block), counter = _mm_shuffle_epi8(stream, aes_swap_word_3());
    stream = _mm_xor_si128(stream, first);
    for (const __m128i *key = keys + 1; key != last; key++)
        stream = _mm_aesenc_si128(stream, aes_load_one(key));
    stream = _mm_aesenclast_si128(stream, aes_load_one(last));
    __m128i x = _mm_xor_si128(aes_load_one(mac), first);
    for (int begun = 0;; begun = 1) {
        const __m128i text = aes_load_one(in), plain = _mm_xor_si128(text, _mm_and_si128(stream, opening));
        _mm_storeu_si128((void *)out, _mm_xor_si128(text, stream));
        if (begun)
            x = _mm_aesenclast_si128(x, _mm_xor_si128(last_and_first, plain));
        else
            x = _mm_xor_si128(x, plain);
        counter = _mm_add_epi32(counter, one);
        stream = _mm_xor_si128(_mm_shuffle_epi8(counter, aes_swap_word_3()), first);
        RUNNEL_UNROLL
        for (int i = 1; i < 10; i++) {
            x = _mm_aesenc_si128(x, aes_load_one(keys + i));
            stream = _mm_aesenc_si128(stream, aes_load_one(keys + i));
        }
        for (const __m128i *key = keys + 10; key != last; key++) {
            x = _mm_aesenc_si128(x, aes_load_one(key));
            stream = _mm_aesenc_si128(stream, aes_load_one(key));
        }
        stream = _mm_aesenclast_si128(stream, aes_load_one(last));
        if (--nblocks == 0)
            break;
        in += 16;
        out += 16;
    }
    _mm_storeu_si128((void *)mac, _mm_aesenclast_si128(x, aes_load_one(last)));
}

/* The vectors in flight: chains, and as many of keystream. */
enum { AES_CHAINS = LANES == 4 ? 2 : 4 };

TARGET RUNNEL_INLINE void aes_last_rounds(vector x[AES_CHAINS], const uint8_t *last)
{
    const vector k = vector_repeat_at(last);
    RUNNEL_UNROLL
    for (int i = 0; i < AES_CHAINS; i++)
        x[i] = vector_aes_last_round(x[i], k);
}

/* As ccm, on the lanes from `lane` on; `decrypt` is a constant. */
TARGET RUNNEL_INLINE void aes_ccm_some_lanes(const runnel_aes_schedule *s, runnel_ccm_lanes *l, size_t lane,
                                             size_t nblocks, int decrypt)
{
    const uint8_t *keys = s->keys.bytes[0], *last = s->keys.bytes[s->rounds];
    const vector first = vector_repeat_at(keys), one = vector_repeat(_mm_set_epi32(1, 0, 0, 0));
    const __m128i order = aes_swap_word_3();
    vector x[AES_CHAINS], stream[AES_CHAINS],
        count[AES_CHAINS]; /* the next counter blocks, in the machine's byte order */
    RUNNEL_UNROLL
    for (int i = 0; i < AES_CHAINS; i++) {
        x[i] = vector_xor(vector_load(l->macs[lane + LANES * (size_t)i]), first);
        count[i] = vector_load(l->counters[lane + LANES * (size_t)i]);
        stream[i] = vector_xor(count[i], first);
        count[i] = vector_shuffle_bytes(count[i], order);
    }
    for (const uint8_t *key = keys + 16; key != last; key += 16)
        aes_encrypt_round(stream, AES_CHAINS, key);
    aes_last_rounds(stream, last);
    for (size_t at = 0; at < 16 * nblocks; at += 16) {
        const vector last_and_first =
            at == 0 ? vector_repeat(_mm_setzero_si128()) : vector_xor(vector_repeat_at(last), first);
        RUNNEL_UNROLL
        for (int i = 0; i < AES_CHAINS; i++) {
            const size_t number = lane + LANES * (size_t)i;
            const vector text = vector_gather(l->in + number, at), result = vector_xor(text, stream[i]);
            vector_scatter(l->out + number, at, result);
            const vector added = vector_xor(last_and_first, decrypt ? result : text);
            x[i] = at == 0 ? vector_xor(x[i], added) : vector_aes_last_round(x[i], added);
            count[i] = vector_add32(count[i], one);
            stream[i] = vector_xor(vector_shuffle_bytes(count[i], order), first);
        }
        const uint8_t *key = keys + 16;
        RUNNEL_UNROLL
        for (int r = 1; r < 10; r++, key += 16) {
            aes_encrypt_round(x, AES_CHAINS, key);
            aes_encrypt_round(stream, AES_CHAINS, key);
        }
        for (; key != last; key += 16) {
            aes_encrypt_round(x, AES_CHAINS, key);
            aes_encrypt_round(stream, AES_CHAINS, key);
        }
        aes_last_rounds(stream, last);
    }
    aes_last_rounds(x, last);
    RUNNEL_UNROLL
    for (int i = 0; i < AES_CHAINS; i++) {
        vector_store(l->macs[lane + LANES * (size_t)i], x[i]);
        vector_store(l->counters[lane + LANES * (size_t)i], vector_shuffle_bytes(count[i], order));
    }
}

TARGET static void aes_ccm_lanes(const void *state, runnel_ccm_lanes *l, size_t nblocks, int decrypt)
{
    for (size_t lane = 0; lane < RUNNEL_CCM_LANES; lane += AES_CHAINS * LANES)
        if (decrypt)
            aes_ccm_some_lanes(state, l, lane, nblocks, 1);
        else
            aes_ccm_some_lanes(state, l, lane, nblocks, 0);
    vector_clear_upper();
}

#endif
