/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The key expansion (FIPS 197 5.2) in words, for any S-box. */
#ifndef RUNNEL_AES_EXPAND_H
#define RUNNEL_AES_EXPAND_H

#include "arch/common/bytes.h"

/* Writes the round keys, 4 words each, the first byte lowest, and returns the number of rounds. sub_word takes the
 * S-box of a word's bytes; it may use scratch, which the caller wipes. Inlined, so that sub_word is called directly. */
RUNNEL_INLINE unsigned aes_expand_key(uint32_t *w, const uint8_t *key, size_t key_bytes,
                                      uint32_t (*sub_word)(uint32_t word, uint32_t *scratch), uint32_t *scratch)
{
    const unsigned nk = (unsigned)key_bytes / 4, rounds = nk + 6;
    uint32_t constant = 1;
    for (unsigned i = 0; i < nk; i++)
        w[i] = runnel_load32le(key + 4 * i);
    for (unsigned i = nk, phase = 0; i < 4 * (rounds + 1); i++) {
        uint32_t t = w[i - 1];
        if (phase == 0) {
            t = sub_word(t >> 8 | t << 24, scratch) ^ constant;
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        } else if (nk == 8 && phase == 4) {
            t = sub_word(t, scratch);
        }
        w[i] = w[i - nk] ^ t;
        phase = phase + 1 == nk ? 0 : phase + 1;
    }
    return rounds;
}

#endif
