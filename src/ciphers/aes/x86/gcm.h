/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM on x86 vector registers, written once for every width: a kernel's file defines TARGET, includes the vectors of its
 * width and this file, and puts aes_crypt_blocks and aes_crypt_message into its runnel_gcm_functions.
 *
 * A message has one of four shapes: at most 4 vectors, side by side; more of them after another, in one sum; groups without the
 * prefix table; and groups with it (gcm_prefix.h), from a length on from which it pays within one message. */
#ifndef AES_X86_GCM_H
#define AES_X86_GCM_H

#include <string.h>

#include "arch/common/bytes.h"
#include "gcm_group.h"
#include "gcm_message.h"
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
    aes_begin_groups(&at, decrypt);
    if (!decrypt)
        aes_crypt_fresh_group(&at, AES_HASH_NOTHING);
    aes_crypt_fresh_groups(&at, decrypt ? ngroups : ngroups - 1);
    if (!decrypt)
        aes_hash_last_group(&at, rest);
    if (rest > 0) {
        at.power = ghash_powers_from(hash, rest);
        aes_crypt_tail(&at, 16 * rest, decrypt);
    }
    if (!decrypt || rest > 0)
        aes_reduce_sum(&at);
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
        aes_begin_groups(&at, decrypt);
        aes_crypt_groups(&at, prefix, first, nblocks / AES_GROUP, decrypt);
        if (!decrypt) {
            aes_hash_last_group(&at, 0);
            aes_reduce_sum(&at);
        }
        nblocks %= AES_GROUP;
    }
    if (nblocks > 0)
        aes_partial_group(&at, nblocks, decrypt);
    ghash_store_sum(hash, vector_sum_lanes(at.y));
    aes_wipe_vectors(&at, sizeof at);
    vector_clear_upper();
}

/* At least one group, without a table. */
TARGET static RUNNEL_NOINLINE void aes_message_without_table(const void *state, runnel_ghash_state *hash,
                                                             const runnel_aead_message *m, uint8_t *tag)
{
    const __m128i nonce = aes_block_0(m);
    const size_t ngroups = m->bytes / (16 * AES_GROUP), rest = m->bytes % (16 * AES_GROUP);
    /* Between the rounds of groups; when sealing, the last group is hashed with the rest. */
    const size_t hashed = m->decrypt ? ngroups : ngroups - 1, behind = aes_blocks_behind(rest);
    const size_t last = AES_GROUP + (m->decrypt || behind > AES_GROUP ? 0 : behind);
    const size_t first = hashed >= 2 ? 2 * AES_GROUP : hashed == 1 ? AES_GROUP : last;
    aes_position at = aes_at_start(state, hash, nonce, m->out, m->in, _mm_setzero_si128());
    aes_begin_message(&at, hash, m, first, hashed >= 2 ? 2 * AES_GROUP : last > behind ? last : behind);
    aes_begin_groups(&at, m->decrypt);
    if (!m->decrypt)
        aes_crypt_fresh_group(&at, AES_HASH_NOTHING);
    aes_crypt_fresh_groups(&at, hashed);
    if (!m->decrypt)
        aes_hash_last_group(&at, behind);
    at.power = ghash_powers_from(hash, behind);
    aes_finish(&at, rest, nonce, m, tag);
}

