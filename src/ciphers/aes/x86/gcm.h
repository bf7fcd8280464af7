/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM on x86 vector registers, written once for every width: a kernel's file includes the vectors of arch/x86, defines
 * TARGET, includes this file and puts crypt_blocks and crypt_message into its runnel_gcm_functions.
 *
 * A message has one of three shapes: less than a group, in one function with nothing in memory; groups without the
 * prefix table, likewise; and groups with it (gcm_prefix.h), from a length on from which it pays within one message. */
#include "gcm_prefix.h"
#include "one_block.h"

/* Fewer blocks than a group has. */
TARGET APART void crypt_less(position *at, size_t nblocks, int decrypt)
{
    position rest = *at;
    rest.power = powers_from(at->hash, nblocks);
    crypt_rest(&rest, 16 * nblocks, decrypt);
    reduce_sum(&rest);
    at->y = rest.y;
    at->in += 16 * nblocks;
    at->out += 16 * nblocks;
    at->counter = add_to_counter(at->counter, (uint32_t)nblocks);
}

/* Pieces too short for a table: in functions of their own, with nothing in memory. Where their blocks are not those of
 * groups, and they are shorter still, they go as less than a group does, into one sum of two groups after another. */
enum { FEW_AT_ALL = PERIOD, FEW_ACROSS_GROUPS = PERIOD / 2 };

TARGET APART void crypt_few(const runnel_aes_schedule *s, runnel_ghash_state *hash, __m128i counter, uint8_t *out,
                            const uint8_t *in, size_t nblocks, int decrypt)
{
    position at = at_start(s, hash, counter, out, in, load_sum(hash));
    for (size_t n; nblocks > 0; nblocks -= n) {
        n = nblocks < 2 * GROUP ? nblocks : 2 * GROUP;
        at.power = powers_from(hash, n);
        crypt_rest(&at, 16 * n, decrypt);
        reduce_sum(&at);
        at.counter = add_to_counter(at.counter, (uint32_t)n);
    }
    store_sum(hash, ADD_LANES(at.y));
    CLEAR_UPPER();
}

TARGET APART void crypt_few_groups(const runnel_aes_schedule *s, runnel_ghash_state *hash, __m128i counter,
                                   uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)
{
    position at = at_start(s, hash, counter, out, in, load_sum(hash));
    const size_t ngroups = nblocks / GROUP, rest = nblocks % GROUP;
    begin_groups(&at, ngroups, rest, decrypt);
    if (!decrypt)
        crypt_fresh_group(&at, 0);
    for (size_t i = !decrypt; i < ngroups; i++)
        crypt_fresh_group(&at, 1);
    if (!decrypt)
        hash_group(&at);
    if (rest > 0) {
        at.power = powers_from(hash, rest);
        crypt_rest(&at, 16 * rest, decrypt);
        reduce_sum(&at);
    }
    store_sum(hash, ADD_LANES(at.y));
    CLEAR_UPPER();
}

TARGET static void crypt_blocks(const void *state, void *prefix, runnel_ghash_state *hash, const uint8_t *block,
                                uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)
{
    const __m128i start = _mm_shuffle_epi8(_mm_loadu_si128((const void *)block), swap_word_3());
    const uint32_t counter = runnel_load32be(block + 12);
    const size_t before = (2 - counter) % GROUP; /* the blocks before the first group */
    const size_t wanted = nblocks > GROUP ? 2 * GROUP : GROUP;
    if (hash->ready < wanted)
        make_powers(hash, wanted);
    const __m128i less_2 = add_to_counter(start, (uint32_t)-2);
    if (nblocks < GROUP || (before > 0 && nblocks < FEW_ACROSS_GROUPS)) {
        crypt_few(state, hash, less_2, out, in, nblocks, decrypt);
        return;
    }
    if (before == 0 && nblocks <= FEW_AT_ALL) {
        crypt_few_groups(state, hash, less_2, out, in, nblocks, decrypt);
        return;
    }
    position at = at_start(state, hash, less_2, out, in, load_sum(hash));
    uint8_t first[16];
    memcpy(first, block, sizeof first);
    if (before > 0) {
        crypt_less(&at, before, decrypt);
        at.base = base_before_round_1(state, at.counter);
        runnel_store32be(first + 12, counter + (uint32_t)before);
        nblocks -= before;
    }
    if (nblocks >= GROUP) {
        begin_groups(&at, nblocks / GROUP, 0, decrypt);
        crypt_groups(&at, prefix, first, nblocks / GROUP, decrypt);
        nblocks %= GROUP;
    }
    if (nblocks > 0)
        crypt_less(&at, nblocks, decrypt);
    store_sum(hash, ADD_LANES(at.y));
    wipe_vectors(&at, sizeof at);
    CLEAR_UPPER();
}

