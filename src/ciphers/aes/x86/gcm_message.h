/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What an AES-GCM message begins with, for every width: its counter blocks, powers of the key, associated data. The
 * includer defines TARGET and includes the vectors of its width. */
#ifndef AES_X86_GCM_MESSAGE_H
#define AES_X86_GCM_MESSAGE_H

#include "arch/common/bytes.h"
#include "gcm_group.h"
#include "macs/ghash/x86/multiply.h"

/* Associated data, padded with zeros to whole blocks, into the sum, with the powers from at->power on. */
TARGET RUNNEL_INLINE void aes_hash_aad(aes_position *at, const uint8_t *aad, size_t bytes)
{
    for (; bytes > VECTOR_BYTES; bytes -= VECTOR_BYTES, aad += VECTOR_BYTES, at->power += VECTOR_BYTES)
        ghash_add_product(&at->sum, ghash_swap_bytes(vector_load(aad)), ghash_load_power(at->power));
    ghash_add_product(&at->sum, ghash_swap_bytes(vector_load_bytes(aad, bytes)), ghash_load_power(at->power));
}

/* The same in sums of its own, as many as it takes. Returns the sum after the last reduction. */
TARGET static RUNNEL_NOINLINE __m128i aes_hash_long_aad(const runnel_ghash_state *hash, const uint8_t *aad,
                                                        size_t bytes)
{
    __m128i y = _mm_setzero_si128();
    size_t whole = bytes / 16;
    for (; whole > GHASH_MOST_AT_ONCE; whole -= GHASH_MOST_AT_ONCE, aad += 16 * GHASH_MOST_AT_ONCE)
        y = ghash_absorb_some(hash, y, aad, GHASH_MOST_AT_ONCE);
    if (whole > 0)
        y = ghash_absorb_some(hash, y, aad, whole);
    if (bytes % 16 == 0)
        return y;
    const vector last = vector_load_bytes(aad + 16 * whole, bytes % 16);
    ghash_products sum = ghash_no_products();
    ghash_add_product(&sum, vector_xor(vector_first(y), ghash_swap_bytes(last)),
                      ghash_load_first_power(ghash_powers_from(hash, 1)));
    return vector_sum_lanes(ghash_reduce(sum));
}

/* Makes the powers that a message needs, `wanted` besides those for its associated data, and hashes that: into the
 * first sum, in which there are `behind` blocks of the text behind it, if that is not 0 and there are powers enough. */
TARGET RUNNEL_INLINE void aes_begin_message(aes_position *at, runnel_ghash_state *hash, const runnel_aead_message *m,
                                            size_t behind, size_t wanted)
{
    const size_t blocks = (m->aad_bytes + 15) / 16;
    const int fits = behind > 0 && blocks <= LAST_POWER - behind;
    const size_t most = fits ? blocks + behind : blocks < GHASH_MOST_AT_ONCE ? blocks : GHASH_MOST_AT_ONCE;
    if (hash->ready < most || hash->ready < wanted)
        ghash_make_powers(hash, most > wanted ? most : wanted);
    if (blocks == 0)
        return;
    if (fits) {
        at->power = ghash_powers_from(hash, blocks + behind);
        aes_hash_aad(at, m->aad, m->aad_bytes);
    } else {
        at->y = vector_first(aes_hash_long_aad(hash, m->aad, m->aad_bytes));
    }
}

/* A message's counter block with the number 0: the message begins with 2. */
TARGET RUNNEL_INLINE __m128i aes_block_0(const runnel_aead_message *m)
{
    return _mm_set_epi64x((long long)(uint64_t)runnel_load32le(m->nonce + 8), (long long)runnel_load64le(m->nonce));
}

/* Returns how many blocks are behind the last group: the rest and the lengths. */
static inline size_t aes_blocks_behind(size_t rest)
{
    return (rest + 15) / 16 + 1;
}

#endif
