/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM on x86 vector registers, written once for every width: a kernel's file defines TARGET, includes the vectors of its
 * width and this file, and puts aes_crypt_blocks and aes_crypt_message into its runnel_gcm_functions.
 *
 * A message has one of three shapes: less than a group, in one function with nothing in memory; groups without the
 * prefix table, likewise; and groups with it (gcm_prefix.h), from a length on from which it pays within one message. */
#ifndef AES_X86_GCM_H
#define AES_X86_GCM_H

#include <string.h>

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "gcm_group.h"
#include "gcm_prefix.h"
#include "gcm_tail.h"
#include "macs/ghash/x86/multiply.h"
#include "one_block.h"
#include "rounds.h"
#include "shared.h"

/* Fewer blocks than a group has. */
TARGET static RUNNEL_NOINLINE void aes_partial_group(aes_position *at, size_t nblocks, int decrypt)
{
    aes_position rest = *at;
    rest.power = ghash_powers_from(at->hash, nblocks);
    aes_crypt_tail(&rest, 16 * nblocks, decrypt);
    aes_reduce_sum(&rest);
    at->y = rest.y;
    at->in += 16 * nblocks;
    at->out += 16 * nblocks;
    at->counter = aes_add_to_counter(at->counter, (uint32_t)nblocks);
}

/* Pieces too short for a table: in functions of their own, with nothing in memory. Where their blocks are not those of
 * groups, and they are shorter still, they go as less than a group does, into one sum of two groups after another. */
enum { AES_SHORT_OF_GROUPS = PERIOD, AES_SHORT_ACROSS_GROUPS = PERIOD / 2 };

TARGET static RUNNEL_NOINLINE void aes_short_message(const runnel_aes_schedule *s, runnel_ghash_state *hash,
                                                     __m128i counter, uint8_t *out, const uint8_t *in, size_t nblocks,
                                                     int decrypt)
{
    aes_position at = aes_at_start(s, hash, counter, out, in, ghash_load_sum(hash));
    for (size_t n; nblocks > 0; nblocks -= n) {
        n = nblocks < 2 * AES_GROUP ? nblocks : 2 * AES_GROUP;
        at.power = ghash_powers_from(hash, n);
        aes_crypt_tail(&at, 16 * n, decrypt);
        aes_reduce_sum(&at);
        at.counter = aes_add_to_counter(at.counter, (uint32_t)n);
    }
    ghash_store_sum(hash, vector_sum_lanes(at.y));
    vector_clear_upper();
}

TARGET static RUNNEL_NOINLINE void aes_short_message_of_groups(const runnel_aes_schedule *s, runnel_ghash_state *hash,
                                                               __m128i counter, uint8_t *out, const uint8_t *in,
                                                               size_t nblocks, int decrypt)
{
    aes_position at = aes_at_start(s, hash, counter, out, in, ghash_load_sum(hash));
    const size_t ngroups = nblocks / AES_GROUP, rest = nblocks % AES_GROUP;
    aes_begin_groups(&at, ngroups, rest, decrypt);
    if (!decrypt)
        aes_crypt_fresh_group(&at, 0);
    for (size_t i = !decrypt; i < ngroups; i++)
        aes_crypt_fresh_group(&at, 1);
    if (!decrypt)
        aes_hash_group(&at);
    if (rest > 0) {
        at.power = ghash_powers_from(hash, rest);
        aes_crypt_tail(&at, 16 * rest, decrypt);
        aes_reduce_sum(&at);
    }
    ghash_store_sum(hash, vector_sum_lanes(at.y));
    vector_clear_upper();
}

