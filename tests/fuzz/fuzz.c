/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fuzz.h"

uint64_t choose(choices *c, unsigned bytes)
{
    uint64_t value = 0;
    for (; bytes > 0; bytes--) {
        value = value << 8 | (c->left > 0 ? *c->next : 0);
        c->next += c->left > 0;
        c->left -= c->left > 0;
    }
    return value;
}

size_t choose_below(choices *c, size_t n)
{
    return (size_t)(choose(c, n > 256 ? n > 65536 ? 8 : 2 : 1) % n);
}

int choose_bit(choices *c)
{
    return (int)choose(c, 1) & 1;
}

size_t choose_length(choices *c, size_t most)
{
    const size_t first = choose(c, 1), n = first < 128 ? first : (first - 128) << 8 | choose(c, 1);
    return n <= most ? n : n % (most + 1);
}

void choose_random(choices *c, uint8_t *out, size_t bytes)
{
    seed_random(choose(c, 2));
    random_bytes(out, bytes);
}

void choose_iv(choices *c, uint8_t *out, size_t bytes)
{
    choose_random(c, out, bytes);
    const unsigned how = (unsigned)choose(c, 1);
    const size_t from = how >> 2, count = choose(c, 1);
    for (size_t i = from; i < bytes && i < from + count % 33; i++)
        out[i] = how & 1 ? 0xff : 0;
    if (how & 2 && bytes > 0)
        out[how & 1 ? bytes - 1 : 0] = (uint8_t)choose(c, 1);
}

size_t choose_text(choices *c, uint8_t *out, size_t most)
{
    const size_t wanted = choose_length(c, most), n = wanted < c->left ? wanted : c->left;
    if (n > 0)
        memcpy(out, c->next, n);
    c->next += n;
    c->left -= n;
    return n;
}

unsigned one_of(int error)
{
    return 1u << -error;
}
