/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values common to counter blocks that differ in their last word, in the first four rounds: the first round has one
 * sum of three that depends on it, the second one two, and in the third and the fourth one a term of a sum does not.
 * For kernels in assembly. */
#ifndef RUNNEL_LEA_FIRST_ROUNDS_H
#define RUNNEL_LEA_FIRST_ROUNDS_H

/* Indices of a list of words in the order of their use, each named after the round: Kj is a word of its key, Xj one of
 * the words that it begins with XOR its key. */
#define LEA_1_K5 0
#define LEA_1_X2 1
#define LEA_2_K3 2
#define LEA_2_X1 3
#define LEA_2_K4 4
#define LEA_2_X3 5
#define LEA_3_K1 6
#define LEA_3_X0 7
#define LEA_3_K2 8
#define LEA_3_K3 9
#define LEA_3_K4 10
#define LEA_3_X3 11
#define LEA_4_K4 12
#define LEA_4_X3 13
#define LEA_4_K3 14
#define LEA_4_K2 15
#define LEA_4_K1 16
#define LEA_4_K0 17
#define LEA_FIRST_ROUNDS_WORDS 18

#ifndef __ASSEMBLER__

#include "rounds.h"

/* Sets the list for all blocks that begin with these three words. */
static inline void runnel_lea_set_first_rounds(uint32_t list[LEA_FIRST_ROUNDS_WORDS], const uint32_t *words,
                                               uint32_t x0, uint32_t x1, uint32_t x2, unsigned each)
{
    const runnel_lea_round_key key1 = runnel_lea_get_round_key(words, each),
                               key2 = runnel_lea_get_round_key(words + each, each),
                               key3 = runnel_lea_get_round_key(words + 2 * each, each),
                               key4 = runnel_lea_get_round_key(words + 3 * each, each);
    /* The first two words after the first round, and the first after the second one. */
    const uint32_t y0 = runnel_rotl32((x0 ^ key1.k[0]) + (x1 ^ key1.k[1]), 9);
    const uint32_t y1 = runnel_lea_rotr32((x1 ^ key1.k[2]) + (x2 ^ key1.k[3]), 5);
    const uint32_t z0 = runnel_rotl32((y0 ^ key2.k[0]) + (y1 ^ key2.k[1]), 9);
    list[LEA_1_K5] = key1.k[5];
    list[LEA_1_X2] = x2 ^ key1.k[4];
    list[LEA_2_K3] = key2.k[3];
    list[LEA_2_X1] = y1 ^ key2.k[2];
    list[LEA_2_K4] = key2.k[4];
    list[LEA_2_X3] = x0 ^ key2.k[5];
    list[LEA_3_K1] = key3.k[1];
    list[LEA_3_X0] = z0 ^ key3.k[0];
    list[LEA_3_K2] = key3.k[2];
    list[LEA_3_K3] = key3.k[3];
    list[LEA_3_K4] = key3.k[4];
    list[LEA_3_X3] = y0 ^ key3.k[5];
    list[LEA_4_K4] = key4.k[4];
    list[LEA_4_X3] = z0 ^ key4.k[5];
    list[LEA_4_K3] = key4.k[3];
    list[LEA_4_K2] = key4.k[2];
    list[LEA_4_K1] = key4.k[1];
    list[LEA_4_K0] = key4.k[0];
}

#endif
#endif
