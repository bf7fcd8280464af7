/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM of less than a group: a few vectors after another, the last of them in part. The includer defines TARGET and
 * includes the vectors of its width. */
#ifndef AES_X86_GCM_TAIL_H
#define AES_X86_GCM_TAIL_H

#include <string.h>

#include "arch/common/wipe.h"
#include "gcm_group.h"
#include "macs/ghash/x86/multiply.h"
#include "one_block.h"
#include "rounds.h"

/* 1 to VECTOR_BYTES bytes of a vector. Only those of 512 bits have masks: without, there are whole vectors only. */
#if LANES == 4
TARGET RUNNEL_INLINE vector aes_load_some(const uint8_t *p, size_t bytes)
{
    return vector_load_bytes(p, bytes);
}

TARGET RUNNEL_INLINE void aes_store_some(uint8_t *p, vector v, size_t bytes)
{
    vector_store_bytes(p, v, bytes);
}

TARGET RUNNEL_INLINE vector aes_keep_some(vector v, size_t bytes)
{
    return vector_keep_bytes(v, bytes);
}
#else
TARGET RUNNEL_INLINE vector aes_load_some(const uint8_t *p, size_t bytes)
{
    (void)bytes;
    return vector_load(p);
}

TARGET RUNNEL_INLINE void aes_store_some(uint8_t *p, vector v, size_t bytes)
{
    (void)bytes;
    vector_store(p, v);
}

TARGET RUNNEL_INLINE vector aes_keep_some(vector v, size_t bytes)
{
    (void)bytes;
    return v;
}
#endif

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
        text[i] = i < n - 1 ? vector_load(in) : aes_load_some(in, last);
    }
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vector_aes_last_round(x[i], vector_xor(last_key, text[i]));
    RUNNEL_UNROLL
    for (int i = 0; i < n - 1; i++)
        vector_store(at->out + VECTOR_BYTES * i, x[i]);
    aes_store_some(at->out + VECTOR_BYTES * (n - 1), x[n - 1], last);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        if (!decrypt)
            text[i] = i < n - 1 ? x[i] : aes_keep_some(x[i], last);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++) {
        ghash_add_product(&at->sum, vector_xor(at->y, ghash_swap_bytes(text[i])),
                          vector_load(at->power + VECTOR_BYTES * i));
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
#if LANES == 4
TARGET RUNNEL_INLINE void aes_crypt_tail(aes_position *at, size_t bytes, int decrypt)
{
    vector counters = aes_next_counters(at);
    size_t vectors = (bytes + 63) / 64;
    const size_t last = bytes - 64 * (vectors - 1); /* of no use if there are none */
    for (; vectors >= 4; vectors -= 4)
        aes_crypt_vectors(at, 4, &counters, vectors == 4 ? last : 64, decrypt);
    if (vectors >= 2) {
        aes_crypt_vectors(at, 2, &counters, vectors == 2 ? last : 64, decrypt);
        vectors -= 2;
    }
    if (vectors > 0)
        aes_crypt_vectors(at, 1, &counters, last, decrypt);
}
#else
TARGET RUNNEL_INLINE void aes_crypt_tail(aes_position *at, size_t bytes, int decrypt)
{
    vector counters = aes_next_counters(at);
    size_t vectors = bytes / VECTOR_BYTES;
    bytes -= VECTOR_BYTES * vectors;
    for (; vectors >= 4; vectors -= 4)
        aes_crypt_vectors(at, 4, &counters, VECTOR_BYTES, decrypt);
    if (vectors >= 2) {
        aes_crypt_vectors(at, 2, &counters, VECTOR_BYTES, decrypt);
        vectors -= 2;
    }
    if (vectors > 0)
        aes_crypt_vectors(at, 1, &counters, VECTOR_BYTES, decrypt);
    if (bytes == 0)
        return;
    /* Encrypted together with the zeros behind it, then hashed; a missing block after it counts as zeros. */
    uint8_t text[VECTOR_BYTES] = {0};
    aes_position part = *at;
    memcpy(text, at->in, bytes);
    const vector before = vector_load(text);
    part.in = text;
    part.out = text;
    aes_crypt_vectors(&part, 1, &counters, VECTOR_BYTES, decrypt);
    memcpy(at->out, text, bytes);
    memset(text + bytes, 0, sizeof text - bytes);
    ghash_add_product(&at->sum, vector_xor(at->y, ghash_swap_bytes(decrypt ? before : vector_load(text))),
                      vector_load(at->power));
    at->y = vector_repeat(_mm_setzero_si128());
    runnel_wipe(text, sizeof text);
}
#endif

#endif