/* The sum of associated data, padded with zeros to whole blocks. Apart, so that most messages need nothing of it. */
TARGET APART __m128i hash_long_aad(runnel_ghash_state *hash, const uint8_t *aad, size_t bytes)
{
    __m128i y = _mm_setzero_si128();
    const size_t nblocks = (bytes + 15) / 16;
    if (hash->ready < nblocks)
        make_powers(hash, nblocks < MOST_AT_ONCE ? nblocks : MOST_AT_ONCE);
    size_t whole = bytes / 16;
    for (; whole > MOST_AT_ONCE; whole -= MOST_AT_ONCE, aad += 16 * MOST_AT_ONCE)
        y = absorb_some(hash, y, aad, MOST_AT_ONCE);
    if (whole > 0)
        y = absorb_some(hash, y, aad, whole);
    if (bytes % 16 > 0) {
        uint8_t last[16] = {0};
        memcpy(last, aad + 16 * whole, bytes % 16);
        y = absorb_some(hash, y, last, 1);
        runnel_wipe(last, sizeof last);
    }
    return y;
}

TARGET RUNNEL_INLINE __m128i hash_aad(runnel_ghash_state *hash, const uint8_t *aad, size_t bytes)
{
    if (bytes == 0)
        return _mm_setzero_si128();
#if LANES == 4
    if (bytes <= 64) {
        const size_t nblocks = (bytes + 15) / 16;
        if (hash->ready < nblocks) /* there may be less text, for which powers are there */
            make_powers(hash, nblocks);
        const VECTOR text = _mm512_maskz_loadu_epi8(MASK(bytes), aad);
        return ADD_LANES(multiply(swap_bytes(text), LOAD(powers_from(hash, nblocks))));
    }
#endif
    return hash_long_aad(hash, aad, bytes);
}

/* A message's last block for the sum. */
TARGET RUNNEL_INLINE __m128i lengths_of(const runnel_aead_message *m)
{
    return _mm_set_epi64x((long long)((uint64_t)m->aad_bytes << 3), (long long)((uint64_t)m->bytes << 3));
}

/* The rest of a message from its position on, and the tag; mask is the first block of keystream. */
TARGET RUNNEL_INLINE void finish(position *at, const runnel_aead_message *m, size_t rest, __m128i mask, uint8_t *tag)
{
    at->power = powers_from(at->hash, (rest + 15) / 16 + 1);
    if (rest > 0)
        crypt_rest(at, rest, m->decrypt);
    const __m128i lengths = lengths_of(m);
    const __m128i power = _mm_loadu_si128((const void *)powers_from(at->hash, 1));
    add_product(&at->sum, XOR(at->y, ONE(lengths)), ONE(power));
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_storeu_si128((void *)tag, _mm_xor_si128(mask, _mm_shuffle_epi8(ADD_LANES(reduce(at->sum)), order)));
    CLEAR_UPPER();
}

/* A message's counter block with the number 0: the message begins with 2. */
TARGET RUNNEL_INLINE __m128i block_0(const runnel_aead_message *m)
{
    return _mm_set_epi64x((long long)(uint64_t)runnel_load32le(m->nonce + 8), (long long)runnel_load64le(m->nonce));
}

TARGET RUNNEL_INLINE __m128i mask_of(const runnel_aes_schedule *s, __m128i nonce)
{
    return encrypt_one(s, _mm_insert_epi32(nonce, 0x01000000, 3));
}

/* How many blocks behind the last group go into its sum: the rest and the lengths, where there are powers enough. */
static inline size_t blocks_behind(size_t rest)
{
    const size_t n = (rest + 15) / 16 + 1;
    return n <= GROUP ? n : 0;
}

static inline void make_powers_of_groups(runnel_ghash_state *hash, size_t ngroups, size_t rest)
{
    const size_t behind = blocks_behind(rest);
    const size_t wanted = ngroups == 1 && behind > 0 ? GROUP + behind : 2 * GROUP;
    if (hash->ready < wanted)
        make_powers(hash, wanted);
}

/* At least one group, without a table. */
TARGET APART void message_of_groups(const void *state, runnel_ghash_state *hash, const runnel_aead_message *m,
                                    uint8_t *tag)
{
    const __m128i nonce = block_0(m), mask = mask_of(state, nonce);
    const size_t ngroups = m->bytes / (16 * GROUP), rest = m->bytes % (16 * GROUP);
    make_powers_of_groups(hash, ngroups, rest);
    const __m128i y = hash_aad(hash, m->aad, m->aad_bytes);
    position at = at_start(state, hash, nonce, m->out, m->in, y);
    begin_groups(&at, ngroups, blocks_behind(rest), m->decrypt);
    if (!m->decrypt)
        crypt_fresh_group(&at, 0);
    for (size_t i = !m->decrypt; i < ngroups; i++)
        crypt_fresh_group(&at, 1);
    if (!m->decrypt)
        hash_group(&at);
    finish(&at, m, rest, mask, tag);
}

