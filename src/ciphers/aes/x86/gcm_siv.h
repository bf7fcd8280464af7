/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM-SIV's keys and tags on x86 vector registers, written once for every width: a kernel's file defines TARGET,
 * includes the vectors of its width and this file, and puts begin and aes_make_tag into its runnel_gcm_siv_functions.
 * The text is XORed by ctr32_little, as in counter mode.
 *
 * POLYVAL is GHASH without its reversals: a block as it lies in memory is what multiply.h makes of GHASH's by swapping
 * bytes, and the key, which GHASH's kernels multiply by x, is the first power as it is. As many blocks as there are
 * powers go into a sum before it is reduced. Each message has a key of its own, so that powers are few: GROUP. */
#ifndef AES_X86_GCM_SIV_H
#define AES_X86_GCM_SIV_H

#include <string.h>

#include "modes/gcm_siv/mode.h"
#include "arch/common/bytes.h"
#include "macs/ghash/x86/multiply.h"
#include "arch/common/wipe.h"
#include "one_block.h"
#include "rounds.h"
#include "shared.h"

/* Blocks, lengths included, that take less time on registers of 128 bits. */
#define SHORT 9

/* The first halves of n blocks, whose first words are 0, 1 … and the rest the nonce (RFC 8452, 4). */
TARGET RUNNEL_INLINE void aes_derive_halves(const runnel_aes_schedule *s, __m128i nonce, __m128i *keys, const int n)
{
    __m128i x[6], k = _mm_loadu_si128((const void *)s->keys.bytes[0]);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = _mm_xor_si128(_mm_insert_epi32(nonce, i, 0), k);
    for (unsigned r = 1; r < s->rounds; r++) {
        k = _mm_loadu_si128((const void *)s->keys.bytes[r]);
        RUNNEL_UNROLL
        for (int i = 0; i < n; i++)
            x[i] = _mm_aesenc_si128(x[i], k);
    }
    k = _mm_loadu_si128((const void *)s->keys.bytes[s->rounds]);
    RUNNEL_UNROLL
    for (int i = 0; i < n; i += 2)
        keys[i / 2] = _mm_unpacklo_epi64(_mm_aesenclast_si128(x[i], k), _mm_aesenclast_si128(x[i + 1], k));
}

static inline size_t aes_blocks_of_message(const runnel_aead_message *m)
{
    return (m->aad_bytes + 15) / 16 + (m->bytes + 15) / 16 + 1; /* with the lengths */
}

TARGET static void aes_begin(const void *master, void *state, runnel_ghash_state *hash, const runnel_aead_message *m,
                             size_t key_bytes)
{
    const size_t nblocks = aes_blocks_of_message(m);
#if LANES > 1
    if (nblocks <= SHORT) {
        runnel_aes_gcm_siv_aesni.begin(master, state, hash, m, key_bytes);
        return;
    }
#endif
    __m128i keys[3]; /* POLYVAL's, the cipher's */
    const uint64_t low = (uint64_t)runnel_load32le(m->nonce) << 32;
    const __m128i nonce = _mm_set_epi64x((long long)runnel_load64le(m->nonce + 4), (long long)low);
    if (key_bytes == 16)
        aes_derive_halves(master, nonce, keys, 4);
    else
        aes_derive_halves(master, nonce, keys, 6);
    /* Powers before the round keys, which take longest: vectors of powers can be loaded when their parts have left the
     * store buffer, in which what comes first goes first. */
    ghash_store_one_power(hash->powers[LAST_POWER - 1], keys[0]);
    hash->ready = 1;
    ghash_make_powers(hash, nblocks < AES_GROUP ? nblocks : AES_GROUP);
    vector_clear_upper();
    runnel_aes_x86_key(state, (const uint8_t *)&keys[1], key_bytes);
    runnel_wipe(keys, sizeof keys);
}

typedef struct aes_polyval {
    ghash_products sum;
    vector y;             /* what the sum before was reduced to: added to the first block of this one */
    size_t room;          /* blocks that this sum still takes */
    const uint8_t *power; /* for the next of them */
    const runnel_ghash_state *hash;
} aes_polyval;

TARGET RUNNEL_INLINE void aes_begin_sum(aes_polyval *p, size_t blocks)
{
    p->sum = ghash_no_products();
    p->room = blocks;
    p->power = ghash_powers_from(p->hash, blocks);
}

