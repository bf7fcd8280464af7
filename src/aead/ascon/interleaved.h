/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Words of Ascon's state as their even and their odd bits, for kernels that include sponge.h after this: a rotation of 64
 * bits is then one of 32 for each half (the bit interleaving of Ascon's designers). */
#ifndef RUNNEL_ASCON_INTERLEAVED_H
#define RUNNEL_ASCON_INTERLEAVED_H

#include "arch/common/interleave.h"

typedef struct word {
    uint32_t even, odd;
} word;

typedef struct state {
    word x0, x1, x2, x3, x4;
} state;

RUNNEL_INLINE word to_word(uint64_t x)
{
    word w = {(uint32_t)x, (uint32_t)(x >> 32)};
    runnel_separate_bits_of_two(&w.even, &w.odd);
    return w;
}

RUNNEL_INLINE uint64_t from_word(word w)
{
    runnel_mix_bits_of_two(&w.even, &w.odd);
    return (uint64_t)w.odd << 32 | w.even;
}

RUNNEL_INLINE word xor_words(word a, word b)
{
    return (word){a.even ^ b.even, a.odd ^ b.odd};
}

RUNNEL_INLINE word load_word(const uint64_t *p)
{
    return (word){(uint32_t)*p, (uint32_t)(*p >> 32)};
}

#define TO_WORD(x) to_word(x)
#define FROM_WORD(w) from_word(w)
#define XOR(a, b) xor_words(a, b)
#define LOAD_WORD(p) load_word(p)
#define STORE_WORD(p, w) (*(p) = (uint64_t)(w).odd << 32 | (w).even)

#endif