TARGET static void aes_crypt_blocks(const void *state, void *prefix, runnel_ghash_state *hash, const uint8_t *block,
                                    uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)
{
    const __m128i start = _mm_shuffle_epi8(_mm_loadu_si128((const void *)block), aes_swap_word_3());
    const uint32_t counter = runnel_load32be(block + 12);
    const size_t before = (2 - counter) % AES_GROUP; /* the blocks before the first group */
    const size_t wanted = nblocks > AES_GROUP ? 2 * AES_GROUP : AES_GROUP;
    if (hash->ready < wanted)
        ghash_make_powers(hash, wanted);
    const __m128i less_2 = aes_add_to_counter(start, (uint32_t)-2);
    if (nblocks < AES_GROUP || (before > 0 && nblocks < AES_SHORT_ACROSS_GROUPS)) {
        aes_short_message(state, hash, less_2, out, in, nblocks, decrypt);
        return;
    }
    if (before == 0 && nblocks <= AES_SHORT_OF_GROUPS) {
        aes_short_message_of_groups(state, hash, less_2, out, in, nblocks, decrypt);
        return;
    }
    aes_position at = aes_at_start(state, hash, less_2, out, in, ghash_load_sum(hash));
    uint8_t first[16];
    memcpy(first, block, sizeof first);
    if (before > 0) {
        aes_partial_group(&at, before, decrypt);
        at.base = aes_base_before_round_1(state, at.counter);
        runnel_store32be(first + 12, counter + (uint32_t)before);
        nblocks -= before;
    }
    if (nblocks >= AES_GROUP) {
        aes_begin_groups(&at, nblocks / AES_GROUP, 0, decrypt);
        aes_crypt_groups(&at, prefix, first, nblocks / AES_GROUP, decrypt);
        nblocks %= AES_GROUP;
    }
    if (nblocks > 0)
        aes_partial_group(&at, nblocks, decrypt);
    ghash_store_sum(hash, vector_sum_lanes(at.y));
    aes_wipe_vectors(&at, sizeof at);
    vector_clear_upper();
}

/* The sum of associated data, padded with zeros to whole blocks. Apart, so that most messages need nothing of it. */
TARGET static RUNNEL_NOINLINE __m128i aes_hash_long_aad(runnel_ghash_state *hash, const uint8_t *aad, size_t bytes)
{
    __m128i y = _mm_setzero_si128();
    const size_t nblocks = (bytes + 15) / 16;
    if (hash->ready < nblocks)
        ghash_make_powers(hash, nblocks < GHASH_MOST_AT_ONCE ? nblocks : GHASH_MOST_AT_ONCE);
    size_t whole = bytes / 16;
    for (; whole > GHASH_MOST_AT_ONCE; whole -= GHASH_MOST_AT_ONCE, aad += 16 * GHASH_MOST_AT_ONCE)
        y = ghash_absorb_some(hash, y, aad, GHASH_MOST_AT_ONCE);
    if (whole > 0)
        y = ghash_absorb_some(hash, y, aad, whole);
    if (bytes % 16 > 0) {
        uint8_t last[16] = {0};
        memcpy(last, aad + 16 * whole, bytes % 16);
        y = ghash_absorb_some(hash, y, last, 1);
        runnel_wipe(last, sizeof last);
    }
    return y;
}

TARGET RUNNEL_INLINE __m128i aes_hash_aad(runnel_ghash_state *hash, const uint8_t *aad, size_t bytes)
{
    if (bytes == 0)
        return _mm_setzero_si128();
#if LANES == 4
    if (bytes <= 64) {
        const size_t nblocks = (bytes + 15) / 16;
        if (hash->ready < nblocks) /* there may be less text, for which powers are there */
            ghash_make_powers(hash, nblocks);
        const vector text = vector_load_bytes(aad, bytes);
        return vector_sum_lanes(ghash_multiply(ghash_swap_bytes(text), vector_load(ghash_powers_from(hash, nblocks))));
    }
#endif
    return aes_hash_long_aad(hash, aad, bytes);
}

/* A message's last block for the sum. */
TARGET RUNNEL_INLINE __m128i aes_lengths_of(const runnel_aead_message *m)
{
    return _mm_set_epi64x((long long)((uint64_t)m->aad_bytes << 3), (long long)((uint64_t)m->bytes << 3));
}

