/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Words of Ascon's state as their even and their odd bits, for kernels that include sponge.h after this: a rotation of 64
 * bits is then one of 32 for each half (the bit interleaving of Ascon's designers). */
#ifndef ASCON_INTERLEAVED_H
#define ASCON_INTERLEAVED_H

#include "arch/common/interleave.h"

typedef struct ascon_word {
    uint32_t even, odd;
} ascon_word;

typedef struct ascon_state {
    ascon_word x0, x1, x2, x3, x4;
} ascon_state;

RUNNEL_INLINE ascon_word ascon_to_word(uint64_t x)
{
    ascon_word w = {(uint32_t)x, (uint32_t)(x >> 32)};
    runnel_separate_bits_of_two(&w.even, &w.odd);
    return w;
}

RUNNEL_INLINE uint64_t ascon_from_word(ascon_word w)
{
    runnel_mix_bits_of_two(&w.even, &w.odd);
    return (uint64_t)w.odd << 32 | w.even;
}

RUNNEL_INLINE ascon_word ascon_xor_words(ascon_word a, ascon_word b)
{
    return (ascon_word){a.even ^ b.even, a.odd ^ b.odd};
}

RUNNEL_INLINE ascon_word ascon_load_word(const uint64_t *p)
{
    return (ascon_word){(uint32_t)*p, (uint32_t)(*p >> 32)};
}

#define TO_WORD(x) ascon_to_word(x)
#define FROM_WORD(w) ascon_from_word(w)
#define XOR(a, b) ascon_xor_words(a, b)
#define LOAD_WORD(p) ascon_load_word(p)
#define STORE_WORD(p, w) (*(p) = (uint64_t)(w).odd << 32 | (w).even)

#endif
