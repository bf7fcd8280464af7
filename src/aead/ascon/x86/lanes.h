/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several messages of Ascon-AEAD128, one in each 64-bit lane of five vectors, written once for every width. All lanes go
 * through the same phases, associated data, whole blocks, last block, and one that has fewer blocks waits for the others;
 * when fewer than WORTH of them have whole blocks left, these are done one after another.
 *
 * To be defined before: what rounds.h needs, LANES, WORTH, and on 64-bit lanes LOAD, STORE, BLEND(mask, a, b), LOW_HALVES
 * and HIGH_HALVES(a, b) of each 128 bits of both, and GATHER(p), SCATTER(p, v): 16 bytes from and to each of LANES / 2
 * pointers. */
#include "aead/ascon/kernels.h"
#include "arch/common/bytes.h"
#include "rounds.h"

typedef struct ascon_rate {
    VECTOR low, high;
} ascon_rate;

/* Element 2 i of a vector is message i, element 2 i + 1 message i + LANES / 2. */
static inline unsigned ascon_element(unsigned message)
{
    return message < LANES / 2 ? 2 * message : 2 * message - LANES + 1;
}

TARGET RUNNEL_INLINE ascon_state ascon_rounds(ascon_state s, unsigned first)
{
    for (unsigned i = first; i < ASCON_ROUNDS; i++)
        ascon_one_round(&s, i);
    return s;
}

/* 16 bytes for each lane. */
TARGET RUNNEL_INLINE ascon_rate ascon_load_rate(const uint8_t *const *p)
{
    const VECTOR a = GATHER(p), b = GATHER(p + LANES / 2);
    return (ascon_rate){LOW_HALVES(a, b), HIGH_HALVES(a, b)};
}

TARGET RUNNEL_INLINE void ascon_store_rate(uint8_t *const *p, VECTOR low, VECTOR high)
{
    SCATTER(p, LOW_HALVES(low, high));
    SCATTER(p + LANES / 2, HIGH_HALVES(low, high));
}

/* Lanes of mask become those of a. */
TARGET RUNNEL_INLINE void ascon_blend_lanes(ascon_state *s, VECTOR mask, const ascon_state *a)
{
    s->x0 = BLEND(mask, a->x0, s->x0);
    s->x1 = BLEND(mask, a->x1, s->x1);
    s->x2 = BLEND(mask, a->x2, s->x2);
    s->x3 = BLEND(mask, a->x3, s->x3);
    s->x4 = BLEND(mask, a->x4, s->x4);
}

/* Operands of all phases besides the state. */
typedef struct ascon_work {
    uint64_t words[5][LANES]; /* the state while single lanes are worked on; words[0] is also what masks are made of */
    uint8_t block[LANES][ASCON_RATE];
    const uint8_t *in[LANES];
    uint8_t *out[LANES];
    size_t left[LANES]; /* whole blocks of a phase that are still to be done */
} ascon_work;

static const uint8_t ascon_zeros[ASCON_RATE];

/* Ones in the lanes that have blocks left. Returns how many these are. */
static unsigned ascon_mark_active(ascon_work *w)
{
    unsigned active = 0;
    for (unsigned i = 0; i < LANES; i++) {
        w->words[0][ascon_element(i)] = w->left[i] > 0 ? UINT64_MAX : 0;
        active += w->left[i] > 0;
    }
    return active;
}

/* The least number of blocks that a lane which has any has left. */
static size_t ascon_least_left(const ascon_work *w)
{
    size_t least = SIZE_MAX;
    for (unsigned i = 0; i < LANES; i++)
        if (w->left[i] > 0 && w->left[i] < least)
            least = w->left[i];
    return least;
}

/* A message's last block, of less than 16 bytes, with the one behind them. */
static void ascon_pad_block(uint8_t *block, const uint8_t *data, size_t bytes)
{
    memset(block, 0, ASCON_RATE);
    if (bytes > 0)
        memcpy(block, data, bytes);
    block[bytes] = 1;
}

