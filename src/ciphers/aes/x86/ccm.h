/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CBC-MAC and CCM of the x86 kernels, after ctr.h. A chain waits for itself: 128 bits at a time, whatever the width, and
 * counter blocks are encrypted between its rounds for nothing. Eight messages side by side fill the processor.
 *
 * The block that follows is added with the last round key, together with the first one: a chain is its rounds' latency
 * and nothing more. */

TARGET RUNNEL_INLINE __m128i load_one(const void *p)
{
    return _mm_loadu_si128(p);
}

TARGET static void chain(const void *state, uint8_t *mac, const uint8_t *blocks, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    const __m128i *keys = (const void *)s->keys.bytes, *last = keys + s->rounds;
    const __m128i last_and_first = _mm_xor_si128(load_one(last), load_one(keys));
    __m128i x = _mm_xor_si128(_mm_xor_si128(load_one(mac), load_one(keys)), load_one(blocks));
    for (;;) {
        RUNNEL_UNROLL
        for (int i = 1; i < 10; i++)
            x = _mm_aesenc_si128(x, load_one(keys + i));
        for (const __m128i *key = keys + 10; key != last; key++)
            x = _mm_aesenc_si128(x, load_one(key));
        if (--nblocks == 0)
            break;
        blocks += 16;
        x = _mm_aesenclast_si128(x, _mm_xor_si128(last_and_first, load_one(blocks)));
    }
    _mm_storeu_si128((void *)mac, _mm_aesenclast_si128(x, load_one(last)));
}

/* The keystream is made a block ahead: when opening, the chain needs what it decrypts. */
TARGET static void ccm(const void *state, uint8_t *mac, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks, int decrypt)
{
    const runnel_aes_schedule *s = state;
    const __m128i *keys = (const void *)s->keys.bytes, *last = keys + s->rounds;
    const __m128i first = load_one(keys), last_and_first = _mm_xor_si128(load_one(last), first);
    const __m128i opening = _mm_set1_epi8((char)-decrypt);
    const __m128i one = _mm_set_epi32(1, 0, 0, 0);
    __m128i stream = load_block(block), counter = _mm_shuffle_epi8(stream, swap_word_3());
    stream = _mm_xor_si128(stream, first);
    for (const __m128i *key = keys + 1; key != last; key++)
        stream = _mm_aesenc_si128(stream, load_one(key));
    stream = _mm_aesenclast_si128(stream, load_one(last));
    __m128i x = _mm_xor_si128(load_one(mac), first);
    for (int begun = 0;; begun = 1) {
        const __m128i text = load_one(in), plain = _mm_xor_si128(text, _mm_and_si128(stream, opening));
        _mm_storeu_si128((void *)out, _mm_xor_si128(text, stream));
        if (begun)
            x = _mm_aesenclast_si128(x, _mm_xor_si128(last_and_first, plain));
        else
            x = _mm_xor_si128(x, plain);
        counter = _mm_add_epi32(counter, one);
        stream = _mm_xor_si128(_mm_shuffle_epi8(counter, swap_word_3()), first);
        RUNNEL_UNROLL
        for (int i = 1; i < 10; i++) {
            x = _mm_aesenc_si128(x, load_one(keys + i));
            stream = _mm_aesenc_si128(stream, load_one(keys + i));
        }
        for (const __m128i *key = keys + 10; key != last; key++) {
            x = _mm_aesenc_si128(x, load_one(key));
            stream = _mm_aesenc_si128(stream, load_one(key));
        }
        stream = _mm_aesenclast_si128(stream, load_one(last));
        if (--nblocks == 0)
            break;
        in += 16;
        out += 16;
    }
    _mm_storeu_si128((void *)mac, _mm_aesenclast_si128(x, load_one(last)));
}

/* LANES messages in a vector. */
#if LANES == 4
#define GATHER(p, at)                                                                                                  \
    _mm512_inserti64x4(                                                                                                \
        _mm512_castsi256_si512(                                                                                        \
            _mm256_inserti128_si256(_mm256_castsi128_si256(load_one((p)[0] + (at))), load_one((p)[1] + (at)), 1)),     \
        _mm256_inserti128_si256(_mm256_castsi128_si256(load_one((p)[2] + (at))), load_one((p)[3] + (at)), 1), 1)
#define SCATTER(p, at, v)                                                                                              \
    _mm_storeu_si128((void *)((p)[0] + (at)), _mm512_castsi512_si128(v));                                              \
    _mm_storeu_si128((void *)((p)[1] + (at)), _mm512_extracti32x4_epi32(v, 1));                                        \
    _mm_storeu_si128((void *)((p)[2] + (at)), _mm512_extracti32x4_epi32(v, 2));                                        \
    _mm_storeu_si128((void *)((p)[3] + (at)), _mm512_extracti32x4_epi32(v, 3))
