/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of ChaCha20 on vectors of any width. The kernel that includes this defines ADD(a, b), XOR(a, b),
 * ROTL(a, n) and SHUFFLE(a, order) (32-bit elements within each 128-bit lane) for its vectors. */
#ifndef RUNNEL_CHACHA20_X86_ROUNDS_H
#define RUNNEL_CHACHA20_X86_ROUNDS_H

#define QUARTER_ROUND(a, b, c, d)                                                                                      \
    do {                                                                                                               \
        a = ADD(a, b);                                                                                                 \
        d = ROTL(XOR(d, a), 16);                                                                                       \
        c = ADD(c, d);                                                                                                 \
        b = ROTL(XOR(b, c), 12);                                                                                       \
        a = ADD(a, b);                                                                                                 \
        d = ROTL(XOR(d, a), 8);                                                                                        \
        c = ADD(c, d);                                                                                                 \
        b = ROTL(XOR(b, c), 7);                                                                                        \
    } while (0)

/* Two at a time: compilers keep the order of the source, and each step waits for the one before. */
#define QUARTER_ROUNDS(a, b, c, d, e, f, g, h)                                                                         \
    do {                                                                                                               \
        a = ADD(a, b), e = ADD(e, f);                                                                                  \
        d = XOR(d, a), h = XOR(h, e);                                                                                  \
        d = ROTL(d, 16), h = ROTL(h, 16);                                                                              \
        c = ADD(c, d), g = ADD(g, h);                                                                                  \
        b = XOR(b, c), f = XOR(f, g);                                                                                  \
        b = ROTL(b, 12), f = ROTL(f, 12);                                                                              \
        a = ADD(a, b), e = ADD(e, f);                                                                                  \
        d = XOR(d, a), h = XOR(h, e);                                                                                  \
        d = ROTL(d, 8), h = ROTL(h, 8);                                                                                \
        c = ADD(c, d), g = ADD(g, h);                                                                                  \
        b = XOR(b, c), f = XOR(f, g);                                                                                  \
        b = ROTL(b, 7), f = ROTL(f, 7);                                                                                \
    } while (0)

/* On words, sixteen vectors, one a state word: half a round each. The first half of a round leaves words 10 and 11 (8
 * and 9 in a diagonal round) alone, the second half the other two. */
#define COLUMNS_01(x) do { QUARTER_ROUND(x[0], x[4], x[8], x[12]); QUARTER_ROUND(x[1], x[5], x[9], x[13]); } while (0)
#define COLUMNS_23(x) do { QUARTER_ROUND(x[2], x[6], x[10], x[14]); QUARTER_ROUND(x[3], x[7], x[11], x[15]); } while (0)
#define DIAGONALS_01(x) do { QUARTER_ROUND(x[0], x[5], x[10], x[15]); QUARTER_ROUND(x[1], x[6], x[11], x[12]); } while (0)
#define DIAGONALS_23(x) do { QUARTER_ROUND(x[2], x[7], x[8], x[13]); QUARTER_ROUND(x[3], x[4], x[9], x[14]); } while (0)

/* On rows, four vectors, one a row. Row b, the last to be ready, stays where it is and the others turn. */
#define COLUMNS_TO_DIAGONALS(a, c, d)                                                                                  \
    do {                                                                                                               \
        a = SHUFFLE(a, 0x93);                                                                                          \
        d = SHUFFLE(d, 0x4e);                                                                                          \
        c = SHUFFLE(c, 0x39);                                                                                          \
    } while (0)
#define DIAGONALS_TO_COLUMNS(a, c, d)                                                                                  \
    do {                                                                                                               \
        a = SHUFFLE(a, 0x39);                                                                                          \
        d = SHUFFLE(d, 0x4e);                                                                                          \
        c = SHUFFLE(c, 0x93);                                                                                          \
    } while (0)

#endif
