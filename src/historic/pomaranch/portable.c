/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pomaranch without look-ups by secrets. Under one key each jump function is 512 bits, one for each state of the nine
 * cells that it reads. Key set-up computes them; a jump bit is then selected by halving them with one cell after the
 * other, which reads all of them whatever the cells are. S and F are looked up only in a public order. */
#include "steps.h"

#if RUNNEL_POMARANCH_WORDS

/* All ones if that bit of v is 1, else 0. */
static inline uint64_t pomaranch_mask_of(unsigned v, unsigned bit)
{
    return 0 - (uint64_t)(v >> bit & 1);
}

/* If mask is all ones, moves bit i ^ distance of v to bit i; distance is a power of two, and places has the bits i
 * with i & distance == 0. */
static inline uint64_t pomaranch_exchange(uint64_t v, unsigned distance, uint64_t places, uint64_t mask)
{
    const uint64_t differ = (v ^ v >> distance) & places & mask;
    return v ^ differ ^ differ << distance;
}

/* Returns the bits in the order i ^ x, for x of 0 to 63. */
static inline uint64_t pomaranch_reordered(uint64_t v, unsigned x)
{
    v = pomaranch_exchange(v, 1, 0x5555555555555555u, pomaranch_mask_of(x, 0));
    v = pomaranch_exchange(v, 2, 0x3333333333333333u, pomaranch_mask_of(x, 1));
    v = pomaranch_exchange(v, 4, 0x0f0f0f0f0f0f0f0fu, pomaranch_mask_of(x, 2));
    v = pomaranch_exchange(v, 8, 0x00ff00ff00ff00ffu, pomaranch_mask_of(x, 3));
    v = pomaranch_exchange(v, 16, 0x0000ffff0000ffffu, pomaranch_mask_of(x, 4));
    return pomaranch_exchange(v, 32, 0x00000000ffffffffu, pomaranch_mask_of(x, 5));
}

/* Moves word i ^ x to place i. */
static inline void pomaranch_reorder_words(uint64_t *words, unsigned count, unsigned x)
{
    for (unsigned distance = 1, bit = 0; distance < count; distance *= 2, bit++)
        for (unsigned i = 0; i < count; i++)
            if ((i & distance) == 0) {
                const uint64_t differ = (words[i] ^ words[i + distance]) & pomaranch_mask_of(x, bit);
                words[i] ^= differ;
                words[i + distance] ^= differ;
            }
}

/* Makes the 512 bits of F(S(i ^ low 9 bits of key) ^ high 7 bits). */
static void pomaranch_make_jumps(uint64_t jumps[8], uint16_t key)
{
    const unsigned high = key >> 9, low = key & 511;
    uint64_t f[2] = {0, 0}; /* F(i ^ high) */
    for (unsigned i = 0; i < 128; i++)
        f[i / 64] |= (uint64_t)runnel_flash8(runnel_pomaranch_f + i) << i % 64;
    pomaranch_reorder_words(f, 2, high >> 6);
    f[0] = pomaranch_reordered(f[0], high & 63);
    f[1] = pomaranch_reordered(f[1], high & 63);
    for (unsigned i = 0; i < 8; i++) {
        jumps[i] = 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            const uint8_t s = runnel_flash8(runnel_pomaranch_s + 64 * i + bit);
            jumps[i] |= (f[s / 64] >> s % 64 & 1) << bit;
        }
        jumps[i] = pomaranch_reordered(jumps[i], low & 63);
    }
    pomaranch_reorder_words(jumps, 8, low >> 6);
    runnel_wipe(f, sizeof f);
}

/* high where mask is all ones, else low. */
static inline uint16_t pomaranch_pick(unsigned low, unsigned high, uint16_t mask)
{
    return (uint16_t)(low ^ ((low ^ high) & mask));
}

static inline uint16_t pomaranch_mask16(uint16_t v, unsigned bit)
{
    return (uint16_t)(0 - (v >> bit & 1));
}

/* One of 2, 4 … words of a section, by the highest cells. */
#define PICK2(i) pomaranch_pick(s->jumps[8 * (i) + j], s->jumps[8 * ((i) + 16) + j], m8)
#define PICK4(i) pomaranch_pick(PICK2(i), PICK2((i) + 8), m7)
#define PICK8(i) pomaranch_pick(PICK4(i), PICK4((i) + 4), m6)
#define PICK16(i) pomaranch_pick(PICK8(i), PICK8((i) + 2), m5)

static inline void pomaranch_find_jumps(const pomaranch *s, pomaranch_bit *restrict jumps)
{
    for (unsigned j = 0; j < 8; j++) { /* compilers vectorise this over all sections */
        const uint16_t a = pomaranch_seen(s->sections[j]);
        const uint16_t m8 = pomaranch_mask16(a, 8), m7 = pomaranch_mask16(a, 7), m6 = pomaranch_mask16(a, 6),
                       m5 = pomaranch_mask16(a, 5);
        uint16_t v = pomaranch_pick(PICK16(0), PICK16(1), pomaranch_mask16(a, 4));
        v = pomaranch_pick(v, v >> 8, pomaranch_mask16(a, 3));
        v = pomaranch_pick(v, v >> 4, pomaranch_mask16(a, 2));
        v = pomaranch_pick(v, v >> 2, pomaranch_mask16(a, 1));
        jumps[j] = pomaranch_pick(v, v >> 1, pomaranch_mask16(a, 0)) & 1;
    }
}

static void pomaranch_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    pomaranch *s = state;
    (void)key_bytes;
    pomaranch_load_key(s, key);
    for (unsigned j = 0; j < 8; j++) {
        uint64_t jumps[8];
        pomaranch_make_jumps(jumps, s->key[j]);
        for (unsigned i = 0; i < 32; i++)
            s->jumps[8 * i + j] = (uint16_t)(jumps[i / 4] >> 16 * (i % 4));
        runnel_wipe(jumps, sizeof jumps);
    }
    pomaranch_mix_key(s, pomaranch_find_jumps);
}

static void pomaranch_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    pomaranch_mix_iv(state, pomaranch_find_jumps, iv, iv_bytes);
}

static void pomaranch_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    pomaranch_xor(state, pomaranch_find_jumps, out, in, nblocks);
}

const runnel_kernel runnel_pomaranch_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the jump functions under the key as bits, halved cell by cell"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = pomaranch_set_key,
    .stream = {.iv = pomaranch_set_iv, .xor_blocks = pomaranch_xor_blocks},
};

#endif
