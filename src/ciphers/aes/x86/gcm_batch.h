/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM of several short messages at once, for vectors of several blocks: those of one vector, and those of two, go side
 * by side, so that none waits for its own rounds and all share the loads of keys. Longer ones gain nothing by that: the
 * processor has the next one's rounds and products to do already. 512 bits do without until somebody has measured them. The
 * includer defines TARGET and includes the vectors of its width. */
#ifndef AES_X86_GCM_BATCH_H
#define AES_X86_GCM_BATCH_H

#include "gcm.h"
#include "gcm_group.h"
#include "gcm_message.h"
#include "gcm_tail.h"

/* The longest message that waits for others, in vectors; how many vectors, and messages, go side by side. */
enum { AES_BATCH_VECTORS = 2, AES_BESIDE_VECTORS = 12, AES_BESIDE_MOST = 8 };
/* Messages of n vectors that go side by side. */
#define AES_BESIDE(n) (AES_BESIDE_VECTORS / (n) < AES_BESIDE_MOST ? AES_BESIDE_VECTORS / (n) : AES_BESIDE_MOST)

/* Messages of the same number of vectors that wait for each other. */
typedef struct aes_waiting {
    const runnel_aead_message *m[AES_BESIDE_MOST];
    uint8_t *tag[AES_BESIDE_MOST];
    size_t count;
} aes_waiting;

/* All of a message of n vectors but its first rounds, after which its states are x. n is a constant. */
TARGET RUNNEL_INLINE void aes_finish_beside(const int n, runnel_ghash_state *hash, vector *x, vector last_key,
                                            const runnel_aead_message *m, uint8_t *tag)
{
    const size_t blocks = aes_blocks_behind(m->bytes);
    aes_position at = {.sum = ghash_no_products(), .y = vector_zero(), .out = m->out, .in = m->in};
    if (m->aad_bytes > 0) {
        at.power = ghash_powers_from(hash, (m->aad_bytes + 15) / 16 + blocks);
        aes_hash_aad(&at, m->aad, m->aad_bytes);
    }
    at.power = ghash_powers_from(hash, blocks);
    aes_end_after_rounds(&at, x, n, last_key, aes_lane_mask(aes_end_lane(m->bytes)), m->bytes, m, tag);
}

/* The messages that wait, of n vectors each; rounds of those that are missing are of the first one. n is a constant. */
TARGET RUNNEL_INLINE void aes_crypt_beside(const int n, const runnel_aes_schedule *s, runnel_ghash_state *hash,
                                           aes_waiting *w)
{
    vector x[AES_BESIDE_VECTORS];
    RUNNEL_UNROLL
    for (int k = 0; k < AES_BESIDE(n); k++) {
        const runnel_aead_message *m = w->m[(size_t)k < w->count ? k : 0];
        aes_begin_end(x + n * k, n, s, (aes_end_at){1, vector_zero()}, aes_lane_mask(aes_end_lane(m->bytes)),
                      aes_block_0(m));
    }
    aes_rounds_to_2(x, n * AES_BESIDE(n), s, 0);
    const vector last_key = vector_repeat_at(aes_gcm_rounds_from_3(x, n * AES_BESIDE(n), s));
    for (size_t k = 0; k < w->count; k++)
        aes_finish_beside(n, hash, x + (size_t)n * k, last_key, w->m[k], w->tag[k]);
    aes_wipe_vectors(x, (size_t)(n * AES_BESIDE(n)) * sizeof x[0]);
    w->count = 0;
    vector_clear_upper();
}

#define AES_BATCH_OF(n)                                                                                                \
    TARGET static RUNNEL_NOINLINE void aes_crypt_beside_##n(const runnel_aes_schedule *s, runnel_ghash_state *hash,    \
                                                            aes_waiting *w)                                            \
    {                                                                                                                  \
        aes_crypt_beside(n, s, hash, w);                                                                               \
    }
AES_BATCH_OF(1)
AES_BATCH_OF(2)

/* The longest associated data for which there are powers enough whatever the text. */
enum { AES_BATCH_AAD = 16 * (LAST_POWER - AES_BATCH_VECTORS * LANES) };

TARGET static void aes_crypt_batch(const void *state, void *prefix, runnel_ghash_state *hash,
                                   const runnel_aead_message *messages, uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG],
                                   size_t count)
{
    static const struct {
        void (*crypt)(const runnel_aes_schedule *s, runnel_ghash_state *hash, aes_waiting *w);
        size_t most;
    } beside[AES_BATCH_VECTORS] = {{aes_crypt_beside_1, AES_BESIDE(1)}, {aes_crypt_beside_2, AES_BESIDE(2)}};
    aes_waiting waiting[AES_BATCH_VECTORS];
    RUNNEL_UNROLL
    for (int i = 0; i < AES_BATCH_VECTORS; i++)
        waiting[i].count = 0;
    for (size_t i = 0; i < count; i++) {
        const runnel_aead_message *m = &messages[i];
        const size_t blocks = aes_blocks_behind(m->bytes), n = (blocks + LANES - 1) / LANES;
        if (n > AES_BATCH_VECTORS || m->aad_bytes > AES_BATCH_AAD) {
            aes_crypt_message(state, prefix, hash, m, tags[i]);
            continue;
        }
        const size_t powers = (m->aad_bytes + 15) / 16 + blocks;
        if (hash->ready < powers)
            ghash_make_powers(hash, powers);
        aes_waiting *w = &waiting[n - 1];
        w->m[w->count] = m;
        w->tag[w->count++] = tags[i];
        if (w->count == beside[n - 1].most)
            beside[n - 1].crypt(state, hash, w);
    }
    for (int i = 0; i < AES_BATCH_VECTORS; i++)
        if (waiting[i].count == 1)
            aes_crypt_message(state, prefix, hash, waiting[i].m[0], waiting[i].tag[0]);
        else if (waiting[i].count > 1)
            beside[i].crypt(state, hash, &waiting[i]);
}

#endif
