/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For processors that rotate words: eight variables that change names instead of being moved. */
#ifndef HMAC_SHA_256_WORDS_H
#define HMAC_SHA_256_WORDS_H

#define ROTATE(x, n) runnel_rotl32(x, 32 - (n)) /* to the right */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                                               \
    do {                                                                                                               \
        h += (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + CHOOSE(e, f, g) + sha_256_constants[i] + w[(i) % 16];    \
        d += h;                                                                                                        \
        h += (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + MAJORITY(a, b, c);                                       \
    } while (0)

static void sha_256_compress(uint32_t *state, const uint8_t *block)
{
    uint32_t w[16];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned i = 0; i < 16; i++)
        w[i] = runnel_load32be(block + 4 * i);
    for (unsigned i = 0; i < 64; i += 8) {
        if (i >= 16)
            for (unsigned j = i; j < i + 8; j++) {
                const uint32_t x = w[(j + 1) % 16], y = w[(j + 14) % 16];
                w[j % 16] += (ROTATE(x, 7) ^ ROTATE(x, 18) ^ x >> 3) + w[(j + 9) % 16] +
                             (ROTATE(y, 17) ^ ROTATE(y, 19) ^ y >> 10);
            }
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
    runnel_wipe(w, sizeof w);
}

#endif
