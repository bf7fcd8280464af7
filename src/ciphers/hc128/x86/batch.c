/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* IV set-up of HC-128 for eight streams at once: each word is a vector, a stream in each element. P and Q stay in the
 * streams' own memory; 16 words of each stream at a time are transposed into vectors, and back. Tables are looked up
 * element by element, which is faster here than the gather instruction; but at addresses that are secret, so this
 * belongs to the kernel `table`. Keystream of eight streams at once takes as long as one after another: steps do not
 * stall each other there, and eight states fill the L1 cache. */
#include "ciphers/hc128/kernels.h"

#include "arch/x86/lanes.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum { LANES = 8, STEPS = HC128_BLOCK / 4 };

typedef runnel_words256 vector;

/* The 16 current words, the 16 before them, and the first one after. */
typedef struct window {
    vector old[STEPS], now[STEPS], next;
} window;

/* The streams' P and Q. */
typedef struct tables {
    uint8_t *words[LANES];
} tables;

#define ROTL RUNNEL_ROTL_WORDS

TARGET RUNNEL_INLINE tables find(void *const *states)
{
    tables t;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < LANES; i++)
        t.words[i] = (uint8_t *)((runnel_hc128_state *)states[i])->words;
    return t;
}

/* h1 or h2 of a word, which look up the other table. The indices are loaded as bytes, which takes fewer instructions
 * than getting them out of a register. */
TARGET RUNNEL_INLINE vector h(const tables *t, unsigned other, const vector *x)
{
    const uint8_t *bytes = (const void *)x;
    uint32_t found[LANES];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t *words = (const void *)(t->words[i] + 4 * (size_t)other);
        found[i] = words[bytes[4 * i]] + words[256 + bytes[4 * i + 2]];
    }
    return (vector){found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7]};
}

TARGET RUNNEL_INLINE void get_block(const tables *t, unsigned word, vector v[STEPS])
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < STEPS; i += 4)
        runnel_get_lanes((const uint8_t *const *)t->words, 4 * (word + i), &v[i], &v[i + 1], &v[i + 2], &v[i + 3]);
}

TARGET RUNNEL_INLINE void put_block(uint8_t *const *out, const uint8_t *const *in, size_t at, const vector v[STEPS])
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < STEPS; i += 4)
        runnel_put_lanes(out, in, at + 4 * i, v[i], v[i + 1], v[i + 2], v[i + 3]);
}

/* One step, for word number i of the window. table: of which this is a part, 0 for P, HC128_TABLE for Q. Returns what h
 * finds in the other table. */
TARGET RUNNEL_INLINE vector step(const tables *t, vector *w, unsigned table)
{
    const unsigned other = HC128_TABLE - table;
    const vector x = w[-3], y = w[-10], z = w[1];
    *w += table == 0 ? (ROTL(x, 22) ^ ROTL(z, 9)) + ROTL(y, 24) : (ROTL(x, 10) ^ ROTL(z, 23)) + ROTL(y, 8);
    return h(t, other, w - 12);
}

/* Updates the block at `word` of a table as IV set-up does, with what h finds. */
TARGET RUNNEL_INLINE void update(const tables *t, window *w, unsigned table, unsigned word)
{
    vector *now = w->now;
    w->next = runnel_get_lane_words((const uint8_t *const *)t->words, 4 * (table + (word + STEPS) % HC128_TABLE));
    for (unsigned i = 0; i < STEPS; i++) {
        const vector found = step(t, now + i, table);
        now[i] ^= found;
    }
}

/* The current block becomes the block before. */
TARGET RUNNEL_INLINE void keep(const tables *t, window *w, unsigned table, unsigned word)
{
    put_block(t->words, NULL, 4 * (table + word), w->now);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < STEPS; i++)
        w->old[i] = w->now[i];
}

/* The expansion of key and IV, 16 words at a time from the 16 before; number: of the first of them. */
TARGET RUNNEL_INLINE void expand(window *w, uint32_t number)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < STEPS; i++) {
        vector *v = w->now + i;
        const vector a = v[-2], b = v[-15];
        *v = (ROTL(a, 15) ^ ROTL(a, 13) ^ a >> 10) + v[-7] + (ROTL(b, 25) ^ ROTL(b, 14) ^ b >> 3) + v[-16] +
             (number + i);
    }
    RUNNEL_UNROLL
    for (unsigned i = 0; i < STEPS; i++)
        w->old[i] = w->now[i];
}

TARGET RUNNEL_INLINE void mix_table(const tables *t, window *w, unsigned table)
{
    get_block(t, table + HC128_TABLE - STEPS, w->old);
    for (unsigned word = 0; word < HC128_TABLE; word += STEPS) {
        get_block(t, table + word, w->now);
        update(t, w, table, word);
        keep(t, w, table, word);
    }
}

TARGET static void set_ivs(void *const *states, const uint8_t *const *ivs, size_t iv_bytes)
{
    const tables t = find(states);
    const uint8_t *keys[LANES];
    window w;
    (void)iv_bytes;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < LANES; i++)
        keys[i] = ((runnel_hc128_state *)states[i])->key;
    runnel_get_lanes(keys, 0, &w.old[0], &w.old[1], &w.old[2], &w.old[3]);
    runnel_get_lanes(ivs, 0, &w.old[8], &w.old[9], &w.old[10], &w.old[11]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        w.old[4 + i] = w.old[i];
        w.old[12 + i] = w.old[8 + i];
    }
    for (unsigned number = STEPS; number < 256 + 2 * HC128_TABLE; number += STEPS) {
        expand(&w, number);
        if (number >= 256)
            put_block(t.words, NULL, 4 * (size_t)(number - 256), w.now);
    }
    mix_table(&t, &w, 0);
    mix_table(&t, &w, HC128_TABLE);
    runnel_wipe(&w, sizeof w);
}

const runnel_batch runnel_hc128_batch_avx2 = {
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = LANES,
    .min_streams_iv = 5,
    .min_streams_xor = LANES + 1,
    .iv = set_ivs,
};

#endif