/* The rest of a message from its position on, and the tag; mask is the first block of keystream. */
TARGET RUNNEL_INLINE void aes_finish(aes_position *at, const runnel_aead_message *m, size_t rest, __m128i mask,
                                     uint8_t *tag)
{
    at->power = ghash_powers_from(at->hash, (rest + 15) / 16 + 1);
    if (rest > 0)
        aes_crypt_tail(at, rest, m->decrypt);
    const __m128i lengths = aes_lengths_of(m);
    const __m128i power = _mm_loadu_si128((const void *)ghash_powers_from(at->hash, 1));
    ghash_add_product(&at->sum, vector_xor(at->y, vector_first(lengths)), vector_first(power));
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_storeu_si128((void *)tag,
                     _mm_xor_si128(mask, _mm_shuffle_epi8(vector_sum_lanes(ghash_reduce(at->sum)), order)));
    vector_clear_upper();
}

/* A message's counter block with the number 0: the message begins with 2. */
TARGET RUNNEL_INLINE __m128i aes_block_0(const runnel_aead_message *m)
{
    return _mm_set_epi64x((long long)(uint64_t)runnel_load32le(m->nonce + 8), (long long)runnel_load64le(m->nonce));
}

TARGET RUNNEL_INLINE __m128i aes_mask_of(const runnel_aes_schedule *s, __m128i nonce)
{
    return aes_encrypt_one(s, _mm_insert_epi32(nonce, 0x01000000, 3));
}

/* Returns how many blocks behind the last group go into its sum: the rest and the lengths, where there are powers
 * enough. */
static inline size_t aes_blocks_behind(size_t rest)
{
    const size_t n = (rest + 15) / 16 + 1;
    return n <= AES_GROUP ? n : 0;
}

static inline void aes_make_powers_of_groups(runnel_ghash_state *hash, size_t ngroups, size_t rest)
{
    const size_t behind = aes_blocks_behind(rest);
    const size_t wanted = ngroups == 1 && behind > 0 ? AES_GROUP + behind : 2 * AES_GROUP;
    if (hash->ready < wanted)
        ghash_make_powers(hash, wanted);
}

/* At least one group, without a table. */
TARGET static RUNNEL_NOINLINE void aes_message_without_table(const void *state, runnel_ghash_state *hash,
                                                             const runnel_aead_message *m, uint8_t *tag)
{
    const __m128i nonce = aes_block_0(m), mask = aes_mask_of(state, nonce);
    const size_t ngroups = m->bytes / (16 * AES_GROUP), rest = m->bytes % (16 * AES_GROUP);
    aes_make_powers_of_groups(hash, ngroups, rest);
    const __m128i y = aes_hash_aad(hash, m->aad, m->aad_bytes);
    aes_position at = aes_at_start(state, hash, nonce, m->out, m->in, y);
    aes_begin_groups(&at, ngroups, aes_blocks_behind(rest), m->decrypt);
    if (!m->decrypt)
        aes_crypt_fresh_group(&at, 0);
    for (size_t i = !m->decrypt; i < ngroups; i++)
        aes_crypt_fresh_group(&at, 1);
    if (!m->decrypt)
        aes_hash_group(&at);
    aes_finish(&at, m, rest, mask, tag);
}

TARGET static RUNNEL_NOINLINE void aes_message_with_table(const void *state, void *prefix, runnel_ghash_state *hash,
                                                          const runnel_aead_message *m, uint8_t *tag)
{
    uint8_t block[16] = {[15] = 2};
    memcpy(block, m->nonce, 12);
    const __m128i nonce = aes_block_0(m), mask = aes_mask_of(state, nonce);
    const size_t ngroups = m->bytes / (16 * AES_GROUP), rest = m->bytes % (16 * AES_GROUP);
    aes_make_powers_of_groups(hash, ngroups, rest);
    const __m128i y = aes_hash_aad(hash, m->aad, m->aad_bytes);
    aes_position at = aes_at_start(state, hash, nonce, m->out, m->in, y);
    aes_begin_groups(&at, ngroups, aes_blocks_behind(rest), m->decrypt);
    aes_crypt_groups(&at, prefix, block, ngroups, m->decrypt);
    aes_position end = at;
    aes_wipe_vectors(&at, sizeof at);
    aes_finish(&end, m, rest, mask, tag);
}

