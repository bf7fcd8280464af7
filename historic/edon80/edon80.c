/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Edon80: the descriptor and the kernel. A symbol that passes the 80 stages needs each one's result for the next: one
 * clock is a chain of 80 look-ups. Here stage i works on the symbol of i clocks ago, so that all stages work at once on
 * what their neighbour made before, as bits of words: nothing is looked up, and a tick of all stages costs less than two
 * of those look-ups. IV set-up's 80 passes over 80 symbols go the same way, pass p one place behind pass p - 1. */
#include "edon80.h"

#include "../../core/bytes.h"
#include "../../core/kernel.h"
#include "../../core/wipe.h"

enum {
    BLOCK = 16,
    STAGES = 80,
    WORD_BITS = 8 * sizeof(runnel_edon80_word),
    WORDS = (STAGES + WORD_BITS - 1) / WORD_BITS,
};

typedef runnel_edon80_word word;
typedef runnel_edon80_symbols symbols;

/* Symbols in a word of each plane. */
typedef struct symbol_pair {
    word high, low;
} symbol_pair;

/* Entries of the quasigroups of the given numbers: row r, column c. Each bit of an entry is a sum of products of bits
 * of r and c; these are the sums of all four quasigroups, with each product where the number asks for it. */
static inline symbol_pair quasigroup(symbol_pair number, symbol_pair r, symbol_pair c)
{
    const word one = (word)(number.low & ~number.high), two = (word)(number.high & ~number.low);
    const word three = (word)(number.high & number.low);
    const symbol_pair entry = {
        (word)(number.high ^ (c.low & ~three) ^ (c.high & number.high) ^ (r.low & ~(one & ~(c.low ^ c.high))) ^
               (r.high & (number.low ^ (c.low & three) ^ (c.high & two)))),
        (word)(number.low ^ (c.low & number.high) ^ (c.high & ~number.high) ^ (r.high & ~(c.high & two)) ^
               (r.low & ((one | two) ^ (c.low & ~number.high) ^ (c.high & one)))),
    };
    return entry;
}

/* The words of a plane moved up by one stage, from the highest word (i) to the lowest, where `in` comes in. */
static inline word moved_up(const word *plane, unsigned i, unsigned in)
{
    const word below = i > 0 ? (word)(plane[i - 1] >> (WORD_BITS - 1)) : (word)in;
    return (word)(plane[i] << 1 | below);
}

static inline unsigned bit(const word *plane, unsigned i)
{
    return (unsigned)(plane[i / WORD_BITS] >> i % WORD_BITS) & 1;
}

/* Puts the symbols of the bytes, the first in the highest bits, from stage `at` on. */
static void put_symbols(symbols *s, unsigned at, const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++, at++) {
        const uint8_t symbol = (uint8_t)(bytes[i / 4] >> (6 - 2 * (i % 4)));
        s->high[at / WORD_BITS] |= (word)((word)(symbol >> 1 & 1) << at % WORD_BITS);
        s->low[at / WORD_BITS] |= (word)((word)(symbol & 1) << at % WORD_BITS);
    }
}

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    symbols *s = &((runnel_edon80_state *)state)->key;
    (void)key_bytes;
    memset(s, 0, sizeof *s);
    put_symbols(s, 0, key, 40);
    put_symbols(s, 40, key, 40);
}

/* Tick number t of IV set-up: pass t - j is at place j. The pass with the quasigroup of stage k is led by symbol k of
 * `leaders`; k goes down from 79. passes: the quasigroups of the passes at each place; active: where there is one. */
static inline void set_up_tick(symbols *a, const symbols *key, const symbols *leaders, symbols *passes, word *active,
                               unsigned t)
{
    const unsigned k = t < STAGES ? STAGES - 1 - t : 0;
    const unsigned high = bit(key->high, k), low = bit(key->low, k), begins = t < STAGES;
    const unsigned leader_high = bit(leaders->high, k), leader_low = bit(leaders->low, k);
    for (unsigned i = WORDS; i-- > 0;) {
        active[i] = moved_up(active, i, begins);
        passes->high[i] = moved_up(passes->high, i, high);
        passes->low[i] = moved_up(passes->low, i, low);
        const symbol_pair row = {moved_up(a->high, i, leader_high), moved_up(a->low, i, leader_low)};
        const symbol_pair old = {a->high[i], a->low[i]}, number = {passes->high[i], passes->low[i]};
        const symbol_pair new = quasigroup(number, row, old);
        a->high[i] = (word)(old.high ^ (active[i] & (old.high ^ new.high)));
        a->low[i] = (word)(old.low ^ (active[i] & (old.low ^ new.low)));
    }
}