TARGET RUNNEL_INLINE void ascon_absorb_one(ascon_state *s, const uint8_t *const *p, VECTOR mask)
{
    const ascon_rate r = ascon_load_rate(p);
    ascon_state next = *s;
    next.x0 = XOR(next.x0, r.low);
    next.x1 = XOR(next.x1, r.high);
    next = ascon_rounds(next, ASCON_FIRST_OF_EIGHT);
    ascon_blend_lanes(s, mask, &next);
}

TARGET static void ascon_associated_data(ascon_state *s, const runnel_aead_message *m, size_t count, ascon_work *w)
{
    size_t longest = 0;
    for (unsigned i = 0; i < LANES; i++) {
        w->left[i] = i < count ? m[i].aad_bytes / ASCON_RATE : 0;
        w->in[i] = w->left[i] > 0 ? m[i].aad : ascon_zeros;
        longest = w->left[i] > longest ? w->left[i] : longest;
    }
    for (; longest > 0; longest--) {
        (void)ascon_mark_active(w);
        ascon_absorb_one(s, w->in, LOAD(w->words[0]));
        for (unsigned i = 0; i < LANES; i++) {
            w->left[i] -= w->left[i] > 0;
            w->in[i] = w->left[i] > 0 ? w->in[i] + ASCON_RATE : ascon_zeros;
        }
    }
    for (unsigned i = 0; i < LANES; i++) {
        const int any = i < count && m[i].aad_bytes > 0;
        if (any)
            ascon_pad_block(w->block[i], m[i].aad + m[i].aad_bytes / ASCON_RATE * ASCON_RATE,
                            m[i].aad_bytes % ASCON_RATE);
        w->in[i] = any ? w->block[i] : ascon_zeros;
        w->left[i] = any != 0;
    }
    if (ascon_mark_active(w) > 0)
        ascon_absorb_one(s, w->in, LOAD(w->words[0]));
}

TARGET static void ascon_store_lanes(uint64_t words[5][LANES], const ascon_state *s)
{
    STORE(words[0], s->x0);
    STORE(words[1], s->x1);
    STORE(words[2], s->x2);
    STORE(words[3], s->x3);
    STORE(words[4], s->x4);
}

/* The blocks that are left of few lanes, by the kernel for one message. */
TARGET static void ascon_one_by_one(ascon_state *s, runnel_ascon_aead128 *c, ascon_work *w, int decrypt)
{
    ascon_store_lanes(w->words, s);
    for (unsigned i = 0; i < LANES; i++)
        if (w->left[i] > 0) {
            c->head.text_bytes = 0; /* any multiple of a block */
            for (unsigned k = 0; k < 5; k++)
                c->s[k] = w->words[k][ascon_element(i)];
            c->kernel->crypt(c, w->out[i], w->in[i], w->left[i] * ASCON_RATE, decrypt);
            for (unsigned k = 0; k < 5; k++)
                w->words[k][ascon_element(i)] = c->s[k];
        }
    *s = (ascon_state){LOAD(w->words[0]), LOAD(w->words[1]), LOAD(w->words[2]), LOAD(w->words[3]), LOAD(w->words[4])};
}

/* n blocks of each lane of mask; the others read zeros and write where nobody reads. */
TARGET RUNNEL_INLINE void ascon_crypt_lanes(ascon_state *s, ascon_work *w, VECTOR mask, size_t n, int decrypt)
{
    for (size_t at = 0; at < n; at++) {
        const ascon_rate r = ascon_load_rate(w->in);
        ascon_state next = *s;
        next.x0 = XOR(next.x0, r.low);
        next.x1 = XOR(next.x1, r.high);
        ascon_store_rate(w->out, next.x0, next.x1);
        if (decrypt) {
            next.x0 = r.low;
            next.x1 = r.high;
        }
        next = ascon_rounds(next, ASCON_FIRST_OF_EIGHT);
        ascon_blend_lanes(s, mask, &next);
        for (unsigned i = 0; i < LANES; i++) {
            const size_t step = w->left[i] > 0 ? ASCON_RATE : 0;
            w->in[i] += step;
            w->out[i] += step;
        }
    }
}

