/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Serpent's S-boxes on four words, a bit of each a nibble: y0 is the least significant. The type is that of the words,
 * integers or vectors. Each was found by a search from both ends for the fewest operations, over steps that add one
 * word, or a function of two or three, to another: 12 to 14 operations, complements not counted. */
#ifndef SOSEMANUK_SERPENT_H
#define SOSEMANUK_SERPENT_H

#define SERPENT_S0(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y0, b = y2, c = y3, d = y1;                                                                           \
        d ^= ~a & c;                                                                                                   \
        c ^= d;                                                                                                        \
        b ^= a;                                                                                                        \
        a ^= d;                                                                                                        \
        d ^= b;                                                                                                        \
        b ^= ~c & a;                                                                                                   \
        c ^= ~b & d;                                                                                                   \
        a ^= ~b & c;                                                                                                   \
        b ^= c;                                                                                                        \
        y0 = ~b, y1 = ~c, y2 = a, y3 = d;                                                                              \
    } while (0)
#define SERPENT_S1(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y1, b = y3, c = y0, d = y2;                                                                           \
        d ^= ~c & a;                                                                                                   \
        a ^= b;                                                                                                        \
        c ^= a;                                                                                                        \
        b ^= d;                                                                                                        \
        a ^= ~c & b;                                                                                                   \
        c ^= a & d;                                                                                                    \
        a ^= c & d;                                                                                                    \
        d ^= ~a & c;                                                                                                   \
        y0 = ~d, y1 = ~c, y2 = ~b, y3 = ~a;                                                                            \
    } while (0)
#define SERPENT_S2(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y3, b = y0, c = y1, d = y2;                                                                           \
        a ^= b & d;                                                                                                    \
        b ^= ~c & a;                                                                                                   \
        c ^= a;                                                                                                        \
        c ^= d;                                                                                                        \
        d ^= a & b;                                                                                                    \
        b ^= c;                                                                                                        \
        a ^= ~d & b;                                                                                                   \
        d ^= a;                                                                                                        \
        y0 = c, y1 = d, y2 = a, y3 = ~b;                                                                               \
    } while (0)
#define SERPENT_S3(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y3, b = y1, c = y0, d = y2, t;                                                                        \
        d ^= ~a & b;                                                                                                   \
        b ^= c;                                                                                                        \
        a ^= (c & d) | b;                                                                                              \
        c ^= a | b;                                                                                                    \
        a ^= d;                                                                                                        \
        b ^= ~d & c;                                                                                                   \
        t = a & b;                                                                                                     \
        c ^= t;                                                                                                        \
        d ^= t;                                                                                                        \
        y0 = b, y1 = c, y2 = a, y3 = d;                                                                                \
    } while (0)
#define SERPENT_S4(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y0, b = y1, c = y2, d = y3;                                                                           \
        c ^= ~a & d;                                                                                                   \
        a ^= b | c;                                                                                                    \
        d ^= a;                                                                                                        \
        b ^= d;                                                                                                        \
        a ^= c;                                                                                                        \
        c ^= ~b & d;                                                                                                   \
        b ^= (c | d) & ~a;                                                                                             \
        a ^= ~b & c;                                                                                                   \
        y0 = ~c, y1 = b, y2 = a, y3 = d;                                                                               \
    } while (0)
#define SERPENT_S5(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y1, b = y3, c = y0, d = y2;                                                                           \
        d ^= ~c & a;                                                                                                   \
        a ^= b | d;                                                                                                    \
        c ^= a;                                                                                                        \
        b ^= c;                                                                                                        \
        a ^= d;                                                                                                        \
        d ^= ~b & c;                                                                                                   \
        b ^= (c | d) & a;                                                                                              \
        a ^= ~b & d;                                                                                                   \
        y0 = ~d, y1 = ~c, y2 = ~a, y3 = ~b;                                                                            \
    } while (0)
#define SERPENT_S6(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y3, b = y0, c = y2, d = y1;                                                                           \
        c ^= a & b;                                                                                                    \
        b ^= a;                                                                                                        \
        a ^= d;                                                                                                        \
        d ^= c;                                                                                                        \
        a ^= b & d;                                                                                                    \
        b ^= d;                                                                                                        \
        b ^= a & c;                                                                                                    \
        a ^= b;                                                                                                        \
        c ^= ~a & b;                                                                                                   \
        y0 = ~b, y1 = ~d, y2 = ~a, y3 = c;                                                                             \
    } while (0)
#define SERPENT_S7(type, y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        type a = y2, b = y0, c = y1, d = y3, t;                                                                        \
        t = c & d;                                                                                                     \
        a ^= t;                                                                                                        \
        b ^= t;                                                                                                        \
        d ^= a & b;                                                                                                    \
        c ^= b;                                                                                                        \
        a ^= ~d & c;                                                                                                   \
        c ^= (a | b) & ~d;                                                                                             \
        d ^= a;                                                                                                        \
        b ^= c | d;                                                                                                    \
        y0 = ~c, y1 = b, y2 = d, y3 = a;                                                                               \
    } while (0)

#endif
