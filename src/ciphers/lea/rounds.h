/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA's rounds on the words of one block, in C. */
#ifndef RUNNEL_LEA_ROUNDS_H
#define RUNNEL_LEA_ROUNDS_H

#include "arch/common/bytes.h"
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

/* One round; each result replaces the word that is used for the last time: the new words in order are *b, *c, *d,
 * *a. */
static inline void runnel_lea_encrypt_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, const uint32_t *words,
                                            unsigned each)
{
    const runnel_lea_round_key key = runnel_lea_get_round_key(words, each);
    *d = runnel_lea_rotr32((*c ^ key.k[4]) + (*d ^ key.k[5]), 3);
    *c = runnel_lea_rotr32((*b ^ key.k[2]) + (*c ^ key.k[3]), 5);
    *b = runnel_rotl32((*a ^ key.k[0]) + (*b ^ key.k[1]), 9);
}

static inline void runnel_lea_encrypt_rounds(const runnel_lea_schedule *schedule, uint32_t x[4], unsigned each)
{
    const uint32_t *words = schedule->words;
    uint32_t a = x[0], b = x[1], c = x[2], d = x[3];
#if RUNNEL_HOSTED /* four rounds in a row, after which all words are in their places again: no moves */
    for (unsigned i = schedule->rounds; i > 0; i -= 4, words += 4 * each) {
        runnel_lea_encrypt_round(&a, &b, &c, &d, words, each);
        runnel_lea_encrypt_round(&b, &c, &d, &a, words + each, each);
        runnel_lea_encrypt_round(&c, &d, &a, &b, words + 2 * each, each);
        runnel_lea_encrypt_round(&d, &a, &b, &c, words + 3 * each, each);
    }
#else
    for (unsigned i = schedule->rounds; i > 0; i--, words += each) {
        runnel_lea_encrypt_round(&a, &b, &c, &d, words, each);
        const uint32_t first = b;
        b = c, c = d, d = a, a = first;
    }
#endif
    x[0] = a, x[1] = b, x[2] = c, x[3] = d;
}

#endif
