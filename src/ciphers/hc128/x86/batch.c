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

enum { HC128_LANES = 8, HC128_STEPS = HC128_BLOCK / 4 };

typedef runnel_words256 hc128_vector;

/* The 16 current words, the 16 before them, and the first one after. */
typedef struct hc128_window {
    hc128_vector old[HC128_STEPS], now[HC128_STEPS], next;
} hc128_window;

/* The streams' P and Q. */
typedef struct hc128_tables {
    uint8_t *words[HC128_LANES];
} hc128_tables;

#define ROTL RUNNEL_ROTL_WORDS

TARGET RUNNEL_INLINE hc128_tables hc128_find(void *const *states)
{
    hc128_tables t;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_LANES; i++)
        t.words[i] = (uint8_t *)((runnel_hc128_state *)states[i])->words;
    return t;
}

/* h1 or h2 of a word, which look up the other table. The indices are loaded as bytes, which takes fewer instructions
 * than getting them out of a register. */
TARGET RUNNEL_INLINE hc128_vector hc128_h(const hc128_tables *t, unsigned other, const hc128_vector *x)
{
    const uint8_t *bytes = (const void *)x;
    uint32_t found[HC128_LANES];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_LANES; i++) {
        const uint32_t *words = (const void *)(t->words[i] + 4 * (size_t)other);
        found[i] = words[bytes[4 * i]] + words[256 + bytes[4 * i + 2]];
    }
    return (hc128_vector){found[0], found[1], found[2], found[3], found[4], found[5], found[6], found[7]};
}

TARGET RUNNEL_INLINE void hc128_get_block(const hc128_tables *t, unsigned word, hc128_vector v[HC128_STEPS])
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_STEPS; i += 4)
        runnel_get_lanes((const uint8_t *const *)t->words, 4 * (word + i), &v[i], &v[i + 1], &v[i + 2], &v[i + 3]);
}

TARGET RUNNEL_INLINE void hc128_put_block(uint8_t *const *out, const uint8_t *const *in, size_t at,
                                          const hc128_vector v[HC128_STEPS])
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_STEPS; i += 4)
        runnel_put_lanes(out, in, at + 4 * i, v[i], v[i + 1], v[i + 2], v[i + 3]);
}

/* One step, for word number i of the window. table: of which this is a part, 0 for P, HC128_TABLE for Q. Returns what h
 * finds in the other table. */
TARGET RUNNEL_INLINE hc128_vector hc128_step(const hc128_tables *t, hc128_vector *w, unsigned table)
{
    const unsigned other = HC128_TABLE - table;
    const hc128_vector x = w[-3], y = w[-10], z = w[1];
    *w += table == 0 ? (ROTL(x, 22) ^ ROTL(z, 9)) + ROTL(y, 24) : (ROTL(x, 10) ^ ROTL(z, 23)) + ROTL(y, 8);
    return hc128_h(t, other, w - 12);
}

/* Updates the block at `word` of a table as IV set-up does, with what h finds. */
TARGET RUNNEL_INLINE void hc128_update(const hc128_tables *t, hc128_window *w, unsigned table, unsigned word)
{
    hc128_vector *now = w->now;
    w->next = runnel_get_lane_words((const uint8_t *const *)t->words, 4 * (table + (word + HC128_STEPS) % HC128_TABLE));
    for (unsigned i = 0; i < HC128_STEPS; i++) {
        const hc128_vector found = hc128_step(t, now + i, table);
        now[i] ^= found;
    }
}

/* The current block becomes the block before. */
TARGET RUNNEL_INLINE void hc128_keep(const hc128_tables *t, hc128_window *w, unsigned table, unsigned word)
{
    hc128_put_block(t->words, NULL, 4 * (table + word), w->now);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_STEPS; i++)
        w->old[i] = w->now[i];
}

/* The expansion of key and IV, 16 words at a time from the 16 before; number: of the first of them. */
TARGET RUNNEL_INLINE void hc128_expand(hc128_window *w, uint32_t number)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_STEPS; i++) {
        hc128_vector *v = w->now + i;
        const hc128_vector a = v[-2], b = v[-15];
        *v = (ROTL(a, 15) ^ ROTL(a, 13) ^ a >> 10) + v[-7] + (ROTL(b, 25) ^ ROTL(b, 14) ^ b >> 3) + v[-16] +
             (number + i);
    }
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_STEPS; i++)
        w->old[i] = w->now[i];
}

TARGET RUNNEL_INLINE void hc128_mix_table(const hc128_tables *t, hc128_window *w, unsigned table)
{
    hc128_get_block(t, table + HC128_TABLE - HC128_STEPS, w->old);
    for (unsigned word = 0; word < HC128_TABLE; word += HC128_STEPS) {
        hc128_get_block(t, table + word, w->now);
        hc128_update(t, w, table, word);
        hc128_keep(t, w, table, word);
    }
}

TARGET static void hc128_set_ivs(void *const *states, const uint8_t *const *ivs, size_t iv_bytes)
{
    const hc128_tables t = hc128_find(states);
    const uint8_t *keys[HC128_LANES];
    hc128_window w;
    (void)iv_bytes;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < HC128_LANES; i++)
        keys[i] = ((runnel_hc128_state *)states[i])->key;
    runnel_get_lanes(keys, 0, &w.old[0], &w.old[1], &w.old[2], &w.old[3]);
    runnel_get_lanes(ivs, 0, &w.old[8], &w.old[9], &w.old[10], &w.old[11]);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        w.old[4 + i] = w.old[i];
        w.old[12 + i] = w.old[8 + i];
    }
    for (unsigned number = HC128_STEPS; number < 256 + 2 * HC128_TABLE; number += HC128_STEPS) {
        hc128_expand(&w, number);
        if (number >= 256)
            hc128_put_block(t.words, NULL, 4 * (size_t)(number - 256), w.now);
    }
    hc128_mix_table(&t, &w, 0);
    hc128_mix_table(&t, &w, HC128_TABLE);
    runnel_wipe(&w, sizeof w);
}

const runnel_batch runnel_hc128_batch_avx2 = {
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = HC128_LANES,
    .min_streams_iv = 5,
    .min_streams_xor = HC128_LANES + 1,
    .iv = hc128_set_ivs,
};

#endif
