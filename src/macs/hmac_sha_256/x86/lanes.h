/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several messages of SHA-256, one in each 32-bit lane of the vectors, written once for every width. A block's words are
 * transposed on loading: 16 bytes of every fourth message come together, so that no shuffle leaves 128 bits.
 *
 * To be defined before: TARGET, VECTOR, LANES, and on 32-bit lanes LOAD, STORE, ADD, XOR3, ROTATING and SHIFT (to the
 * right), CHOOSING, MAJORITY_OF, REPEAT; SWAP, which reverses the bytes of words; UNPACK_LOW, UNPACK_HIGH (of 32 bits) and
 * UNPACK_LOW_64, UNPACK_HIGH_64; FOUR(p, at): 16 bytes from p[0] + at, p[4] + at, … in this order. */
#include "macs/hmac_sha_256/kernels.h"
#include "macs/hmac_sha_256/sha_256_constants.h"

/* Words 4 i to 4 i + 3 of each message's block, which begins at in + at. */
TARGET RUNNEL_INLINE void hmac_sha_256_load_words(VECTOR *w, const uint8_t *const *in, size_t at, unsigned i)
{
    const VECTOR r0 = SWAP(FOUR(in, at + 16 * i)), r1 = SWAP(FOUR(in + 1, at + 16 * i));
    const VECTOR r2 = SWAP(FOUR(in + 2, at + 16 * i)), r3 = SWAP(FOUR(in + 3, at + 16 * i));
    const VECTOR low01 = UNPACK_LOW(r0, r1), low23 = UNPACK_LOW(r2, r3);
    const VECTOR high01 = UNPACK_HIGH(r0, r1), high23 = UNPACK_HIGH(r2, r3);
    w[4 * i] = UNPACK_LOW_64(low01, low23);
    w[4 * i + 1] = UNPACK_HIGH_64(low01, low23);
    w[4 * i + 2] = UNPACK_LOW_64(high01, high23);
    w[4 * i + 3] = UNPACK_HIGH_64(high01, high23);
}

#define ROUND(a, b, c, d, e, f, g, h, i)                                                                               \
    do {                                                                                                               \
        h = ADD(ADD(h, ADD(w[(i) % 16], REPEAT(constants[i]))),                                                        \
                ADD(XOR3(ROTATING(e, 6), ROTATING(e, 11), ROTATING(e, 25)), CHOOSING(e, f, g)));                       \
        d = ADD(d, h);                                                                                                 \
        h = ADD(h, ADD(XOR3(ROTATING(a, 2), ROTATING(a, 13), ROTATING(a, 22)), MAJORITY_OF(a, b, c)));                 \
    } while (0)

TARGET RUNNEL_INLINE void hmac_sha_256_next_word(VECTOR *w, unsigned i)
{
    const VECTOR x = w[(i + 1) % 16], y = w[(i + 14) % 16];
    const VECTOR sum = ADD(w[i], w[(i + 9) % 16]);
    w[i] = ADD(ADD(sum, XOR3(ROTATING(x, 7), ROTATING(x, 18), SHIFT(x, 3))),
               XOR3(ROTATING(y, 17), ROTATING(y, 19), SHIFT(y, 10)));
}

TARGET static void hmac_sha_256_compress(uint32_t *const *states, const uint8_t *const *in, size_t nblocks)
{
    _Alignas(VECTOR) uint32_t words[8][LANES];
    VECTOR v[8], w[16];
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < LANES; k++)
            words[i][k] = states[k][i];
        v[i] = LOAD(words[i]);
    }
    for (size_t at = 0; nblocks > 0; nblocks--, at += 64) {
        VECTOR a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        RUNNEL_UNROLL
        for (unsigned i = 0; i < 4; i++)
            hmac_sha_256_load_words(w, in, at, i);
        const uint32_t *constants = sha_256_constants;
        for (unsigned sixteen = 0;; sixteen++) {
            RUNNEL_UNROLL
            for (unsigned i = 0; i < 16; i += 8) {
                ROUND(a, b, c, d, e, f, g, h, i);
                ROUND(h, a, b, c, d, e, f, g, i + 1);
                ROUND(g, h, a, b, c, d, e, f, i + 2);
                ROUND(f, g, h, a, b, c, d, e, i + 3);
                ROUND(e, f, g, h, a, b, c, d, i + 4);
                ROUND(d, e, f, g, h, a, b, c, i + 5);
                ROUND(c, d, e, f, g, h, a, b, i + 6);
                ROUND(b, c, d, e, f, g, h, a, i + 7);
            }
            if (sixteen == 3)
                break;
            constants += 16;
            RUNNEL_UNROLL
            for (unsigned i = 0; i < 16; i++)
                hmac_sha_256_next_word(w, i);
        }
        v[0] = ADD(v[0], a);
        v[1] = ADD(v[1], b);
        v[2] = ADD(v[2], c);
        v[3] = ADD(v[3], d);
        v[4] = ADD(v[4], e);
        v[5] = ADD(v[5], f);
        v[6] = ADD(v[6], g);
        v[7] = ADD(v[7], h);
    }
    for (unsigned i = 0; i < 8; i++) {
        STORE(words[i], v[i]);
        for (unsigned k = 0; k < LANES; k++)
            states[k][i] = words[i][k];
    }
    runnel_wipe(words, sizeof words);
    _mm256_zeroupper();
}
