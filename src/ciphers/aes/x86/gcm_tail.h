/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM of less than a group: a few vectors after another, the last of them in part, and a message's end, which has the
 * tag too. All of it stays in registers: there is nothing to wipe. The includer defines TARGET and includes the vectors of its
 * width. */
#ifndef AES_X86_GCM_TAIL_H
#define AES_X86_GCM_TAIL_H

#include "arch/common/barrier.h"
#include "gcm_group.h"
#include "macs/ghash/x86/multiply.h"
#include "one_block.h"
#include "rounds.h"

/* A message's last block for the sum. */
TARGET RUNNEL_INLINE __m128i aes_lengths_of(const runnel_aead_message *m)
{
    uint64_t aad_bits = (uint64_t)m->aad_bytes << 3, bits = (uint64_t)m->bytes << 3;
    RUNNEL_VALUE_BARRIER(aad_bits); /* or gcc loads both at once, which waits for the stores before */
    RUNNEL_VALUE_BARRIER(bits);
    return _mm_set_epi64x((long long)aad_bits, (long long)bits);
}

/* n vectors, 1 to 4, the last one with `last` bytes, and their ciphertext into the sum. n is a constant. */
TARGET RUNNEL_INLINE void aes_crypt_vectors(aes_position *at, const int n, vector *counters, size_t last, int decrypt)
{
    const runnel_aes_schedule *s = at->schedule;
    const vector k = vector_repeat_at(s->keys.bytes[0]);
    vector x[4], text[4];
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        x[i] = vector_xor(vector_shuffle_bytes(*counters, aes_swap_word_3()), k);
        *counters = vector_add32(*counters, vector_repeat(_mm_set_epi32(LANES, 0, 0, 0)));
    }
    aes_rounds_to_2(x, n, s, 0);
    const vector last_key = vector_repeat_at(aes_gcm_rounds_from_3(x, n, s));
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        const uint8_t *in = at->in + VECTOR_BYTES * i;
        text[i] = i < n - 1 ? vector_load(in) : vector_load_bytes(in, last);
    }
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vector_aes_last_round(x[i], vector_xor(last_key, text[i]));
    RUNNEL_UNROLL
    for (int i = 0; i < n - 1; i++)
        vector_store(at->out + VECTOR_BYTES * i, x[i]);
    vector_store_bytes(at->out + VECTOR_BYTES * (n - 1), x[n - 1], last);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        if (!decrypt)
            text[i] = i < n - 1 ? x[i] : vector_keep_bytes(x[i], last);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        ghash_add_product(&at->sum, vector_xor(at->y, ghash_swap_bytes(text[i])),
                          ghash_load_power(at->power + VECTOR_BYTES * i));
        at->y = vector_repeat(_mm_setzero_si128());
    }
    at->in += VECTOR_BYTES * n;
    at->out += VECTOR_BYTES * n;
    at->power += VECTOR_BYTES * n;
}

/* The counter blocks of the next vector, in the machine's byte order. */
TARGET RUNNEL_INLINE vector aes_next_counters(const aes_position *at)
{
    const vector first = vector_add32(vector_lane_numbers(), vector_repeat(_mm_set_epi32(2, 0, 0, 0)));
    return vector_add32(vector_repeat(at->counter), first);
}

/* Fewer bytes than a group has, into the sum, with the powers from at->power on. */
TARGET RUNNEL_INLINE void aes_crypt_tail(aes_position *at, size_t bytes, int decrypt)
{
    vector counters = aes_next_counters(at);
    size_t vectors = (bytes + VECTOR_BYTES - 1) / VECTOR_BYTES;
    const size_t last = bytes - VECTOR_BYTES * (vectors - 1); /* of no use if there are none */
    for (; vectors >= 4; vectors -= 4)
        aes_crypt_vectors(at, 4, &counters, vectors == 4 ? last : VECTOR_BYTES, decrypt);
    if (vectors >= 2) {
        aes_crypt_vectors(at, 2, &counters, vectors == 2 ? last : VECTOR_BYTES, decrypt);
        vectors -= 2;
    }
    if (vectors > 0)
        aes_crypt_vectors(at, 1, &counters, last, decrypt);
}

