/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 in words of 64 bits. A round has some 22 operations on bits and ten rotations, on x86 two of these a cycle,
 * which is five cycles a round; what a block waits for is the longest path through its eight rounds. */
#include "kernels.h"

typedef uint64_t ascon_word;

typedef struct ascon_state {
    ascon_word x0, x1, x2, x3, x4;
} ascon_state;

#define TO_WORD(x) (x)
#define FROM_WORD(w) (w)
#define XOR(a, b) ((a) ^ (b))
#define LOAD_WORD(p) (*(p))
#define STORE_WORD(p, w) (*(p) = (w))

#define ROTATE(x, n) ((x) >> (n) | (x) << (64 - (n)))

RUNNEL_INLINE void ascon_one_round(ascon_state *s, unsigned i)
{
    uint64_t s0 = s->x0, s1 = s->x1, s2 = s->x2 ^ (0xf0u - 0x0fu * i), s3 = s->x3, s4 = s->x4;
    s0 ^= s4;
    s4 ^= s3;
    s2 ^= s1;
    uint64_t t0 = s0 ^ (~s1 & s2), t1 = s1 ^ (~s2 & s3), t2 = s2 ^ (~s3 & s4);
    uint64_t t3 = s3 ^ (~s4 & s0), t4 = s4 ^ (~s0 & s1);
    t1 ^= t0;
    t0 ^= t4;
    t3 ^= t2;
    t2 = ~t2;
    s->x0 = t0 ^ ROTATE(t0, 19) ^ ROTATE(t0, 28);
    s->x1 = t1 ^ ROTATE(t1, 61) ^ ROTATE(t1, 39);
    s->x2 = t2 ^ ROTATE(t2, 1) ^ ROTATE(t2, 6);
    s->x3 = t3 ^ ROTATE(t3, 10) ^ ROTATE(t3, 17);
    s->x4 = t4 ^ ROTATE(t4, 7) ^ ROTATE(t4, 41);
}

#if RUNNEL_AVR
#define STATE_IN_PLACE
#endif
#include "sponge.h"

const runnel_ascon_kernel runnel_ascon_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("SP 800-232, 64-bit words"),
    ASCON_FUNCTIONS,
};
