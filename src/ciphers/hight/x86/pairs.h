/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT's rounds where half of the registers suffice: x[i] has byte i of the blocks in its first half and byte i + 4 in
 * its second.
 *
 * The includer has defined TARGET, INLINE, vec, vec_broadcast32, vec_lookup, tables, vec_f0, vec_f1, vec_halves (a byte
 * in the first half, another in the second) and vec_turn (exchanges the halves). */

/* Of bytes i and i + 4, which share a register, a round looks up both in F1 or both in F0: it has 17 instructions, as
 * many as the processor executes during the latency between two rounds anyway. Rounds pair the last register with the
 * first, and then its halves with the other halves, so one register per round is turned: the one whose bytes have been
 * ready longest, so that nothing waits for it. */

/* One round; bytes 0 and 4 of the round are in *a, or turned 4 and 0, and so on. */
INLINE void hight_few_round(const hight_tables *t, const hight_vec *a, hight_vec *b, const hight_vec *c, hight_vec *d,
                            const uint8_t *key, int ab_turned, int cd_turned)
{
    uint32_t keys;
    memcpy(&keys, key, sizeof keys);
    const hight_vec k = vec_broadcast32(keys);
    *b += vec_f1(t, *a) ^ vec_lookup(k, ab_turned ? vec_halves(2, 0) : vec_halves(0, 2));
    *d ^= vec_f0(t, *c) + vec_lookup(k, cd_turned ? vec_halves(3, 1) : vec_halves(1, 3));
}

/* With whitening; x[3] comes turned. */
INLINE void hight_few_rounds(const runnel_hight_schedule *schedule, const hight_tables *t, hight_vec x[4])
{
    const uint8_t *whitening = schedule->whitening;
    hight_vec a = x[0] + vec_halves(whitening[0], whitening[2]), b = x[1];
    hight_vec c = x[2] ^ vec_halves(whitening[1], whitening[3]), d = x[3];
    for (unsigned i = 0; i < 128; i += 16) {
        const uint8_t *key = schedule->subkeys + i;
        d = vec_turn(d);
        hight_few_round(t, &a, &b, &c, &d, key, 0, 0);
        a = vec_turn(a);
        hight_few_round(t, &d, &a, &b, &c, key + 4, 1, 0);
        b = vec_turn(b);
        hight_few_round(t, &c, &d, &a, &b, key + 8, 1, 1);
        c = vec_turn(c);
        hight_few_round(t, &b, &c, &d, &a, key + 12, 0, 1);
    }
    x[0] = b + vec_halves(whitening[4], whitening[6]);
    x[1] = c;
    x[2] = vec_turn(d) ^ vec_halves(whitening[5], whitening[7]);
    x[3] = vec_turn(a);
}