/* All ones in one lane. */
TARGET RUNNEL_INLINE vector aes_lane_mask(size_t lane)
{
    static const uint64_t ones[2 * LANES - 1][2] = {[LANES - 1] = {UINT64_MAX, UINT64_MAX}};
    return vector_load(ones[LANES - 1 - lane]);
}

/* How many of `bytes` bytes are in the i-th vector. */
static inline size_t aes_bytes_of_vector(size_t bytes, int i)
{
    const size_t before = VECTOR_BYTES * (size_t)i;
    return bytes <= before ? 0 : bytes - before < VECTOR_BYTES ? bytes - before : VECTOR_BYTES;
}

enum { AES_END_VECTORS = 9 }; /* the most of a message's end */

/* The numbers of a message's first blocks, as they lie in counter blocks: 2 and on. */
#define NUMBER(n) {[15] = (n)},
#define NUMBERS(n)                                                                                                     \
    NUMBER(n)                                                                                                          \
    NUMBER(n + 1)                                                                                                      \
    NUMBER(n + 2) NUMBER(n + 3) NUMBER(n + 4) NUMBER(n + 5) NUMBER(n + 6) NUMBER(n + 7) NUMBER(n + 8)
static const RUNNEL_LINE_ALIGNED uint8_t aes_first_numbers[AES_END_VECTORS * LANES][16] = {NUMBERS(2)
#if LANES > 1
                                                                                               NUMBERS(11)
#endif
#if LANES > 2
                                                                                                   NUMBERS(20)
                                                                                                       NUMBERS(29)
#endif
};

/* The lane, in a message's last vector, of the block that masks the tag. */
static inline size_t aes_end_lane(size_t bytes)
{
    return (bytes + 15) / 16 % LANES;
}

/* Where a message's end begins: with its first block, or where the counter blocks are these. */
typedef struct aes_end_at {
    const int first;
    vector counters;
} aes_end_at;

/* The states before round 1 of n vectors, with the block that masks the tag in the lane of the last one. */
TARGET RUNNEL_INLINE void aes_begin_end(vector *x, const int n, const runnel_aes_schedule *s, aes_end_at from,
                                        vector in_lane, __m128i nonce)
{
    const vector one = vector_repeat(_mm_set_epi32(1 << 24, 0, 0, 0));
    const vector k = vector_repeat_at(s->keys.bytes[0]);
    const vector block_0 = vector_repeat(nonce), base = vector_xor(k, block_0);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        if (from.first) {
            vector number = vector_load(aes_first_numbers[LANES * i]);
            if (i == n - 1)
                number = vector_xor(number, vector_and(in_lane, vector_xor(number, one)));
            x[i] = vector_xor(base, number);
            continue;
        }
        vector counter = vector_shuffle_bytes(from.counters, aes_swap_word_3());
        if (i == n - 1)
            counter = vector_xor(counter, vector_and(in_lane, vector_xor3(counter, block_0, one)));
        x[i] = vector_xor(counter, k);
        from.counters = vector_add32(from.counters, vector_repeat(_mm_set_epi32(LANES, 0, 0, 0)));
    }
}

/* A message's end, n vectors after all rounds but the last: x, of which aes_begin_end made the first states with the
 * lane of the tag's mask, in_lane. n is a constant. */