TARGET static void ascon_whole_blocks(ascon_state *s, runnel_ascon_aead128 *c, const runnel_aead_message *m,
                                      size_t count, ascon_work *w)
{
    const int decrypt = m[0].decrypt;
    for (unsigned i = 0; i < LANES; i++) {
        w->left[i] = i < count ? m[i].bytes / ASCON_RATE : 0;
        w->in[i] = w->left[i] > 0 ? m[i].in : ascon_zeros;
        w->out[i] = w->left[i] > 0 ? m[i].out : w->block[i];
    }
    for (unsigned active; (active = ascon_mark_active(w)) > 0;) {
        if (active < WORTH) {
            ascon_one_by_one(s, c, w, decrypt);
            return;
        }
        const size_t n = ascon_least_left(w);
        if (decrypt)
            ascon_crypt_lanes(s, w, LOAD(w->words[0]), n, 1);
        else
            ascon_crypt_lanes(s, w, LOAD(w->words[0]), n, 0);
        for (unsigned i = 0; i < LANES; i++)
            if (w->left[i] > 0 && (w->left[i] -= n) == 0) {
                w->in[i] = ascon_zeros;
                w->out[i] = w->block[i];
            }
    }
}

TARGET static void ascon_last_blocks(ascon_state *s, const runnel_aead_message *m, size_t count, ascon_work *w)
{
    for (unsigned i = 0; i < LANES; i++) {
        w->out[i] = w->block[i];
        w->in[i] = w->block[i];
    }
    ascon_store_rate(w->out, s->x0, s->x1);
    for (unsigned i = 0; i < count; i++) {
        const size_t whole = m[i].bytes / ASCON_RATE * ASCON_RATE, bytes = m[i].bytes - whole;
        uint8_t *const block = w->block[i];
        uint8_t text[ASCON_RATE];
        ascon_pad_block(text, bytes > 0 ? m[i].in + whole : NULL, bytes);
        for (size_t k = 0; k < bytes; k++) {
            const uint8_t byte = (uint8_t)(text[k] ^ block[k]);
            m[i].out[whole + k] = byte;
            if (m[i].decrypt)
                text[k] = byte;
        }
        memcpy(block, text, sizeof text);
        runnel_wipe(text, sizeof text);
    }
    const ascon_rate r = ascon_load_rate(w->in);
    s->x0 = XOR(s->x0, r.low);
    s->x1 = XOR(s->x1, r.high);
}

TARGET static void ascon_messages(runnel_ascon_aead128 *c, const runnel_aead_message *m,
                                  uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG], size_t count)
{
    const VECTOR k0 = REPEAT((long long)c->key[0]), k1 = REPEAT((long long)c->key[1]);
    ascon_work w;
    for (unsigned i = 0; i < LANES; i++)
        w.in[i] = i < count ? m[i].nonce : ascon_zeros;
    ascon_rate r = ascon_load_rate(w.in);
    ascon_state s = ascon_rounds((ascon_state){REPEAT(ASCON_IV), k0, k1, r.low, r.high}, 0);
    s.x3 = XOR(s.x3, k0);
    s.x4 = XOR(s.x4, k1);
    ascon_associated_data(&s, m, count, &w);
    s.x4 = XOR(s.x4, REPEAT((long long)((uint64_t)1 << 63)));
    ascon_whole_blocks(&s, c, m, count, &w);
    ascon_last_blocks(&s, m, count, &w);
    s.x2 = XOR(s.x2, k0);
    s.x3 = XOR(s.x3, k1);
    s = ascon_rounds(s, 0);
    for (unsigned i = 0; i < LANES; i++)
        w.out[i] = i < count ? tags[i] : w.block[i];
    ascon_store_rate(w.out, XOR(s.x3, k0), XOR(s.x4, k1));
    runnel_wipe(&w, sizeof w);
    runnel_wipe(c->s, sizeof c->s);
    _mm256_zeroupper();
}
