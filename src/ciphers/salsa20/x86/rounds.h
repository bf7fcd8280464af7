/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of Salsa20 on vectors of any width. The kernel that includes this defines for its vectors the type words
 * (runnel_words…), TARGET, SHUFFLE(a, order) (32-bit elements within each 128-bit lane), PICK(a, b, c, d) (element i of each
 * lane from the i-th of them) and, if its processor has rotations, XOR_ROTL(a, b, n) = a XOR (b <<< n). */
#ifndef SALSA20_X86_ROUNDS_H
#define SALSA20_X86_ROUNDS_H

#ifdef XOR_ROTL
#define HAS_ROTATIONS
#else
#define XOR_ROTL salsa20_xor_rotl
TARGET RUNNEL_INLINE salsa20_words salsa20_xor_rotl(salsa20_words a, salsa20_words b, const int n)
{
    a ^= b << n;
    return a ^ b >> (32 - n);
}
#endif

#define QUARTER_ROUND(a, b, c, d)                                                                                      \
    do {                                                                                                               \
        b = XOR_ROTL(b, a + d, 7);                                                                                     \
        c = XOR_ROTL(c, b + a, 9);                                                                                     \
        d = XOR_ROTL(d, c + b, 13);                                                                                    \
        a = XOR_ROTL(a, d + c, 18);                                                                                    \
    } while (0)

/* Two at a time: each step waits for the one before, and compilers keep the order of the source. */
#define QUARTER_ROUNDS(a, b, c, d, e, f, g, h)                                                                         \
    do {                                                                                                               \
        b = XOR_ROTL(b, a + d, 7), f = XOR_ROTL(f, e + h, 7);                                                          \
        c = XOR_ROTL(c, b + a, 9), g = XOR_ROTL(g, f + e, 9);                                                          \
        d = XOR_ROTL(d, c + b, 13), h = XOR_ROTL(h, g + f, 13);                                                        \
        a = XOR_ROTL(a, d + c, 18), e = XOR_ROTL(e, h + g, 18);                                                        \
    } while (0)

/* On words, sixteen vectors, one a state word: half a round each. A kernel with rotations hides their latency by a second
 * set of words; one without makes two quarter-rounds at a time. Words 6 and 7 are not needed from the second half of a
 * row round to the first half of the next column round, words 8 and 9 not in between. */
#ifdef HAS_ROTATIONS
#define BOTH(a, b, c, d, e, f, g, h)                                                                                   \
    do {                                                                                                               \
        QUARTER_ROUND(a, b, c, d);                                                                                     \
        QUARTER_ROUND(e, f, g, h);                                                                                     \
    } while (0)
#else
#define BOTH QUARTER_ROUNDS
#endif
#define COLUMNS_01(x) BOTH(x[0], x[4], x[8], x[12], x[5], x[9], x[13], x[1])
#define COLUMNS_23(x) BOTH(x[10], x[14], x[2], x[6], x[15], x[3], x[7], x[11])
#define ROWS_01(x) BOTH(x[0], x[1], x[2], x[3], x[5], x[6], x[7], x[4])
#define ROWS_23(x) BOTH(x[10], x[11], x[8], x[9], x[15], x[12], x[13], x[14])

/* Two rounds on words, for kernels with sixteen registers: words 6 and 7 or 8 and 9 are parked (two volatile vectors), 6
 * and 7 at the beginning and at the end. The code in the last arguments goes between the halves of rounds, in other
 * units of the processor. */
#define PARK(x, parked) (parked)[0] = x[6], (parked)[1] = x[7]
#define DOUBLE_ROUND_PARKED(x, parked, beside_0, beside_1, beside_2, beside_3)                                         \
    do {                                                                                                               \
        COLUMNS_01(x);                                                                                                 \
        beside_0;                                                                                                      \
        RUNNEL_EXCHANGE_WORDS(parked, x[8], x[9], x[6], x[7]);                                                         \
        COLUMNS_23(x);                                                                                                 \
        beside_1;                                                                                                      \
        ROWS_01(x);                                                                                                    \
        beside_2;                                                                                                      \
        RUNNEL_EXCHANGE_WORDS(parked, x[6], x[7], x[8], x[9]);                                                         \
        ROWS_23(x);                                                                                                    \
        beside_3;                                                                                                      \
    } while (0)