TARGET RUNNEL_INLINE void aes_end_after_rounds(aes_position *at, vector *x, const int n, vector last_key,
                                               vector in_lane, size_t bytes, const runnel_aead_message *m, uint8_t *tag)
{
    vector text[AES_END_VECTORS];
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        const size_t part = aes_bytes_of_vector(bytes, i);
        text[i] = vector_zero();
        if (i < n - 2)
            text[i] = vector_load(at->in + VECTOR_BYTES * i);
        else if (part > 0)
            text[i] = vector_load_bytes(at->in + VECTOR_BYTES * i, part);
    }
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vector_aes_last_round(x[i], vector_xor(last_key, text[i]));
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        const size_t part = aes_bytes_of_vector(bytes, i);
        if (i < n - 2)
            vector_store(at->out + VECTOR_BYTES * i, x[i]);
        else if (part > 0)
            vector_store_bytes(at->out + VECTOR_BYTES * i, x[i], part);
    }
    const __m128i mask = vector_block(x[n - 1], aes_end_lane(bytes));
    if (!m->decrypt) {
        RUNNEL_UNROLL
        for (int i = 0; i < n; i++) {
            const size_t part = aes_bytes_of_vector(bytes, i);
            text[i] = i < n - 2 ? x[i] : part > 0 ? vector_keep_bytes(x[i], part) : vector_zero();
        }
    }
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        vector hashed = ghash_swap_bytes(text[i]);
        if (i == n - 1)
            hashed = vector_xor(hashed, vector_and(in_lane, vector_repeat(aes_lengths_of(m))));
        ghash_add_product(&at->sum, vector_xor(at->y, hashed), ghash_load_power(at->power + VECTOR_BYTES * i));
        at->y = vector_zero();
    }
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_storeu_si128((void *)tag,
                     _mm_xor_si128(mask, _mm_shuffle_epi8(vector_sum_lanes(ghash_reduce(at->sum)), order)));
}

/* A message's end, n vectors: at most n * LANES - 1 blocks, and behind them, in a lane of the last vector, the block that
 * masks the tag; in the sum the lengths have its place. n is a constant. */
TARGET RUNNEL_INLINE void aes_crypt_end(aes_position *at, const int n, aes_end_at from, size_t bytes, __m128i nonce,
                                        const runnel_aead_message *m, uint8_t *tag)
{
    const runnel_aes_schedule *s = at->schedule;
    const vector in_lane = aes_lane_mask(aes_end_lane(bytes));
    vector x[AES_END_VECTORS];
    aes_begin_end(x, n, s, from, in_lane, nonce);
    aes_rounds_to_2(x, n, s, 0);
    const vector last_key = vector_repeat_at(aes_gcm_rounds_from_3(x, n, s));
    aes_end_after_rounds(at, x, n, last_key, in_lane, bytes, m, tag);
}

/* The same of at most `most` vectors of text, 4 or 8, a constant. */
TARGET RUNNEL_INLINE void aes_crypt_some_end(aes_position *at, const int most, aes_end_at from, size_t bytes,
                                             __m128i nonce, const runnel_aead_message *m, uint8_t *tag)
{
    const size_t blocks = (bytes + 15) / 16;
    if (blocks < LANES)
        aes_crypt_end(at, 1, from, bytes, nonce, m, tag);
    else if (blocks < 2 * LANES)
        aes_crypt_end(at, 2, from, bytes, nonce, m, tag);
    else if (blocks < 3 * LANES)
        aes_crypt_end(at, 3, from, bytes, nonce, m, tag);
    else if (blocks < 4 * LANES)
        aes_crypt_end(at, 4, from, bytes, nonce, m, tag);
    else if (most == 4 || blocks < 5 * LANES)
        aes_crypt_end(at, 5, from, bytes, nonce, m, tag);
    else if (blocks < 6 * LANES)
        aes_crypt_end(at, 6, from, bytes, nonce, m, tag);
    else if (blocks < 7 * LANES)
        aes_crypt_end(at, 7, from, bytes, nonce, m, tag);
    else if (blocks < 8 * LANES)
        aes_crypt_end(at, 8, from, bytes, nonce, m, tag);
    else
        aes_crypt_end(at, 9, from, bytes, nonce, m, tag);
    vector_clear_upper();
}

/* The rest of a message and its tag, into the sum that is there, with the powers from at->power on. */
TARGET RUNNEL_INLINE void aes_finish(aes_position *at, size_t rest, __m128i nonce, const runnel_aead_message *m,
                                     uint8_t *tag)
{
    aes_end_at from = {0, aes_next_counters(at)};
    for (; rest > 4 * VECTOR_BYTES; rest -= 4 * VECTOR_BYTES)
        aes_crypt_vectors(at, 4, &from.counters, VECTOR_BYTES, m->decrypt);
    aes_crypt_some_end(at, 4, from, rest, nonce, m, tag);
}

#endif