TARGET RUNNEL_INLINE void aes_end_sum(aes_polyval *p)
{
    p->y = vector_first(vector_sum_lanes(ghash_reduce(p->sum)));
    aes_begin_sum(p, AES_GROUP);
}

TARGET RUNNEL_INLINE void aes_add_vector(aes_polyval *p, vector blocks, size_t nblocks)
{
    ghash_add_product(&p->sum, vector_xor(p->y, blocks), ghash_load_power(p->power));
    p->y = vector_repeat(_mm_setzero_si128());
    p->power += 16 * nblocks;
    p->room -= nblocks;
}

/* No more than there is room for. */
TARGET RUNNEL_INLINE void aes_add_some(aes_polyval *p, const uint8_t *data, size_t bytes)
{
    for (; bytes >= VECTOR_BYTES; data += VECTOR_BYTES, bytes -= VECTOR_BYTES)
        aes_add_vector(p, vector_load(data), LANES);
    if (bytes > 0) /* padded with zeros */
        aes_add_vector(p, vector_load_bytes(data, bytes), (bytes + 15) / 16);
}

/* A sum of its own. */
TARGET RUNNEL_INLINE void aes_add_group(aes_polyval *p, const uint8_t *data)
{
    const uint8_t *power = p->power;
    ghash_products sum = ghash_no_products();
    RUNNEL_UNROLL
    for (int i = 1; i < AES_GROUP_VECTORS - 1; i += 2)
        ghash_add_two_products(&sum, vector_load(data + VECTOR_BYTES * i), ghash_load_power(power + VECTOR_BYTES * i),
                               vector_load(data + VECTOR_BYTES * (i + 1)),
                               ghash_load_power(power + VECTOR_BYTES * (i + 1)));
    /* The first vector last: only it waits for the reduction before. */
    ghash_add_two_products(&sum, vector_load(data + VECTOR_BYTES * 7), ghash_load_power(power + VECTOR_BYTES * 7),
                           vector_xor(p->y, vector_load(data)), ghash_load_power(power));
    p->y = vector_first(vector_sum_lanes(ghash_reduce(sum)));
}

/* Any number of bytes, padded with zeros to whole blocks. The lengths follow, so that a sum that is full is not the last. */
TARGET RUNNEL_INLINE void aes_add_bytes(aes_polyval *p, const uint8_t *data, size_t bytes)
{
    while (bytes > 16 * p->room - 16) {
        if (p->room == AES_GROUP && bytes >= 16 * AES_GROUP) {
            aes_add_group(p, data);
            data += 16 * AES_GROUP;
            bytes -= 16 * AES_GROUP;
            continue;
        }
        const size_t n = bytes < 16 * p->room ? bytes : 16 * p->room;
        aes_add_some(p, data, n);
        aes_end_sum(p);
        data += n;
        bytes -= n;
    }
    aes_add_some(p, data, bytes);
}

TARGET static void aes_make_tag(const void *state, runnel_ghash_state *hash, const runnel_aead_message *m,
                                const uint8_t *text, uint8_t *tag)
{
    const size_t nblocks = aes_blocks_of_message(m);
#if LANES > 1
    if (nblocks <= SHORT) {
        runnel_aes_gcm_siv_aesni.tag(state, hash, m, text, tag);
        return;
    }
#endif
    aes_polyval p = {.hash = hash, .y = vector_repeat(_mm_setzero_si128())};
    aes_begin_sum(&p, (nblocks - 1) % AES_GROUP + 1); /* all sums but the first are of a group */
    aes_add_bytes(&p, m->aad, m->aad_bytes);
    aes_add_bytes(&p, text, m->bytes);
    const __m128i lengths =
        _mm_set_epi64x((long long)((uint64_t)m->bytes << 3), (long long)((uint64_t)m->aad_bytes << 3));
    aes_add_vector(&p, vector_first(lengths), 1);
    const __m128i nonce =
        _mm_set_epi64x((long long)(uint64_t)runnel_load32le(m->nonce + 8), (long long)runnel_load64le(m->nonce));
    const __m128i all_but_first = _mm_set_epi64x(INT64_MAX, -1);
    const __m128i sum = _mm_xor_si128(nonce, vector_sum_lanes(ghash_reduce(p.sum)));
    _mm_storeu_si128((void *)tag, aes_encrypt_one(state, _mm_and_si128(sum, all_but_first)));
    vector_clear_upper();
}

#endif