#define SHUFFLE_BYTES(v, order) _mm512_shuffle_epi8(v, order)
#elif LANES == 2
#define GATHER(p, at)                                                                                                  \
    _mm256_inserti128_si256(_mm256_castsi128_si256(load_one((p)[0] + (at))), load_one((p)[1] + (at)), 1)
#define SCATTER(p, at, v)                                                                                              \
    _mm_storeu_si128((void *)((p)[0] + (at)), _mm256_castsi256_si128(v));                                              \
    _mm_storeu_si128((void *)((p)[1] + (at)), _mm256_extracti128_si256(v, 1))
#define SHUFFLE_BYTES(v, order) _mm256_shuffle_epi8(v, order)
#else
#define GATHER(p, at) load_one((p)[0] + (at))
#define SCATTER(p, at, v) _mm_storeu_si128((void *)((p)[0] + (at)), v)
#define SHUFFLE_BYTES(v, order) _mm_shuffle_epi8(v, order)
#endif

/* How many vectors are in flight: chains, and as many of keystream. */
#define CHAINS (LANES == 4 ? 2 : 4)
#define EACH_CHAIN RUNNEL_UNROLL for (int i = 0; i < CHAINS; i++)

TARGET RUNNEL_INLINE void stream_rounds(VECTOR stream[CHAINS], const uint8_t *key, const uint8_t *last)
{
    for (; key != last; key += 16) {
        const VECTOR k = REPEAT(key);
        EACH_CHAIN
        stream[i] = ENC(stream[i], k);
    }
    const VECTOR k = REPEAT(last);
    EACH_CHAIN
    stream[i] = LAST(stream[i], k);
}

/* As ccm, on the lanes from `lane` on; `decrypt` is a constant. */
TARGET RUNNEL_INLINE void ccm_some_lanes(const runnel_aes_schedule *s, runnel_ccm_lanes *l, size_t lane, size_t nblocks,
                                         int decrypt)
{
    const uint8_t *keys = s->keys.bytes[0], *last = s->keys.bytes[s->rounds];
    const VECTOR first = REPEAT(keys);
    const VECTOR order = REPEAT_REGISTER(swap_word_3()), one = REPEAT_REGISTER(_mm_set_epi32(1, 0, 0, 0));
    VECTOR x[CHAINS], stream[CHAINS], count[CHAINS]; /* the next counter blocks, their last word as ADD32 adds it */
    EACH_CHAIN
    {
        x[i] = XOR(LOAD(l->macs[lane + LANES * (size_t)i]), first);
        count[i] = LOAD(l->counters[lane + LANES * (size_t)i]);
        stream[i] = XOR(count[i], first);
        count[i] = SHUFFLE_BYTES(count[i], order);
    }
    stream_rounds(stream, keys + 16, last);
    for (size_t at = 0; at < 16 * nblocks; at += 16) {
        const VECTOR last_and_first = at == 0 ? REPEAT_REGISTER(_mm_setzero_si128()) : XOR(REPEAT(last), first);
        EACH_CHAIN
        {
            const size_t number = lane + LANES * (size_t)i;
            const VECTOR text = GATHER(l->in + number, at), result = XOR(text, stream[i]);
            SCATTER(l->out + number, at, result);
            const VECTOR added = XOR(last_and_first, decrypt ? result : text);
            x[i] = at == 0 ? XOR(x[i], added) : LAST(x[i], added);
            count[i] = ADD32(count[i], one);
            stream[i] = XOR(SHUFFLE_BYTES(count[i], order), first);
        }
        const uint8_t *key = keys + 16;
        RUNNEL_UNROLL
        for (int r = 1; r < 10; r++, key += 16) {
            const VECTOR k = REPEAT(key);
            EACH_CHAIN
            x[i] = ENC(x[i], k);
            EACH_CHAIN
            stream[i] = ENC(stream[i], k);
        }
        for (; key != last; key += 16) {
            const VECTOR k = REPEAT(key);
            EACH_CHAIN
            x[i] = ENC(x[i], k);
            EACH_CHAIN
            stream[i] = ENC(stream[i], k);
        }
        const VECTOR k = REPEAT(last);
        EACH_CHAIN
        stream[i] = LAST(stream[i], k);
    }
    const VECTOR k = REPEAT(last);
    EACH_CHAIN
    {
        STORE(l->macs[lane + LANES * (size_t)i], LAST(x[i], k));
        STORE(l->counters[lane + LANES * (size_t)i], SHUFFLE_BYTES(count[i], order));
    }
}

TARGET static void ccm_lanes(const void *state, runnel_ccm_lanes *l, size_t nblocks, int decrypt)
{
    for (size_t lane = 0; lane < RUNNEL_CCM_LANES; lane += CHAINS * LANES)
        if (decrypt)
            ccm_some_lanes(state, l, lane, nblocks, 1);
        else
            ccm_some_lanes(state, l, lane, nblocks, 0);
    CLEAR_UPPER();
}
