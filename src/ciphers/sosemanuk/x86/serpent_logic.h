/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Serpent's S-boxes by instructions that compute any function of three words. Each was found by a search: seven or eight
 * of them, and no output further than two from the inputs, since IV set-up waits for each round. y0 is the least
 * significant bit of the nibbles. */
#ifndef SOSEMANUK_X86_SERPENT_LOGIC_H
#define SOSEMANUK_X86_SERPENT_LOGIC_H

#define SERPENT_LOGIC_S0(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y1, y3, y0, 0x5c);                                                                     \
        const __m128i b = LOGIC(y0, y1, y2, 0x66);                                                                     \
        const __m128i c = LOGIC(y0, y3, b, 0x56);                                                                      \
        const __m128i d = LOGIC(y0, y2, y3, 0x92);                                                                     \
        const __m128i e = LOGIC(a, b, d, 0x59);                                                                        \
        const __m128i f = LOGIC(a, b, d, 0x65);                                                                        \
        const __m128i g = LOGIC(y0, y1, y3, 0x96);                                                                     \
        const __m128i h = LOGIC(y2, a, g, 0xac);                                                                       \
        y0 = e, y1 = f, y2 = h, y3 = c;                                                                                \
    } while (0)
#define SERPENT_LOGIC_S1(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y0, y1, y2, 0xa6);                                                                     \
        const __m128i b = LOGIC(y0, y3, a, 0x99);                                                                      \
        const __m128i c = LOGIC(y1, y3, y0, 0x8b);                                                                     \
        const __m128i d = LOGIC(y0, y1, y3, 0x96);                                                                     \
        const __m128i e = LOGIC(a, c, d, 0x47);                                                                        \
        const __m128i f = LOGIC(a, c, d, 0x35);                                                                        \
        const __m128i g = LOGIC(a, c, d, 0x5c);                                                                        \
        y0 = e, y1 = f, y2 = b, y3 = g;                                                                                \
    } while (0)
#define SERPENT_LOGIC_S2(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y1, y2, y0, 0x96);                                                                     \
        const __m128i b = LOGIC(y1, y3, y0, 0xe1);                                                                     \
        const __m128i c = LOGIC(y0, y2, y3, 0xac);                                                                     \
        const __m128i d = LOGIC(y0, b, c, 0x69);                                                                       \
        const __m128i e = LOGIC(a, b, c, 0xd2);                                                                        \
        const __m128i f = LOGIC(a, b, c, 0x59);                                                                        \
        const __m128i g = LOGIC(a, b, c, 0x47);                                                                        \
        y0 = d, y1 = e, y2 = f, y3 = g;                                                                                \
    } while (0)
#define SERPENT_LOGIC_S3(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y1, y0, y3, 0x61);                                                                     \
        const __m128i b = LOGIC(y0, y2, y3, 0x62);                                                                     \
        const __m128i c = LOGIC(y0, a, b, 0x99);                                                                       \
        const __m128i d = LOGIC(y0, y1, y2, 0xe5);                                                                     \
        const __m128i e = LOGIC(y3, a, d, 0x65);                                                                       \
        const __m128i f = LOGIC(y1, b, d, 0x29);                                                                       \
        const __m128i g = LOGIC(y1, y2, y3, 0xb0);                                                                     \
        const __m128i h = LOGIC(y0, b, g, 0x56);                                                                       \
        y0 = h, y1 = c, y2 = e, y3 = f;                                                                                \
    } while (0)
#define SERPENT_LOGIC_S4(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y0, y1, y3, 0x58);                                                                     \
        const __m128i b = LOGIC(y1, y2, a, 0x56);                                                                      \
        const __m128i c = LOGIC(y0, y2, y3, 0x39);                                                                     \
        const __m128i d = LOGIC(y1, a, c, 0x9a);                                                                       \
        const __m128i e = LOGIC(y1, y2, y3, 0x5b);                                                                     \
        const __m128i f = LOGIC(a, c, e, 0xe6);                                                                        \
        const __m128i g = LOGIC(y1, y2, y3, 0x90);                                                                     \
        const __m128i h = LOGIC(y0, e, g, 0x63);                                                                       \
        y0 = d, y1 = f, y2 = h, y3 = b;                                                                                \
    } while (0)
#define SERPENT_LOGIC_S5(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y0, y1, y3, 0x7e);                                                                     \
        const __m128i b = LOGIC(y0, y2, a, 0x69);                                                                      \
        const __m128i c = LOGIC(y0, y1, y3, 0xc7);                                                                     \
        const __m128i d = LOGIC(y2, y3, c, 0x56);                                                                      \
        const __m128i e = LOGIC(y0, y1, y2, 0x6e);                                                                     \
        const __m128i f = LOGIC(y3, a, e, 0x87);                                                                       \
        const __m128i g = LOGIC(y0, y2, y3, 0xb6);                                                                     \
        const __m128i h = LOGIC(y1, e, g, 0x95);                                                                       \
        y0 = b, y1 = d, y2 = f, y3 = h;                                                                                \
    } while (0)
#define SERPENT_LOGIC_S6(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y0, y3, y1, 0xe8);                                                                     \
        const __m128i b = LOGIC(y0, y1, y2, 0x69);                                                                     \
        const __m128i c = LOGIC(y0, y3, b, 0x9a);                                                                      \
        const __m128i d = LOGIC(y0, y2, y3, 0x92);                                                                     \
        const __m128i e = LOGIC(a, b, d, 0x59);                                                                        \
        const __m128i f = LOGIC(y0, y2, y3, 0x89);                                                                     \
        const __m128i g = LOGIC(y1, a, f, 0x4e);                                                                       \
        const __m128i h = LOGIC(a, b, f, 0x4e);                                                                        \
        y0 = g, y1 = c, y2 = h, y3 = e;                                                                                \
    } while (0)
#define SERPENT_LOGIC_S7(y0, y1, y2, y3)                                                                               \
    do {                                                                                                               \
        const __m128i a = LOGIC(y1, y2, y3, 0x2d);                                                                     \
        const __m128i b = LOGIC(y1, y2, y3, 0x49);                                                                     \
        const __m128i c = LOGIC(y0, a, b, 0xa9);                                                                       \
        const __m128i d = LOGIC(y0, y1, y3, 0xe5);                                                                     \
        const __m128i e = LOGIC(a, c, d, 0x78);                                                                        \
        const __m128i f = LOGIC(y2, d, e, 0xc9);                                                                       \
        const __m128i g = LOGIC(y1, y2, y3, 0x83);                                                                     \
        const __m128i h = LOGIC(y0, b, g, 0xa3);                                                                       \
        y0 = c, y1 = f, y2 = h, y3 = e;                                                                                \
    } while (0)

#endif
