/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA's rounds on the words of one block, in C. */
#ifndef RUNNEL_LEA_ROUNDS_H
#define RUNNEL_LEA_ROUNDS_H

#include "../../core/bytes.h"
#include "lea.h"

typedef struct runnel_lea_round_key {
    uint32_t k[6];
} runnel_lea_round_key;

/* Every word of a round key has a place; a 128-bit key's second word has three. `each` is the number of words in the
 * schedule for a round, 4 or 6. */
static inline runnel_lea_round_key runnel_lea_get_round_key(const uint32_t *words, unsigned each)
{
    if (each == 4)
        return (runnel_lea_round_key){{words[0], words[1], words[2], words[1], words[3], words[1]}};
    return (runnel_lea_round_key){{words[0], words[1], words[2], words[3], words[4], words[5]}};
}

static inline uint32_t runnel_lea_rotr32(uint32_t v, unsigned n)
{
    return runnel_rotl32(v, 32 - n);
}

static inline void runnel_lea_encrypt_rounds(const runnel_lea_schedule *schedule, uint32_t x[4], unsigned each)
{
    const uint32_t *words = schedule->words;
    for (unsigned i = 0; i < schedule->rounds; i++, words += each) {
        const runnel_lea_round_key key = runnel_lea_get_round_key(words, each);
        const uint32_t x0 = x[0];
        x[0] = runnel_rotl32((x[0] ^ key.k[0]) + (x[1] ^ key.k[1]), 9);
        x[1] = runnel_lea_rotr32((x[1] ^ key.k[2]) + (x[2] ^ key.k[3]), 5);
        x[2] = runnel_lea_rotr32((x[2] ^ key.k[4]) + (x[3] ^ key.k[5]), 3);
        x[3] = x0;
    }
}

#endif
