/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 for processors with words of 32 bits that rotate them at once: each word of the state lies as its even and
 * its odd bits, so that a rotation of 64 bits is one of 32 for each half (the bit interleaving of Ascon's designers). What
 * enters and leaves the state is taken apart and put together, which is a sixth of a block's time. */
#include "kernels.h"

#if RUNNEL_ROTATES_32

#include "interleaved.h"

#define ROTATE(x, n) ((n) == 0 ? (x) : (x) >> (n) | (x) << (32 - (n)) % 32)

/* a ^ (~b & c) */
#define SELECT(a, b, c) ((a) ^ (~(b) & (c)))

/* x ^ (x >>> a) ^ (x >>> b) of 64 bits. A rotation by an odd number exchanges the halves. */
#define EVEN_OF(w, n) ((n) % 2 ? ROTATE((w).odd, (n) / 2) : ROTATE((w).even, (n) / 2))
#define ODD_OF(w, n) ((n) % 2 ? ROTATE((w).even, ((n) / 2 + 1) % 32) : ROTATE((w).odd, (n) / 2))
#define SPREAD(w, a, b)                                                                                                \
    (ascon_word)                                                                                                       \
    {                                                                                                                  \
        (w).even ^ EVEN_OF(w, a) ^ EVEN_OF(w, b), (w).odd ^ ODD_OF(w, a) ^ ODD_OF(w, b)                                \
    }

/* The S-box on half a word. */
#define SUBSTITUTE(half, constant)                                                                                     \
    do {                                                                                                               \
        uint32_t s0 = s->x0.half, s1 = s->x1.half, s2 = s->x2.half ^ (constant), s3 = s->x3.half, s4 = s->x4.half;     \
        s0 ^= s4;                                                                                                      \
        s4 ^= s3;                                                                                                      \
        s2 ^= s1;                                                                                                      \
        t0.half = SELECT(s0, s1, s2);                                                                                  \
        t1.half = SELECT(s1, s2, s3) ^ t0.half;                                                                        \
        t2.half = SELECT(s2, s3, s4);                                                                                  \
        t3.half = SELECT(s3, s4, s0) ^ t2.half;                                                                        \
        t4.half = SELECT(s4, s0, s1);                                                                                  \
        t0.half ^= t4.half;                                                                                            \
        t2.half = ~t2.half;                                                                                            \
    } while (0)

/* The even bits of each round's constant in the lower digit, the odd ones in the upper. */
static const uint8_t ascon_constants[ASCON_ROUNDS] = {0xcc, 0xc9, 0x9c, 0x99, 0xc6, 0xc3,
                                                      0x96, 0x93, 0x6c, 0x69, 0x3c, 0x39};

RUNNEL_INLINE void ascon_one_round(ascon_state *s, unsigned i)
{
    const uint32_t constant = ascon_constants[i];
    ascon_word t0, t1, t2, t3, t4;
    SUBSTITUTE(even, constant & 15);
    SUBSTITUTE(odd, constant >> 4);
    s->x0 = SPREAD(t0, 19, 28);
    s->x1 = SPREAD(t1, 61, 39);
    s->x2 = SPREAD(t2, 1, 6);
    s->x3 = SPREAD(t3, 10, 17);
    s->x4 = SPREAD(t4, 7, 41);
}

#include "sponge.h"

const runnel_ascon_kernel runnel_ascon_interleaved = {
    .name = RUNNEL_TEXT("interleaved"),
    .citation = RUNNEL_TEXT("bit interleaving for 32-bit words, after Ascon's designers (ascon-c, bi32)"),
    ASCON_FUNCTIONS,
};

#endif
