/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a kernel of HIGHT on vectors is called for. The includer defines TARGET and includes the vectors of its width. */
#ifndef HIGHT_X86_MODES_H
#define HIGHT_X86_MODES_H

#include "few.h"

TARGET static void hight_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const hight_tables t = hight_get_tables();
    if (nblocks > HIGHT_FEW) {
        hight_round_keys kept;
        const hight_round_keys *const keys = hight_keys_of_call(&kept, state);
        for (; nblocks > HIGHT_FEW; in += 8 * HIGHT_LANES, out += 8 * HIGHT_LANES) {
            const size_t n = hight_minimum(nblocks, HIGHT_LANES);
            vector_bytes x[1][8];
            hight_get_blocks(x[0], in, n);
            hight_whiten_first(keys, x[0]);
            hight_encrypt_rounds(keys, &t, x, 1, 0);
            hight_whiten_last(keys, x[0]);
            hight_put_blocks(out, NULL, x[0], n, NULL);
            nblocks -= n;
        }
        hight_forget_keys(&kept);
    }
    if (nblocks > 0)
        hight_encrypt_few(state, &t, out, in, nblocks);
}

/* ---- counter mode ---- */

/* More than HIGHT_FEW blocks, of which nblocks are whole: one more goes to leftover unless that is NULL. */
TARGET RUNNEL_INLINE void hight_xor_many(const runnel_hight_schedule *schedule, const hight_tables *t,
                                         const uint8_t *block, uint32_t counter, uint8_t *out, const uint8_t *in,
                                         size_t nblocks, uint8_t *leftover)
{
    size_t to_make = nblocks + (leftover != NULL);
    hight_shared same;
    int shares = 0, ever = 0; /* whether `same` belongs to the counter's run of 256 blocks, or to any run */
    hight_round_keys kept;
    const hight_round_keys *const keys = hight_keys_of_call(&kept, schedule);
    while (to_make > HIGHT_FEW) {
        const size_t most = to_make > HIGHT_LANES ? HIGHT_SETS * HIGHT_LANES : HIGHT_LANES;
        const size_t made = hight_minimum(to_make, most), n = hight_minimum(nblocks, most);
        const int carries = (counter & 255) + most > 256;
        uint8_t *rest = made > n ? leftover : NULL;
        if (carries || (!shares && to_make <= HIGHT_SETS * HIGHT_LANES)) { /* or there is nothing to share it with */
            if (most > HIGHT_LANES)
                hight_xor_sets(keys, t, NULL, HIGHT_SETS, block, counter, out, in, n, rest);
            else
                hight_xor_sets(keys, t, NULL, 1, block, counter, out, in, n, rest);
            shares = 0;
        } else {
            if (!shares)
                same = hight_share(keys, t, block, counter);
            if (most > HIGHT_LANES)
                hight_xor_sets(keys, t, &same, HIGHT_SETS, block, counter, out, in, n, rest);
            else
                hight_xor_sets(keys, t, &same, 1, block, counter, out, in, n, rest);
            shares = (counter & 255) + most < 256;
            ever = 1;
        }
        to_make -= made;
        nblocks -= n;
        counter += (uint32_t)made;
        out += 8 * n;
        if (in != NULL)
            in += 8 * n;
    }
    hight_forget_keys(&kept);
    if (ever)
        runnel_wipe(&same, sizeof same);
    if (to_make > 0)
        hight_xor_few(schedule, t, block, counter, out, in, nblocks, leftover);
}

TARGET RUNNEL_INLINE void hight_xor_counted(const runnel_hight_schedule *schedule, const uint8_t *block, uint8_t *out,
                                            const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const hight_tables t = hight_get_tables();
    const uint32_t counter = runnel_load32be(block + 4);
    if (nblocks + (leftover != NULL) > HIGHT_FEW)
        hight_xor_many(schedule, &t, block, counter, out, in, nblocks, leftover);
    else
        hight_xor_few(schedule, &t, block, counter, out, in, nblocks, leftover);
}

TARGET static void hight_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                               size_t nblocks)
{
    (void)prefix;
    hight_xor_counted(state, block, out, in, nblocks, NULL);
}

TARGET static void hight_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                    const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    hight_xor_counted(state, block, out, in, nblocks, leftover);
    runnel_xor_bytes(out + 8 * nblocks, in == NULL ? NULL : in + 8 * nblocks, leftover, tail);
}

/* ---- decryption ---- */

#if RUNNEL_DECRYPT
TARGET RUNNEL_INLINE void hight_decrypt_round(const hight_tables *t, vector_bytes x[8], const hight_round_key key[4],
                                              unsigned at)
{
    x[(at + 1) & 7] -= hight_step1(t, x[at], key[0]);
    x[(at + 3) & 7] ^= hight_step0(t, x[(at + 2) & 7], key[1]);
    x[(at + 5) & 7] -= hight_step1(t, x[(at + 4) & 7], key[2]);
    x[(at + 7) & 7] ^= hight_step0(t, x[(at + 6) & 7], key[3]);
}

/* Up to HIGHT_LANES blocks. */
TARGET RUNNEL_INLINE void hight_decrypt_batch(const hight_round_keys *keys, const hight_tables *t, uint8_t *out,
                                              const uint8_t *in, size_t nblocks)
{
    const hight_round_key *key = keys->subkeys + 128;
    vector_bytes x[8], y[8];
    hight_get_blocks(y, in, nblocks);
    x[0] = y[7];
    x[1] = y[0] - hight_repeat_key(keys->whitening[4]);
    x[2] = y[1];
    x[3] = y[2] ^ hight_repeat_key(keys->whitening[5]);
    x[4] = y[3];
    x[5] = y[4] - hight_repeat_key(keys->whitening[6]);
    x[6] = y[5];
    x[7] = y[6] ^ hight_repeat_key(keys->whitening[7]);
    while (key != keys->subkeys) {
        key -= 32;
        RUNNEL_UNROLL
        for (unsigned at = 1; at <= 8; at++)
            hight_decrypt_round(t, x, key + 4 * (8 - at), at & 7);
    }
    x[0] -= hight_repeat_key(keys->whitening[0]);
    x[2] ^= hight_repeat_key(keys->whitening[1]);
    x[4] -= hight_repeat_key(keys->whitening[2]);
    x[6] ^= hight_repeat_key(keys->whitening[3]);
    hight_put_blocks(out, NULL, x, nblocks, NULL);
}

TARGET static void hight_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const hight_tables t = hight_get_tables();
    hight_round_keys kept;
    const hight_round_keys *const keys = hight_keys_of_call(&kept, state);
    for (; nblocks > HIGHT_LANES; nblocks -= HIGHT_LANES, in += 8 * HIGHT_LANES, out += 8 * HIGHT_LANES)
        hight_decrypt_batch(keys, &t, out, in, HIGHT_LANES);
    hight_decrypt_batch(keys, &t, out, in, nblocks);
    hight_forget_keys(&kept);
}
#endif

#endif
