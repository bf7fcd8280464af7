/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Entry points of a kernel of LEA on vectors, from the sets of rounds.h. An includer that has better code for less
 * than half a set defines FEW, how many blocks that is for, encrypt_few and xor_few. */

#ifdef FEW
#define TAKE_FEW(total, call)                                                                                          \
    if ((total) <= FEW) {                                                                                              \
        call;                                                                                                          \
        return;                                                                                                        \
    }
#else
#define TAKE_FEW(total, call)
#endif

INLINE void lea_encrypt_with(const runnel_lea_schedule *schedule, unsigned each, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    for (; nblocks > LANES; in += 16 * 2 * LANES, out += 16 * 2 * LANES) {
        const size_t n = lea_minimum(nblocks, 2 * LANES);
        lea_encrypt_sets(schedule, each, 2, out, in, n);
        nblocks -= n;
        if (nblocks == 0)
            return;
    }
    if (nblocks == 1)
        lea_encrypt_one(schedule, each, out, in, NULL);
    else {
        TAKE_FEW(nblocks, encrypt_few(schedule, out, in, nblocks))
        lea_encrypt_sets(schedule, each, 1, out, in, nblocks);
    }
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
INLINE void lea_ctr32_with(const runnel_lea_schedule *schedule, unsigned each, const uint8_t *block, uint8_t *out,
                           const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    size_t to_make = nblocks + (leftover != NULL);
    if (to_make == 1) {
        lea_encrypt_one(schedule, each, out, block, in);
        return;
    }
    TAKE_FEW(to_make, xor_few(schedule, block, out, in, nblocks, leftover))
    if (to_make <= LANES) {
        lea_xor_set(schedule, each, block, out, in, nblocks, leftover);
        return;
    }
    const lea_shared same = lea_share(schedule->words, each, block);
    uint32_t counter = runnel_load32be(block + 12);
    for (; to_make > 2 * LANES; to_make -= 2 * LANES) {
        lea_xor_sets(schedule, each, &same, 2, counter, out, in, 2 * LANES, NULL);
        counter += 2 * LANES;
        nblocks -= 2 * LANES;
        out += 16 * 2 * LANES;
        if (in != NULL)
            in += 16 * 2 * LANES;
    }
    if (to_make > LANES)
        lea_xor_sets(schedule, each, &same, 2, counter, out, in, nblocks, leftover);
    else
        lea_xor_sets(schedule, each, &same, 1, counter, out, in, nblocks, leftover);
}

INLINE void lea_xor_counted(const runnel_lea_schedule *schedule, const uint8_t *block, uint8_t *out, const uint8_t *in,
                            size_t nblocks, uint8_t *leftover)
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
INLINE void lea_decrypt_round(lea_vec x[4], const uint32_t *words, unsigned each, unsigned at)
{
    const lea_vec_key key = lea_get_key(words, each);
    X(1) = (ROTATE(X(1), 23) - (X(0) ^ key.k[0])) ^ key.k[1];
    X(2) = (ROTATE(X(2), 5) - (X(1) ^ key.k[2])) ^ key.k[3];
    X(3) = (ROTATE(X(3), 3) - (X(2) ^ key.k[4])) ^ key.k[5];
}

INLINE void lea_decrypt_with(const runnel_lea_schedule *schedule, unsigned each, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    for (;; in += 16 * LANES, out += 16 * LANES) {
        const size_t n = lea_minimum(nblocks, LANES);
        const uint32_t *words = schedule->words + schedule->rounds * each;
        lea_vec x[4];
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
#undef X