/* One tick of keystream generation, with the symbol `in` for stage 0; stages where active is 0 stand still. */
static inline void tick(symbols *a, const symbols *key, unsigned in, const word *active)
{
    for (unsigned i = WORDS; i-- > 0;) {
        const symbol_pair column = {moved_up(a->high, i, in >> 1), moved_up(a->low, i, in & 1)};
        const symbol_pair old = {a->high[i], a->low[i]}, number = {key->high[i], key->low[i]};
        const symbol_pair new = quasigroup(number, old, column);
        const word mask = active != NULL ? active[i] : (word)~(word)0;
        a->high[i] = (word)(old.high ^ (mask & (old.high ^ new.high)));
        a->low[i] = (word)(old.low ^ (mask & (old.low ^ new.low)));
    }
}

static void set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    static const uint8_t padding[2] = {0xe4, 0x1b};
    runnel_edon80_state *s = state;
    symbols *a = &s->stages;
    symbols leaders = s->key, passes;
    word active[WORDS];
    (void)iv_bytes;
    for (unsigned i = 40; i < STAGES; i++) { /* the key once, then the IV */
        const word mask = (word)~((word)1 << i % WORD_BITS);
        leaders.high[i / WORD_BITS] &= mask;
        leaders.low[i / WORD_BITS] &= mask;
    }
    put_symbols(&leaders, 40, iv, 32);
    put_symbols(&leaders, 72, padding, 8);

    *a = leaders;
    memset(&passes, 0, sizeof passes);
    memset(active, 0, sizeof active);
    for (unsigned t = 0; t < 2 * STAGES - 1; t++)
        set_up_tick(a, &s->key, &leaders, &passes, active, t);

    memset(active, 0, sizeof active);
    for (unsigned t = 0; t < STAGES - 1; t++) { /* until a symbol stands before the last stage */
        for (unsigned i = WORDS; i-- > 0;)
            active[i] = moved_up(active, i, 1);
        tick(a, &s->key, t % 4, active);
    }
    runnel_wipe(&leaders, sizeof leaders);
    runnel_wipe(&passes, sizeof passes);
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_edon80_state *s = state;
    (void)index;
    for (size_t bytes = BLOCK * nblocks; bytes > 0; bytes--) {
        uint8_t keystream = 0;
        for (unsigned i = 0; i < 4; i++) { /* symbols come out of every second clock; the first clock's came in at 79 */
            tick(&s->stages, &s->key, 2 * (i + 1) % 4 + 1, NULL);
            tick(&s->stages, &s->key, 2 * i % 4, NULL);
            keystream = (uint8_t)(keystream << 2 | bit(s->stages.high, STAGES - 1) << 1 |
                                  bit(s->stages.low, STAGES - 1));
        }
        *out++ = in == NULL ? keystream : (uint8_t)(keystream ^ *in++);
    }
}

const runnel_kernel runnel_edon80_portable = {
    .name = RUNNEL_TEXT("portable"),
    .source = RUNNEL_TEXT("all stages at once, each a clock behind the one before, as bits of words"),
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .iv = set_iv,
    .xor_blocks = xor_blocks,
};

static const runnel_kernel *const kernels[] = {&runnel_edon80_portable, NULL};

static const runnel_cipher edon80 = {
    .name = RUNNEL_TEXT("edon80"),
    .family = RUNNEL_TEXT("edon80"),
    .title = RUNNEL_TEXT("Edon80"),
    .source = RUNNEL_TEXT("Gligoroski, Markovski, Kocarev, Gusev: eSTREAM, phase 3"),
    .remark = RUNNEL_TEXT("80-bit key; about 2^69 operations and as much keystream give the key (Hell and Johansson 2007)"),
    .status = RUNNEL_BROKEN,
    .key_bytes = {10, 10, 1},
    .iv_bytes = {8, 8, 1},
    .block_bytes = BLOCK,
    .blocks = (uint64_t)1 << 41, /* the designers' limit of 2^48 bits */
    .context_bytes = sizeof(runnel_edon80),
    .state_offset = offsetof(runnel_edon80, state),
    .kernels = kernels,
};

const runnel_cipher *const runnel_edon80_ciphers[] = {&edon80, NULL};

RUNNEL_DEFINE_STREAM_VERBS(edon80, runnel_edon80_ciphers)