#define UNPARK(x, parked)                                                                                              \
    do {                                                                                                               \
        x[6] = (parked)[0], x[7] = (parked)[1];                                                                        \
        (parked)[0] = (parked)[1] = (salsa20_words){0};                                                                \
    } while (0)

/* The sixteen vectors at the start, and their addition at the end; w is the state, low and high are the vectors of
 * block numbers. */
#define BROADCAST(w, i) ((w)[i] + (salsa20_words){0})
#define WORDS(w, low, high)                                                                                            \
    {BROADCAST(w, 0),                                                                                                  \
     BROADCAST(w, 1),                                                                                                  \
     BROADCAST(w, 2),                                                                                                  \
     BROADCAST(w, 3),                                                                                                  \
     BROADCAST(w, 4),                                                                                                  \
     BROADCAST(w, 5),                                                                                                  \
     BROADCAST(w, 6),                                                                                                  \
     BROADCAST(w, 7),                                                                                                  \
     low,                                                                                                              \
     high,                                                                                                             \
     BROADCAST(w, 10),                                                                                                 \
     BROADCAST(w, 11),                                                                                                 \
     BROADCAST(w, 12),                                                                                                 \
     BROADCAST(w, 13),                                                                                                 \
     BROADCAST(w, 14),                                                                                                 \
     BROADCAST(w, 15)}
#define ADD_WORDS_0_TO_7(x, w)                                                                                         \
    do {                                                                                                               \
        x[0] += BROADCAST(w, 0), x[1] += BROADCAST(w, 1), x[2] += BROADCAST(w, 2), x[3] += BROADCAST(w, 3);            \
        x[4] += BROADCAST(w, 4), x[5] += BROADCAST(w, 5), x[6] += BROADCAST(w, 6), x[7] += BROADCAST(w, 7);            \
    } while (0)
#define ADD_WORDS_8_TO_15(x, w, low, high)                                                                             \
    do {                                                                                                               \
        x[8] += low, x[9] += high, x[10] += BROADCAST(w, 10), x[11] += BROADCAST(w, 11);                               \
        x[12] += BROADCAST(w, 12), x[13] += BROADCAST(w, 13), x[14] += BROADCAST(w, 14), x[15] += BROADCAST(w, 15);    \
    } while (0)
#define ADD_WORDS(x, w, low, high)                                                                                     \
    do {                                                                                                               \
        ADD_WORDS_0_TO_7(x, w);                                                                                        \
        ADD_WORDS_8_TO_15(x, w, low, high);                                                                            \
    } while (0)
/* Block numbers from index on, carried: a low word that is less than the first one has wrapped. */
#define LOW(index) ((uint32_t)(index) + salsa20_lanes)
#define HIGH(index) ((uint32_t)((index) >> 32) - (salsa20_words)(LOW(index) < (uint32_t)(index) + (salsa20_words){0}))

/* On diagonals, four vectors that hold words 0 5 10 15, 4 9 14 3, 8 13 2 7 and 12 1 6 11, so that a column round is one
 * QUARTER_ROUND(a, b, c, d). TURN makes a row round of the next one, and the other way round: it transposes the
 * matrix, and a, the last to be ready, stays as it is. */
#define TURN(b, c, d)                                                                                                  \
    do {                                                                                                               \
        const __typeof__(b) turned = SHUFFLE(b, 0x93);                                                                 \
        b = SHUFFLE(d, 0x39);                                                                                          \
        c = SHUFFLE(c, 0x4e);                                                                                          \
        d = turned;                                                                                                    \
    } while (0)
/* Rows of the matrix into diagonals, and diagonals into rows. */
#define DIAGONAL0(r0, r1, r2, r3) PICK(r0, r1, r2, r3)
#define DIAGONAL1(r0, r1, r2, r3) PICK(r1, r2, r3, r0)
#define DIAGONAL2(r0, r1, r2, r3) PICK(r2, r3, r0, r1)
#define DIAGONAL3(r0, r1, r2, r3) PICK(r3, r0, r1, r2)
#define ROW0(a, b, c, d) PICK(a, d, c, b)
#define ROW1(a, b, c, d) PICK(b, a, d, c)
#define ROW2(a, b, c, d) PICK(c, b, a, d)
#define ROW3(a, b, c, d) PICK(d, c, b, a)

#endif
