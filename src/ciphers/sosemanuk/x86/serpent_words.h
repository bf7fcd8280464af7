/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Serpent's S-boxes on words, found by a search for short paths from input to output rather than for few operations:
 * rounds of IV set-up wait for each other. Words 0 and 2 come two operations later than 1 and 3, and are needed first: four
 * operations after they have come, five in S3 and S6. There are no complements: what each S-box makes of zero,
 * SERPENT_OF_ZERO, is left out, and added with the next subkey. y0 is the least significant bit of the nibbles. */
#ifndef SOSEMANUK_X86_SERPENT_WORDS_H
#define SOSEMANUK_X86_SERPENT_WORDS_H

/* A nibble for each S-box, from S0 in the lowest bits. */
#define SERPENT_OF_ZERO 0x17f108f3u

#define SERPENT_WORDS_S0(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y0 | y3, t1 = y1 ^ y2, t2 = y3 ^ y0, t3 = y3 ^ y2, t4 = y0 | y2, t5 = t0 ^ t1;             \
        const uint32_t t6 = t1 & t3, t7 = t2 ^ t1, t8 = y1 & t2, t9 = y1 & t5, t10 = t6 | t7, t11 = t7 | t8;           \
        const uint32_t t12 = t9 ^ t10, t13 = t4 ^ t11, t14 = t3 ^ t12, t15 = t8 ^ t14;                                 \
        y0 = t12, y1 = t15, y2 = t13, y3 = t5;                                                                         \
    } while (0)
#define SERPENT_WORDS_S1(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y1 | y3, t1 = y3 & y0, t2 = y0 ^ y1, t3 = y2 ^ y3, t4 = y2 & t0, t5 = y1 & t2;             \
        const uint32_t t6 = t1 | t4, t7 = t1 ^ y3, t8 = t1 | t2, t9 = t3 ^ t5, t10 = t6 ^ t2, t11 = y1 | t7;           \
        const uint32_t t12 = t3 & t10, t13 = t12 ^ t11, t14 = t9 ^ t12, t15 = t14 ^ t8;                                \
        y0 = t10, y1 = t15, y2 = t9, y3 = t13;                                                                         \
    } while (0)
#define SERPENT_WORDS_S2(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y0 | y3, t1 = y2 & y0, t2 = y1 ^ y2, t3 = y1 ^ t0, t4 = y3 ^ t1, t5 = y0 ^ t2;             \
        const uint32_t t6 = t2 ^ t4, t7 = y1 & t4, t8 = t3 & t5, t9 = t5 ^ t7, t10 = t8 ^ t4, t11 = t9 ^ t10;          \
        const uint32_t t12 = t11 ^ t3;                                                                                 \
        y0 = t6, y1 = t12, y2 = t10, y3 = t9;                                                                          \
    } while (0)
#define SERPENT_WORDS_S3(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y3 & y1, t1 = y3 ^ y0, t2 = y0 | y3, t3 = y1 & y0, t4 = t1 ^ y1, t5 = t1 | t3;             \
        const uint32_t t6 = y2 | t3, t7 = y2 & t2, t8 = y0 ^ t3, t9 = t5 ^ t0, t10 = t4 ^ t6, t11 = y3 & t5;           \
        const uint32_t t12 = t4 ^ t7, t13 = t6 ^ t9, t14 = t10 ^ t7, t15 = t11 ^ t12, t16 = t10 & t12;                 \
        const uint32_t t17 = t8 | t16;                                                                                 \
        y0 = t17, y1 = t15, y2 = t13, y3 = t14;                                                                        \
    } while (0)
#define SERPENT_WORDS_S4(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y1 | y3, t1 = y1 & y0, t2 = y3 & y0, t3 = y0 ^ y3, t4 = t0 ^ t1, t5 = y2 ^ t2;             \
        const uint32_t t6 = y1 ^ t3, t7 = t4 ^ t5, t8 = t4 | t5, t9 = t5 ^ t3, t10 = y1 | t7, t11 = t8 ^ t6;           \
        const uint32_t t12 = t10 ^ t3, t13 = t8 & t11, t14 = t9 ^ t13;                                                 \
        y0 = t7, y1 = t14, y2 = t11, y3 = t12;                                                                         \
    } while (0)
#define SERPENT_WORDS_S5(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y1 & y3, t1 = y0 | y3, t2 = y1 | y0, t3 = y0 ^ y1, t4 = t1 ^ t0, t5 = y2 ^ t2;             \
        const uint32_t t6 = y3 ^ t3, t7 = t4 ^ t5, t8 = t4 & t5, t9 = t5 ^ t3, t10 = y3 | t7, t11 = t6 ^ t8;           \
        const uint32_t t12 = t6 | t8, t13 = t3 ^ t10, t14 = t9 ^ t12;                                                  \
        y0 = t7, y1 = t13, y2 = t11, y3 = t14;                                                                         \
    } while (0)
#define SERPENT_WORDS_S6(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y3 ^ y1, t1 = y1 ^ y2, t2 = y0 & y3, t3 = y0 | y3, t4 = y0 ^ y2, t5 = t1 ^ t2;             \
        const uint32_t t6 = y1 | t2, t7 = t4 & t1, t8 = t1 | t0, t9 = y3 ^ t4, t10 = t3 ^ t7, t11 = t6 | t4;           \
        const uint32_t t12 = t10 & t11, t13 = t3 & t11, t14 = t13 ^ t8, t15 = t6 | t13, t16 = t15 ^ t9;                \
        y0 = t14, y1 = t5, y2 = t12, y3 = t16;                                                                         \
    } while (0)
#define SERPENT_WORDS_S7(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const uint32_t t0 = y1 ^ y3, t1 = y1 & y3, t2 = y1 | t0, t3 = y0 | y1, t4 = y0 | y3, t5 = y2 ^ t2;             \
        const uint32_t t6 = y2 ^ y3, t7 = y0 ^ t1, t8 = y2 | y1, t9 = t5 | t7, t10 = y0 & t8, t11 = t4 ^ t6;           \
        const uint32_t t12 = t4 & t5, t13 = t9 ^ t10, t14 = y1 | t10, t15 = t3 ^ t9, t16 = t14 ^ t11;                  \
        const uint32_t t17 = t15 ^ t12, t18 = t13 | t17, t19 = t18 ^ t7;                                               \
        y0 = t17, y1 = t19, y2 = t13, y3 = t16;                                                                        \
    } while (0)

#endif
