/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT's rounds where half of the registers suffice: x[i] has byte i of the blocks in its first half and byte i + 4 in
 * its second.
 * The includer defines TARGET and includes the vectors of its width. */
#ifndef HIGHT_X86_PAIRS_H
#define HIGHT_X86_PAIRS_H

#include "bytes.h"
#ifdef VECTOR_AVX512
#include "gfni.h"
#else
#include "nibbles.h"
#endif

/* Of bytes i and i + 4, which share a register, a round looks up both in F1 or both in F0: it has 17 instructions, as
 * many as the processor executes during the latency between two rounds anyway. Rounds pair the last register with the
 * first, and then its halves with the other halves, so one register per round is turned: the one whose bytes have been
 * ready longest, so that nothing waits for it. */

/* One round; bytes 0 and 4 of the round are in *a, or turned 4 and 0, and so on. */
TARGET RUNNEL_INLINE void hight_few_round(const hight_tables *t, const vector_bytes *a, vector_bytes *b,
                                          const vector_bytes *c, vector_bytes *d, const uint8_t *key, int ab_turned,
                                          int cd_turned)
{
    uint32_t keys;
    memcpy(&keys, key, sizeof keys);
    const vector_bytes k = hight_repeat_word(keys);
    *b += hight_f1(t, *a) ^ hight_look_up(k, ab_turned ? hight_halves(2, 0) : hight_halves(0, 2));
    *d ^= hight_f0(t, *c) + hight_look_up(k, cd_turned ? hight_halves(3, 1) : hight_halves(1, 3));
}

/* With whitening; x[3] comes turned. */
TARGET RUNNEL_INLINE void hight_few_rounds(const runnel_hight_schedule *schedule, const hight_tables *t,
                                           vector_bytes x[4])
{
    const uint8_t *whitening = schedule->whitening;
    vector_bytes a = x[0] + hight_halves(whitening[0], whitening[2]), b = x[1];
    vector_bytes c = x[2] ^ hight_halves(whitening[1], whitening[3]), d = x[3];
    for (unsigned i = 0; i < 128; i += 16) {
        const uint8_t *key = schedule->subkeys + i;
        d = hight_turn_halves(d);
        hight_few_round(t, &a, &b, &c, &d, key, 0, 0);
        a = hight_turn_halves(a);
        hight_few_round(t, &d, &a, &b, &c, key + 4, 1, 0);
        b = hight_turn_halves(b);
        hight_few_round(t, &c, &d, &a, &b, key + 8, 1, 1);
        c = hight_turn_halves(c);
        hight_few_round(t, &b, &c, &d, &a, key + 12, 0, 1);
    }
    x[0] = b + hight_halves(whitening[4], whitening[6]);
    x[1] = c;
    x[2] = hight_turn_halves(d) ^ hight_halves(whitening[5], whitening[7]);
    x[3] = hight_turn_halves(a);
}

#endif