TARGET APART void long_message(const void *state, void *prefix, runnel_ghash_state *hash, const runnel_aead_message *m,
                               uint8_t *tag)
{
    uint8_t block[16] = {[15] = 2};
    memcpy(block, m->nonce, 12);
    const __m128i nonce = block_0(m), mask = mask_of(state, nonce);
    const size_t ngroups = m->bytes / (16 * GROUP), rest = m->bytes % (16 * GROUP);
    make_powers_of_groups(hash, ngroups, rest);
    const __m128i y = hash_aad(hash, m->aad, m->aad_bytes);
    position at = at_start(state, hash, nonce, m->out, m->in, y);
    begin_groups(&at, ngroups, blocks_behind(rest), m->decrypt);
    crypt_groups(&at, prefix, block, ngroups, m->decrypt);
    position end = at;
    wipe_vectors(&at, sizeof at);
    finish(&end, m, rest, mask, tag);
}

#if LANES == 4
/* A message that a vector holds, with what goes into the sum: up to one block of associated data, the text, the lengths. Lane 3
 * makes the tag's mask, and one product is the whole sum. */
static inline int fits_a_vector(const runnel_aead_message *m)
{
    return m->aad_bytes <= 16 && m->bytes <= (m->aad_bytes > 0 ? 32 : 48);
}

TARGET RUNNEL_INLINE void crypt_one_vector(const runnel_aes_schedule *s, runnel_ghash_state *hash,
                                           const runnel_aead_message *m, uint8_t *tag)
{
    const size_t before = m->aad_bytes > 0, lengths_at = before + (m->bytes + 15) / 16;
    if (hash->ready <= lengths_at)
        make_powers(hash, lengths_at + 1);
    const __mmask64 mask = ((uint64_t)1 << m->bytes) - 1;
    const VECTOR text = _mm512_maskz_loadu_epi8(mask, m->in);
    const VECTOR numbers = _mm512_set_epi32(1 << 24, 0, 0, 0, 4 << 24, 0, 0, 0, 3 << 24, 0, 0, 0, 2 << 24, 0, 0, 0);
    const uint8_t *key = LAST_EIGHT_KEYS;
    VECTOR x[1] = {XOR3(REPEAT_REGISTER(block_0(m)), numbers, REPEAT(s->keys.bytes[0]))};
    ROUND(1, s->keys.bytes[1])
    ROUND(1, s->keys.bytes[2])
    MORE_ROUNDS(1)
    RUNNEL_UNROLL
    for (int r = 0; r < 7; r++, key += 16)
        ROUND(1, key)
    x[0] = LAST(x[0], XOR(REPEAT(key), text));
    VECTOR hashed = swap_bytes(m->decrypt ? text : _mm512_maskz_mov_epi8(mask, x[0]));
    _mm512_mask_storeu_epi8(m->out, mask, x[0]);
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    if (before > 0) {
        const __m128i aad = _mm_maskz_loadu_epi8((__mmask16)((1u << m->aad_bytes) - 1), m->aad);
        hashed = _mm512_alignr_epi64(hashed, REPEAT_REGISTER(_mm_shuffle_epi8(aad, order)), 6);
    }
    const __m128i lengths = lengths_of(m);
    hashed = _mm512_mask_broadcast_i32x4(hashed, (__mmask16)(0xfu << 4 * lengths_at), lengths);
    const __m128i sum = ADD_LANES(multiply(hashed, LOAD(powers_from(hash, lengths_at + 1))));
    _mm_storeu_si128((void *)tag, _mm_xor_si128(_mm512_extracti32x4_epi32(x[0], 3), _mm_shuffle_epi8(sum, order)));
    CLEAR_UPPER();
}
#endif

TARGET static void crypt_message(const void *state, void *prefix, runnel_ghash_state *hash,
                                 const runnel_aead_message *m, uint8_t *tag)
{
#if LANES == 4
    if (fits_a_vector(m)) {
        crypt_one_vector(state, hash, m, tag);
        return;
    }
#endif
    if (m->bytes > 16 * PERIOD) {
        long_message(state, prefix, hash, m, tag);
        return;
    }
    if (m->bytes >= 16 * GROUP) {
        message_of_groups(state, hash, m, tag);
        return;
    }
    const __m128i nonce = block_0(m), mask = mask_of(state, nonce);
    const size_t wanted = (m->bytes + 15) / 16 + 1;
    if (hash->ready < wanted)
        make_powers(hash, wanted);
    const __m128i y = hash_aad(hash, m->aad, m->aad_bytes);
    position at = at_start(state, hash, nonce, m->out, m->in, y);
    finish(&at, m, m->bytes, mask, tag);
}
