/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a kernel of LEA on vectors is called for, from the sets of rounds.h. The includer defines TARGET and includes the
 * vectors of its width; on 512 bits it takes what is less than half a set from few_avx512.c. */
#ifndef LEA_X86_MODES_H
#define LEA_X86_MODES_H

#include "few_avx512.h"
#include "rounds.h"

TARGET RUNNEL_INLINE void lea_encrypt_with(const runnel_lea_schedule *schedule, unsigned each, uint8_t *out,
                                           const uint8_t *in, size_t nblocks)
{
    for (; nblocks > LEA_SET; in += 16 * 2 * LEA_SET, out += 16 * 2 * LEA_SET) {
        const size_t n = lea_minimum(nblocks, 2 * LEA_SET);
        lea_encrypt_sets(schedule, each, 2, out, in, n);
        nblocks -= n;
        if (nblocks == 0)
            return;
    }
    if (nblocks == 1)
        lea_encrypt_one(schedule, each, out, in, NULL);
#if LANES == 4
    else if (nblocks <= RUNNEL_LEA_FEW)
        runnel_lea_encrypt_few(schedule, out, in, nblocks);
#endif
    else
        lea_encrypt_sets(schedule, each, 1, out, in, nblocks);
}

TARGET static void lea_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    if (schedule->rounds == 24)
        lea_encrypt_with(schedule, 4, out, in, nblocks);
    else
        lea_encrypt_with(schedule, 6, out, in, nblocks);
}

/* ---- counter mode ---- */

/* nblocks blocks and a tail, or none, and then leftover is NULL. */
TARGET RUNNEL_INLINE void lea_ctr32_with(const runnel_lea_schedule *schedule, unsigned each, const uint8_t *block,
                                         uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    size_t to_make = nblocks + (leftover != NULL);
    if (to_make == 1) {
        lea_encrypt_one(schedule, each, out, block, in);
        return;
    }
#if LANES == 4
    if (to_make <= RUNNEL_LEA_FEW) {
        runnel_lea_xor_few(schedule, block, out, in, nblocks, leftover);
        return;
    }
#endif
    if (to_make <= LEA_SET) {
        lea_xor_set(schedule, each, block, out, in, nblocks, leftover);
        return;
    }
    const lea_shared same = lea_share(schedule->words, each, block);
    uint32_t counter = runnel_load32be(block + 12);
    for (; to_make > 2 * LEA_SET; to_make -= 2 * LEA_SET) {
        lea_xor_sets(schedule, each, &same, 2, counter, out, in, 2 * LEA_SET, NULL);
        counter += 2 * LEA_SET;
        nblocks -= 2 * LEA_SET;
        out += 16 * 2 * LEA_SET;
        if (in != NULL)
            in += 16 * 2 * LEA_SET;
    }
    if (to_make > LEA_SET)
        lea_xor_sets(schedule, each, &same, 2, counter, out, in, nblocks, leftover);
    else
        lea_xor_sets(schedule, each, &same, 1, counter, out, in, nblocks, leftover);
}

TARGET RUNNEL_INLINE void lea_xor_counted(const runnel_lea_schedule *schedule, const uint8_t *block, uint8_t *out,
                                          const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    if (schedule->rounds == 24)
        lea_ctr32_with(schedule, 4, block, out, in, nblocks, leftover);
    else
        lea_ctr32_with(schedule, 6, block, out, in, nblocks, leftover);
}

TARGET static void lea_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    (void)prefix;
    lea_xor_counted(state, block, out, in, nblocks, NULL);
}

TARGET static void lea_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                  const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    lea_xor_counted(state, block, out, in, nblocks, leftover);
    runnel_xor_bytes(out + 16 * nblocks, in == NULL ? NULL : in + 16 * nblocks, leftover, tail);
}

/* ---- decryption ---- */

#if RUNNEL_DECRYPT
TARGET RUNNEL_INLINE void lea_decrypt_round(vector_words x[4], const uint32_t *words, unsigned each, unsigned at)
{
    const lea_vector_key key = lea_get_key(words, each);
    const unsigned a = at & 3, b = (at + 1) & 3, c = (at + 2) & 3, d = (at + 3) & 3;
    x[b] = (words_rotate(x[b], 23) - (x[a] ^ key.k[0])) ^ key.k[1];
    x[c] = (words_rotate(x[c], 5) - (x[b] ^ key.k[2])) ^ key.k[3];
    x[d] = (words_rotate(x[d], 3) - (x[c] ^ key.k[4])) ^ key.k[5];
}

TARGET RUNNEL_INLINE void lea_decrypt_with(const runnel_lea_schedule *schedule, unsigned each, uint8_t *out,
                                           const uint8_t *in, size_t nblocks)
{
    for (;; in += 16 * LEA_SET, out += 16 * LEA_SET) {
        const size_t n = lea_minimum(nblocks, LEA_SET);
        const uint32_t *words = schedule->words + schedule->rounds * each;
        vector_words x[4];
        lea_get_set(x, in, n);
        while (words != schedule->words) {
            words -= 4 * each;
            lea_decrypt_round(x, words + 3 * each, each, 3);
            lea_decrypt_round(x, words + 2 * each, each, 2);
            lea_decrypt_round(x, words + each, each, 1);
            lea_decrypt_round(x, words, each, 0);
        }
        lea_put_set(out, NULL, x, n, NULL);
        nblocks -= n;
        if (nblocks == 0)
            return;
    }
}

TARGET static void lea_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_lea_schedule *schedule = state;
    if (schedule->rounds == 24)
        lea_decrypt_with(schedule, 4, out, in, nblocks);
    else
        lea_decrypt_with(schedule, 6, out, in, nblocks);
}
#endif

#endif
