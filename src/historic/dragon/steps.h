/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Dragon, for its kernels, which define before they include this how an entry is found: dragon_s1(byte) and
 * dragon_s2(byte); or, with DRAGON_MIX, mix itself. DRAGON_TARGET stands before each function that looks up, if
 * anything. */
#ifndef DRAGON_STEPS_H
#define DRAGON_STEPS_H

#ifndef DRAGON_TARGET
#define DRAGON_TARGET
#endif

#ifndef DRAGON_MIX
/* y ^= G_i(x) and y ^= H_i(x): G_i takes byte i - 1 from the second table and the others from the first, H_i the other
 * way about. */
#define XOR_ENTRIES(y, x, table0, table1, table2, table3)                                                              \
    do {                                                                                                               \
        y ^= table0((uint8_t)(x));                                                                                     \
        y ^= table1((uint8_t)((x) >> 8));                                                                              \
        y ^= table2((uint8_t)((x) >> 16));                                                                             \
        y ^= table3((uint8_t)((x) >> 24));                                                                             \
    } while (0)
#define XOR_G1(y, x) XOR_ENTRIES(y, x, dragon_s2, dragon_s1, dragon_s1, dragon_s1)
#define XOR_G2(y, x) XOR_ENTRIES(y, x, dragon_s1, dragon_s2, dragon_s1, dragon_s1)
#define XOR_G3(y, x) XOR_ENTRIES(y, x, dragon_s1, dragon_s1, dragon_s2, dragon_s1)
#define XOR_H1(y, x) XOR_ENTRIES(y, x, dragon_s1, dragon_s2, dragon_s2, dragon_s2)
#define XOR_H2(y, x) XOR_ENTRIES(y, x, dragon_s2, dragon_s1, dragon_s2, dragon_s2)
#define XOR_H3(y, x) XOR_ENTRIES(y, x, dragon_s2, dragon_s2, dragon_s1, dragon_s2)

/* The function F of the specification. */
static RUNNEL_AVR_NOINLINE void dragon_mix(dragon_six *w)
{
    uint32_t a = w->a, b = w->b, c = w->c, d = w->d, e = w->e, f = w->f;
    b ^= a, d ^= c, f ^= e;
    c += b, e += d, a += f;
    XOR_G1(d, a);
    XOR_G2(f, c);
    XOR_G3(b, e);
    XOR_H1(a, b);
    XOR_H2(c, d);
    XOR_H3(e, f);
    b += e, d += a, f += c;
    w->a = a ^ f, w->b = b, w->c = c ^ b, w->d = d, w->e = e ^ d, w->f = f;
}
#endif

/* Moves the register by `words` and returns where it begins now. */
static inline uint32_t *dragon_moved(runnel_dragon_state *s, unsigned words)
{
    if (s->at < words) {
        for (const uint32_t *from = s->words + RUNNEL_DRAGON_REGISTER - words; from > s->words;) /* at is 0 */
            from--, s->words[RUNNEL_DRAGON_ROOM + (from - s->words)] = *from;
        s->at = RUNNEL_DRAGON_ROOM;
    }
    s->at = (uint8_t)(s->at - words);
    return s->words + s->at;
}

static void dragon_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_dragon_state *s = state;
    s->key_bytes = (uint8_t)key_bytes;
    for (unsigned i = 0; i < key_bytes / 4; i++)
        s->key[i] = runnel_load32be(key + 4 * i);
}

/* The register before mixing. */
static void dragon_load(runnel_dragon_state *s, const uint8_t *iv)
{
    uint32_t *b = s->words + RUNNEL_DRAGON_ROOM;
    if (s->key_bytes == 16) /* K | K' ^ V' | V | K ^ V' | K' | K ^ V | V' | K' ^ V, with ' for halves exchanged */
        for (unsigned i = 0; i < 4; i++, b++) {
            const uint32_t k = s->key[i], k2 = s->key[(i + 2) % 4];
            const uint32_t v = runnel_load32be(iv + 4 * i), v2 = runnel_load32be(iv + 4 * ((i + 2) % 4));
            b[0] = k, b[4] = k2 ^ v2, b[8] = v, b[12] = k ^ v2;
            b[16] = k2, b[20] = k ^ v, b[24] = v2, b[28] = k2 ^ v;
        }
    else
        for (unsigned i = 0; i < 8; i++, b++) {
            const uint32_t k = s->key[i], v = runnel_load32be(iv + 4 * i);
            b[0] = k, b[8] = k ^ v, b[16] = ~(k ^ v), b[24] = v;
        }
    s->at = RUNNEL_DRAGON_ROOM;
    s->high = 0x00004472;
    s->low = 0x61676f6e;
}

DRAGON_TARGET static void dragon_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_dragon_state *s = state;
    dragon_six w;
    (void)iv_bytes;
    dragon_load(s, iv);
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t *b = s->words + s->at;
        w.a = b[0] ^ b[24] ^ b[28];
        w.b = b[1] ^ b[25] ^ b[29];
        w.c = b[2] ^ b[26] ^ b[30];
        w.d = b[3] ^ b[27] ^ b[31];
        w.e = s->high;
        w.f = s->low;
        dragon_mix(&w);
        uint32_t *next = dragon_moved(s, 4);
        next[0] = w.a ^ next[20];
        next[1] = w.b ^ next[21];
        next[2] = w.c ^ next[22];
        next[3] = w.d ^ next[23];
        s->high = w.e;
        s->low = w.f;
    }
    runnel_wipe(&w, sizeof w);
}

DRAGON_TARGET static void dragon_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in,
                                            size_t nblocks)
{
    runnel_dragon_state *s = state;
    dragon_six w;
    (void)index;
    for (; nblocks > 0; nblocks--) {
        const uint32_t *b = s->words + s->at;
        w.a = b[0];
        w.b = b[9];
        w.c = b[16];
        w.d = b[19];
        w.e = b[30] ^ s->high;
        w.f = b[31] ^ s->low;
        dragon_mix(&w);
        uint32_t *next = dragon_moved(s, 2);
        next[0] = w.b;
        next[1] = w.c;
        s->low++;
        s->high += s->low == 0;
        runnel_store32be(out, in == NULL ? w.a : w.a ^ runnel_load32be(in));
        runnel_store32be(out + 4, in == NULL ? w.e : w.e ^ runnel_load32be(in + 4));
        out += DRAGON_BLOCK;
        if (in != NULL)
            in += DRAGON_BLOCK;
    }
    runnel_wipe(&w, sizeof w);
}

#endif
