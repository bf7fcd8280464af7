/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rounds of ChaCha20 on vectors of any width. The kernel that includes this defines for its vectors the type words
 * (runnel_words…), SHUFFLE(a, order) (32-bit elements within each 128-bit lane), and either ROTL(rotations, a, n) or, for
 * processors without rotations, what ROTL is made of here: the type vector, SHUFFLE_BYTES(a, pattern) of vectors, and
 * EACH_LANE(...), its arguments as often as a vector has lanes. */
#ifndef CHACHA20_X86_ROUNDS_H
#define CHACHA20_X86_ROUNDS_H

#ifdef SHUFFLE_BYTES
/* Rotations by whole bytes are byte shuffles. Their patterns stay in memory, which saves two registers; compilers
 * leave them there only if they cannot know that the pattern is the same each time. `rotations` is a variable of the
 * function that rotates, `const vector *rotations = rotate.patterns`; with rotations of the processor it is NULL. */
#define ROTL(rotations, x, n)                                                                                          \
    ((n) == 16  ? (chacha20_words)SHUFFLE_BYTES((chacha20_vector)(x), chacha20_hidden(&(rotations))[0])                \
     : (n) == 8 ? (chacha20_words)SHUFFLE_BYTES((chacha20_vector)(x), chacha20_hidden(&(rotations))[1])                \
                : RUNNEL_ROTL_WORDS(x, n))

static const union {
    uint8_t bytes[2][sizeof(chacha20_vector)];
    chacha20_vector patterns[2];
} chacha20_rotate = {{{EACH_LANE(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)},
                      {EACH_LANE(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14)}}};

RUNNEL_INLINE const chacha20_vector *chacha20_hidden(const chacha20_vector **pointer)
{
    RUNNEL_VALUE_BARRIER(*pointer);
    return *pointer;
}
#endif

#define QUARTER_ROUND(rotations, a, b, c, d)                                                                           \
    do {                                                                                                               \
        a = a + b;                                                                                                     \
        d = ROTL(rotations, d ^ a, 16);                                                                                \
        c = c + d;                                                                                                     \
        b = ROTL(rotations, b ^ c, 12);                                                                                \
        a = a + b;                                                                                                     \
        d = ROTL(rotations, d ^ a, 8);                                                                                 \
        c = c + d;                                                                                                     \
        b = ROTL(rotations, b ^ c, 7);                                                                                 \
    } while (0)

/* Two at a time: each step waits for the one before, and compilers keep the order of the source. */
#define QUARTER_ROUNDS(rotations, a, b, c, d, e, f, g, h)                                                              \
    do {                                                                                                               \
        a = a + b, e = e + f;                                                                                          \
        d = d ^ a, h = h ^ e;                                                                                          \
        d = ROTL(rotations, d, 16), h = ROTL(rotations, h, 16);                                                        \
        c = c + d, g = g + h;                                                                                          \
        b = b ^ c, f = f ^ g;                                                                                          \
        b = ROTL(rotations, b, 12), f = ROTL(rotations, f, 12);                                                        \
        a = a + b, e = e + f;                                                                                          \
        d = d ^ a, h = h ^ e;                                                                                          \
        d = ROTL(rotations, d, 8), h = ROTL(rotations, h, 8);                                                          \
        c = c + d, g = g + h;                                                                                          \
        b = b ^ c, f = f ^ g;                                                                                          \
        b = ROTL(rotations, b, 7), f = ROTL(rotations, f, 7);                                                          \
    } while (0)

/* On words, sixteen vectors, one a state word: half a round each. A kernel with rotations hides their latency by a second
 * set of words; one without makes two quarter-rounds at a time. The first half of a column round leaves words 10 and 11
 * alone, the second half 8 and 9; in a diagonal round it is the other way round. */
#ifndef SHUFFLE_BYTES
#define BOTH(rotations, a, b, c, d, e, f, g, h)                                                                        \
    do {                                                                                                               \
        QUARTER_ROUND(rotations, a, b, c, d);                                                                          \
        QUARTER_ROUND(rotations, e, f, g, h);                                                                          \
    } while (0)
#else
#define BOTH QUARTER_ROUNDS
#endif
#define COLUMNS_01(rotations, x) BOTH(rotations, x[0], x[4], x[8], x[12], x[1], x[5], x[9], x[13])
#define COLUMNS_23(rotations, x) BOTH(rotations, x[2], x[6], x[10], x[14], x[3], x[7], x[11], x[15])
#define DIAGONALS_01(rotations, x) BOTH(rotations, x[0], x[5], x[10], x[15], x[1], x[6], x[11], x[12])
#define DIAGONALS_23(rotations, x) BOTH(rotations, x[2], x[7], x[8], x[13], x[3], x[4], x[9], x[14])

