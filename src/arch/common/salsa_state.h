/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by Salsa20 and ChaCha20: a state of sixteen words, with four constants in it. */
#ifndef RUNNEL_ARCH_COMMON_SALSA_STATE_H
#define RUNNEL_ARCH_COMMON_SALSA_STATE_H

#include "bytes.h"

/* "expa" "nd 3" "2-by" "te k", for keys of 32 bytes; for those of 16, "nd 1" and "6-by". */
#define RUNNEL_EXPA 0x61707865u
#define RUNNEL_ND_3 0x3320646eu
#define RUNNEL_ND_1 0x3120646eu
#define RUNNEL_2_BY 0x79622d32u
#define RUNNEL_6_BY 0x79622d36u
#define RUNNEL_TE_K 0x6b206574u

static inline void runnel_load_words(uint32_t *words, const uint8_t *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        words[i] = runnel_load32le(bytes + 4 * i);
}

/* x0 to x15 are the words at w, except for three that depend on the counter. They are variables, not an array, so that
 * they can be in registers and leave no copy in memory. */
#define RUNNEL_SIXTEEN(w, w8, w9, w12)                                                                                 \
    uint32_t x0 = (w)[0], x1 = (w)[1], x2 = (w)[2], x3 = (w)[3], x4 = (w)[4], x5 = (w)[5], x6 = (w)[6], x7 = (w)[7];   \
    uint32_t x8 = w8, x9 = w9, x10 = (w)[10], x11 = (w)[11], x12 = w12, x13 = (w)[13], x14 = (w)[14], x15 = (w)[15]

/* out = in XOR x0 to x15 + the same words; in == NULL: the sums. */
#define RUNNEL_XOR_SIXTEEN(out, in, w, w8, w9, w12)                                                                    \
    do {                                                                                                               \
        runnel_xor32le(out, in, 0, x0 + (w)[0]);                                                                       \
        runnel_xor32le(out, in, 1, x1 + (w)[1]);                                                                       \
        runnel_xor32le(out, in, 2, x2 + (w)[2]);                                                                       \
        runnel_xor32le(out, in, 3, x3 + (w)[3]);                                                                       \
        runnel_xor32le(out, in, 4, x4 + (w)[4]);                                                                       \
        runnel_xor32le(out, in, 5, x5 + (w)[5]);                                                                       \
        runnel_xor32le(out, in, 6, x6 + (w)[6]);                                                                       \
        runnel_xor32le(out, in, 7, x7 + (w)[7]);                                                                       \
        runnel_xor32le(out, in, 8, x8 + (w8));                                                                         \
        runnel_xor32le(out, in, 9, x9 + (w9));                                                                         \
        runnel_xor32le(out, in, 10, x10 + (w)[10]);                                                                    \
        runnel_xor32le(out, in, 11, x11 + (w)[11]);                                                                    \
        runnel_xor32le(out, in, 12, x12 + (w12));                                                                      \
        runnel_xor32le(out, in, 13, x13 + (w)[13]);                                                                    \
        runnel_xor32le(out, in, 14, x14 + (w)[14]);                                                                    \
        runnel_xor32le(out, in, 15, x15 + (w)[15]);                                                                    \
    } while (0)

#endif