/* At least a table's length. What is behind the groups takes little of the time: here in less code. */
TARGET static RUNNEL_NOINLINE void aes_message_with_table(const void *state, void *prefix, runnel_ghash_state *hash,
                                                          const runnel_aead_message *m, uint8_t *tag)
{
    uint8_t block[16] = {[15] = 2};
    memcpy(block, m->nonce, 12);
    const __m128i nonce = aes_block_0(m);
    const size_t ngroups = m->bytes / (16 * AES_GROUP), rest = m->bytes % (16 * AES_GROUP);
    const size_t behind = aes_blocks_behind(rest);
    aes_position at = aes_at_start(state, hash, nonce, m->out, m->in, _mm_setzero_si128());
    aes_begin_message(&at, hash, m, 0, 2 * AES_GROUP);
    aes_begin_groups(&at, m->decrypt);
    aes_crypt_groups(&at, prefix, block, ngroups, m->decrypt);
    aes_position end = at;
    aes_wipe_vectors(&at, sizeof at);
    if (!m->decrypt)
        aes_hash_last_group(&end, behind);
    end.power = ghash_powers_from(hash, behind);
    aes_crypt_tail(&end, rest, m->decrypt);
    end.power = ghash_powers_from(hash, 1);
    aes_crypt_end(&end, 1, (aes_end_at){0, aes_next_counters(&end)}, 0, nonce, m, tag);
    vector_clear_upper();
}

/* Bytes from which on groups take less time than vectors after another (Zen 3). */
enum { AES_MESSAGE_OF_GROUPS = 24 * AES_GROUP };

/* Vectors of text side by side: with 256 bits 8 take less time than 4 and the rest (Zen 3: 176 cycles, not 192, for 256
 * bytes). */
enum { AES_AT_ONCE = LANES == 2 ? 8 : 4 };

/* Fewer bytes: all of it in one sum. */
TARGET static RUNNEL_NOINLINE void aes_message_in_one_sum(const void *state, runnel_ghash_state *hash,
                                                          const runnel_aead_message *m, uint8_t *tag)
{
    const __m128i nonce = aes_block_0(m);
    const size_t blocks = aes_blocks_behind(m->bytes);
    aes_position at = aes_at_start(state, hash, nonce, m->out, m->in, _mm_setzero_si128());
    aes_begin_message(&at, hash, m, blocks, blocks);
    at.power = ghash_powers_from(hash, blocks);
    if (AES_AT_ONCE > 4 && m->bytes <= AES_AT_ONCE * VECTOR_BYTES)
        aes_crypt_some_end(&at, AES_AT_ONCE, (aes_end_at){1, vector_zero()}, m->bytes, nonce, m, tag);
    else
        aes_finish(&at, m->bytes, nonce, m, tag);
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
#if LANES > 1 /* for one block 128 bits take 19 of 91 cycles less than 512 (Zen 5), and 7 of 95 less than 256 (Zen 3) */
    if (m->bytes <= 16 && m->aad_bytes == 0) {
        runnel_aes_gcm_aesni_avx2.message(state, prefix, hash, m, tag);
        return;
    }
#endif
#if LANES == 4
    if (aes_fits_a_vector(m)) {
        aes_crypt_one_vector(state, hash, m, tag);
        return;
    }
#endif
    if (m->bytes > 4 * VECTOR_BYTES || m->aad_bytes > VECTOR_BYTES) {
        if (m->bytes > 16 * PERIOD)
            aes_message_with_table(state, prefix, hash, m, tag);
        else if (m->bytes >= AES_MESSAGE_OF_GROUPS)
            aes_message_without_table(state, hash, m, tag);
        else
            aes_message_in_one_sum(state, hash, m, tag);
        return;
    }
    const size_t blocks = aes_blocks_behind(m->bytes), aad_blocks = (m->aad_bytes + 15) / 16;
    if (hash->ready < aad_blocks + blocks)
        ghash_make_powers(hash, aad_blocks + blocks);
    const __m128i nonce = aes_block_0(m);
    aes_position at = aes_at_start(state, hash, nonce, m->out, m->in, _mm_setzero_si128());
    at.power = ghash_powers_from(hash, aad_blocks + blocks);
    if (aad_blocks > 0)
        aes_hash_aad(&at, m->aad, m->aad_bytes);
    at.power = ghash_powers_from(hash, blocks);
    aes_crypt_some_end(&at, 4, (aes_end_at){1, vector_zero()}, m->bytes, nonce, m, tag);
}

#endif