/* Two rounds on words, for kernels with sixteen registers: words 10 and 11 or 8 and 9 are parked (two volatile vectors),
 * 10 and 11 at the beginning and at the end. The code in the last arguments goes between the halves of rounds, in
 * other units of the processor. */
#define PARK(x, parked) (parked)[0] = x[10], (parked)[1] = x[11]
#define DOUBLE_ROUND_PARKED(rotations, x, parked, beside_0, beside_1, beside_2, beside_3)                              \
    do {                                                                                                               \
        COLUMNS_01(rotations, x);                                                                                      \
        beside_0;                                                                                                      \
        RUNNEL_EXCHANGE_WORDS(parked, x[8], x[9], x[10], x[11]);                                                       \
        COLUMNS_23(rotations, x);                                                                                      \
        beside_1;                                                                                                      \
        DIAGONALS_01(rotations, x);                                                                                    \
        beside_2;                                                                                                      \
        RUNNEL_EXCHANGE_WORDS(parked, x[10], x[11], x[8], x[9]);                                                       \
        DIAGONALS_23(rotations, x);                                                                                    \
        beside_3;                                                                                                      \
    } while (0)
#define UNPARK(x, parked)                                                                                              \
    do {                                                                                                               \
        x[10] = (parked)[0], x[11] = (parked)[1];                                                                      \
        (parked)[0] = (parked)[1] = (chacha20_words){0};                                                               \
    } while (0)

/* The sixteen vectors at the start, and their addition at the end; w is the state, counters the vector of block
 * numbers. */
#define BROADCAST(w, i) ((w)[i] + (chacha20_words){0})
#define WORDS(w, counters)                                                                                             \
    {BROADCAST(w, 0), BROADCAST(w, 1),  BROADCAST(w, 2),  BROADCAST(w, 3), BROADCAST(w, 4),  BROADCAST(w, 5),          \
     BROADCAST(w, 6), BROADCAST(w, 7),  BROADCAST(w, 8),  BROADCAST(w, 9), BROADCAST(w, 10), BROADCAST(w, 11),         \
     counters,        BROADCAST(w, 13), BROADCAST(w, 14), BROADCAST(w, 15)}
#define ADD_WORDS_0_TO_7(x, w)                                                                                         \
    do {                                                                                                               \
        x[0] += BROADCAST(w, 0), x[1] += BROADCAST(w, 1), x[2] += BROADCAST(w, 2), x[3] += BROADCAST(w, 3);            \
        x[4] += BROADCAST(w, 4), x[5] += BROADCAST(w, 5), x[6] += BROADCAST(w, 6), x[7] += BROADCAST(w, 7);            \
    } while (0)
#define ADD_WORDS_8_TO_15(x, w, counters)                                                                              \
    do {                                                                                                               \
        x[8] += BROADCAST(w, 8), x[9] += BROADCAST(w, 9), x[10] += BROADCAST(w, 10), x[11] += BROADCAST(w, 11);        \
        x[12] += counters, x[13] += BROADCAST(w, 13), x[14] += BROADCAST(w, 14), x[15] += BROADCAST(w, 15);            \
    } while (0)
#define ADD_WORDS(x, w, counters)                                                                                      \
    do {                                                                                                               \
        ADD_WORDS_0_TO_7(x, w);                                                                                        \
        ADD_WORDS_8_TO_15(x, w, counters);                                                                             \
    } while (0)

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

/* All rounds on rows, and on two sets of them. */
#define ROUNDS_ON_ROWS(rotations, a, b, c, d)                                                                          \
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {                                                    \
        QUARTER_ROUND(rotations, a, b, c, d);                                                                          \
        COLUMNS_TO_DIAGONALS(a, c, d);                                                                                 \
        QUARTER_ROUND(rotations, a, b, c, d);                                                                          \
        DIAGONALS_TO_COLUMNS(a, c, d);                                                                                 \
    }
#define ROUNDS_ON_ROWS_TWICE(rotations, a, b, c, d, e, f, g, h)                                                        \
    for (unsigned round = 0; round < CHACHA20_ROUNDS; round += 2) {                                                    \
        QUARTER_ROUNDS(rotations, a, b, c, d, e, f, g, h);                                                             \
        COLUMNS_TO_DIAGONALS(a, c, d);                                                                                 \
        COLUMNS_TO_DIAGONALS(e, g, h);                                                                                 \
        QUARTER_ROUNDS(rotations, a, b, c, d, e, f, g, h);                                                             \
        DIAGONALS_TO_COLUMNS(a, c, d);                                                                                 \
        DIAGONALS_TO_COLUMNS(e, g, h);                                                                                 \
    }

#endif
