/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Transposition between words. The includer defines PLANE, the type of the words, and UNROLLED, which goes before a
 * loop over words; it may define TRANSPOSE_BITS, the function's declaration specifiers, and, for vectors, PLANE_OF, which
 * makes a word of one of 64 bits. */
#ifndef COMMON_TRANSPOSE_H
#define COMMON_TRANSPOSE_H

#ifndef TRANSPOSE_BITS
#define TRANSPOSE_BITS static inline void transpose_bits
#endif

#ifndef PLANE_OF
#define PLANE_OF(word) ((PLANE)(word))
#endif

/* Exchanges the bits of a that mask lacks with those of b that it has, n places further right. */
static inline void transpose_exchange(PLANE *a, PLANE *b, unsigned n, PLANE mask)
{
    const PLANE t = (*a >> n ^ *b) & mask;
    *b ^= t;
    *a ^= t << n;
}

/* Transposes the 8 x 8 bits of each byte position: exchanges bit i of word j with bit j of word i. Its own inverse. */
TRANSPOSE_BITS(PLANE q[8])
{
    UNROLLED
    for (unsigned i = 0; i < 8; i += 2)
        transpose_exchange(&q[i], &q[i + 1], 1, PLANE_OF(0x5555555555555555));
    UNROLLED
    for (unsigned i = 0; i < 8; i += 4) {
        transpose_exchange(&q[i], &q[i + 2], 2, PLANE_OF(0x3333333333333333));
        transpose_exchange(&q[i + 1], &q[i + 3], 2, PLANE_OF(0x3333333333333333));
    }
    UNROLLED
    for (unsigned i = 0; i < 4; i++)
        transpose_exchange(&q[i], &q[i + 4], 4, PLANE_OF(0x0f0f0f0f0f0f0f0f));
}

#endif