#if LANES == 4
/* A message that a vector holds, with what goes into the sum: up to one block of associated data, the text, the lengths. Lane 3
 * makes the tag's mask, and one product is the whole sum. */
static inline int aes_fits_a_vector(const runnel_aead_message *m)
{
    return m->aad_bytes <= 16 && m->bytes <= (m->aad_bytes > 0 ? 32 : 48);
}

TARGET RUNNEL_INLINE void aes_crypt_one_vector(const runnel_aes_schedule *s, runnel_ghash_state *hash,
                                               const runnel_aead_message *m, uint8_t *tag)
{
    const size_t before = m->aad_bytes > 0, lengths_at = before + (m->bytes + 15) / 16;
    if (hash->ready <= lengths_at)
        ghash_make_powers(hash, lengths_at + 1);
    const __mmask64 mask = ((uint64_t)1 << m->bytes) - 1;
    const vector text = _mm512_maskz_loadu_epi8(mask, m->in);
    const vector numbers = _mm512_set_epi32(1 << 24, 0, 0, 0, 4 << 24, 0, 0, 0, 3 << 24, 0, 0, 0, 2 << 24, 0, 0, 0);
    vector x[1] = {vector_xor3(vector_repeat(aes_block_0(m)), numbers, vector_repeat_at(s->keys.bytes[0]))};
    aes_rounds_to_2(x, 1, s, 0);
    const vector last_key = vector_repeat_at(aes_gcm_rounds_from_3(x, 1, s));
    x[0] = vector_aes_last_round(x[0], vector_xor(last_key, text));
    vector hashed = ghash_swap_bytes(m->decrypt ? text : _mm512_maskz_mov_epi8(mask, x[0]));
    _mm512_mask_storeu_epi8(m->out, mask, x[0]);
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    if (before > 0) {
        const __m128i aad = _mm_maskz_loadu_epi8((__mmask16)((1u << m->aad_bytes) - 1), m->aad);
        hashed = _mm512_alignr_epi64(hashed, vector_repeat(_mm_shuffle_epi8(aad, order)), 6);
    }
    const __m128i lengths = aes_lengths_of(m);
    hashed = _mm512_mask_broadcast_i32x4(hashed, (__mmask16)(0xfu << 4 * lengths_at), lengths);
    const __m128i sum = vector_sum_lanes(ghash_multiply(hashed, vector_load(ghash_powers_from(hash, lengths_at + 1))));
    _mm_storeu_si128((void *)tag, _mm_xor_si128(_mm512_extracti32x4_epi32(x[0], 3), _mm_shuffle_epi8(sum, order)));
    vector_clear_upper();
}
#endif

TARGET static void aes_crypt_message(const void *state, void *prefix, runnel_ghash_state *hash,
                                     const runnel_aead_message *m, uint8_t *tag)
{
#if LANES == 4
    if (aes_fits_a_vector(m)) {
        aes_crypt_one_vector(state, hash, m, tag);
        return;
    }
#endif
    if (m->bytes > 16 * PERIOD) {
        aes_message_with_table(state, prefix, hash, m, tag);
        return;
    }
    if (m->bytes >= 16 * AES_GROUP) {
        aes_message_without_table(state, hash, m, tag);
        return;
    }
    const __m128i nonce = aes_block_0(m), mask = aes_mask_of(state, nonce);
    const size_t wanted = (m->bytes + 15) / 16 + 1;
    if (hash->ready < wanted)
        ghash_make_powers(hash, wanted);
    const __m128i y = aes_hash_aad(hash, m->aad, m->aad_bytes);
    aes_position at = aes_at_start(state, hash, nonce, m->out, m->in, y);
    aes_finish(&at, m, m->bytes, mask, tag);
}

#endif
