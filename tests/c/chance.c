/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* See chance.h. */
#include "chance.h"

#include "hex.h"

/* Knuth's MMIX generator, of which the upper bits are good enough for tests. */
static uint64_t random_state;

void seed_random(uint64_t seed)
{
    random_state = seed;
}

uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) * n >> 31);
}

void random_bytes(uint8_t *p, size_t n)
{
    while (n-- > 0)
        *p++ = (uint8_t)random_below(256);
}

size_t from_hex(const char *text, uint8_t *out, size_t most)
{
    const size_t length = strcmp(text, "-") == 0 ? 0 : strlen(text);
    int wrong = length % 2 != 0 || length / 2 > most;
    for (size_t i = 0; i < length && !wrong; i += 2) {
        const int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        wrong = high < 0 || low < 0;
        out[i / 2] = (uint8_t)(high * 16 + low);
    }
    if (wrong) {
        fprintf(stderr, "not hexadecimal, or too long: %.40s\n", text);
        exit(2);
    }
    return length / 2;
}
