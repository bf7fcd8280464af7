/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Edon80: the descriptor and the kernel. A symbol passes through 80 stages, each of which needs the result of the one
 * before: one clock is a chain of 80 look-ups. Here stage i works on the symbol of i clocks ago, so that all stages
 * work at once, bit-sliced in words, on what their neighbours made a tick before, and nothing is looked up. The 80
 * passes of IV set-up over 80 symbols are pipelined likewise, each pass one symbol behind the one before. */
#include "edon80.h"

#include "arch/common/bytes.h"
#include "core/define.h"
#include "arch/common/wipe.h"

enum {
    BLOCK = 16,
    STAGES = 80,
    WORD_BITS = 8 * sizeof(runnel_edon80_word),
    WORDS = (STAGES + WORD_BITS - 1) / WORD_BITS,
};

typedef runnel_edon80_word word;

/* Symbols, or numbers of quasigroups. */
typedef struct symbol_pair {
    word high, low;
} symbol_pair;

/* Entries of the quasigroups of the given numbers: row r, column c. Each bit of an entry is a sum of products of bits
 * of r and c; the sums here have the products of all four quasigroups, each masked by whether the number asks for
 * it. */
static inline symbol_pair quasigroup(symbol_pair number, symbol_pair r, symbol_pair c)
{
    const word high = number.high, low = number.low;
    const word three = high & low, one = low ^ three, two = high ^ three; /* all ones where the number is that one */
    const word low_three = c.low & three, low_high = c.low & high, high_two = c.high & two, high_high = c.high & high;
    const symbol_pair entry = {
        (word)(high ^ c.low ^ low_three ^ high_high ^ (r.low & ~(one & ~(c.low ^ c.high))) ^
               (r.high & (low ^ low_three ^ high_two))),
        (word)(low ^ low_high ^ c.high ^ high_high ^ (r.high & ~high_two) ^
               (r.low & (high ^ low ^ c.low ^ low_high ^ (c.high & one)))),
    };
    return entry;
}

/* A word of stages moved up by one; `below` is the word below it. */
static inline word moved_up(word stages, word below)
{
#if defined(__AVR__) /* its compiler would shift by 7, bit by bit */
    return (uint8_t)((uint16_t)(((uint16_t)stages << 8 | below) << 1) >> 8);
#else
    return stages << 1 | below >> (WORD_BITS - 1);
#endif
}

/* What enters at stage 0, as the highest of the stages below it. */
static inline symbol_pair incoming(unsigned symbol)
{
    const symbol_pair in = {
        (word)((word)(symbol >> 1) << (WORD_BITS - 1)),
        (word)((word)(symbol & 1) << (WORD_BITS - 1)),
    };
    return in;
}

static inline symbol_pair moved_up_pair(symbol_pair stages, symbol_pair below)
{
    const symbol_pair moved = {moved_up(stages.high, below.high), moved_up(stages.low, below.low)};
    return moved;
}

/* new where mask is 1, else old */
static inline word pick(word old, word new, word mask)
{
    return (word)(old ^ ((old ^ new) & mask));
}

/* Word number i of the symbols that 20 bytes are, the first of them in the highest bits of the first byte. */
static symbol_pair symbols_of(const uint8_t bytes[STAGES / 4], unsigned i)
{
    symbol_pair symbols = {0, 0};
    for (unsigned at = WORD_BITS * (i + 1); at-- > WORD_BITS * i;) {
        const unsigned symbol = at < STAGES ? (unsigned)bytes[at / 4] >> (6 - 2 * (at % 4)) : 0;
        symbols.high = (word)(symbols.high << 1 | (symbol >> 1 & 1));
        symbols.low = (word)(symbols.low << 1 | (symbol & 1));
    }
    return symbols;
}

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_edon80_state *s = state;
    uint8_t twice[STAGES / 4];
    memcpy(s->key, key, key_bytes);
    memcpy(twice, key, key_bytes);
    memcpy(twice + key_bytes, key, key_bytes);
    for (unsigned i = 0; i < WORDS; i++) {
        const symbol_pair numbers = symbols_of(twice, i);
        s->stages[i].number_high = numbers.high;
        s->stages[i].number_low = numbers.low;
    }
    runnel_wipe(twice, sizeof twice);
}

/* IV set-up: the stages' symbols, the quasigroups of the passes in them, and in active which stages have a pass. */
typedef struct passing {
    runnel_edon80_stages stages;
    word active;
} passing;

/* One tick of IV set-up in the words from p to before end, in which a pass begins with that leader and that quasigroup
 * (begins = 1), or none (0). */
static RUNNEL_AVR_NOINLINE void pass(passing *p, const passing *end, unsigned leader, unsigned number, unsigned begins)
{
    symbol_pair below = incoming(leader), number_below = incoming(number);
    word active_below = incoming(begins).low;
    for (; p < end; p++) {
        const symbol_pair old = {p->stages.high, p->stages.low};
        const symbol_pair numbers = {p->stages.number_high, p->stages.number_low};
        const symbol_pair moved = moved_up_pair(numbers, number_below);
        const word active = moved_up(p->active, active_below);
        const symbol_pair new = quasigroup(moved, moved_up_pair(old, below), old);
        active_below = p->active;
        number_below = numbers;
        below = old;
        p->stages.number_high = moved.high;
        p->stages.number_low = moved.low;
        p->active = active;
        p->stages.high = pick(old.high, new.high, active);
        p->stages.low = pick(old.low, new.low, active);
    }
}

/* One tick of keystream generation, with the symbol that comes in at stage 0. */
static RUNNEL_AVR_NOINLINE void tick(runnel_edon80_stages *stages, unsigned symbol)
{
    symbol_pair below = incoming(symbol);
    for (const runnel_edon80_stages *const end = stages + WORDS; stages < end; stages++) {
        const symbol_pair old = {stages->high, stages->low};
        const symbol_pair numbers = {stages->number_high, stages->number_low};
        const symbol_pair new = quasigroup(numbers, old, moved_up_pair(old, below));
        below = old;
        stages->high = new.high;
        stages->low = new.low;
    }
}

/* Runs until a symbol stands before the last stage. Stages that no symbol has reached yet do not change: words of them are
 * left out. */
static void fill(runnel_edon80_stages *stages)
{
    word reached[WORDS] = {0};
    for (unsigned t = 0; t < STAGES - 1; t++) {
        symbol_pair below = incoming(t % 4);
        word reached_below = incoming(1).low;
        for (unsigned i = 0; i <= t / WORD_BITS; i++) {
            const symbol_pair old = {stages[i].high, stages[i].low};
            const symbol_pair numbers = {stages[i].number_high, stages[i].number_low};
            const symbol_pair new = quasigroup(numbers, old, moved_up_pair(old, below));
            const word was_reached = reached[i], mask = moved_up(was_reached, reached_below);
            reached[i] = mask;
            reached_below = was_reached;
            below = old;
            stages[i].high = pick(old.high, new.high, mask);
            stages[i].low = pick(old.low, new.low, mask);
        }
    }
}

static void set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_edon80_state *s = state;
    uint8_t leaders[STAGES / 4];
    passing places[WORDS] = {{{0, 0, 0, 0}, 0}};
    memcpy(leaders, s->key, 10);
    memcpy(leaders + 10, iv, iv_bytes);
    leaders[18] = 0xe4; /* 3 2 1 0 */
    leaders[19] = 0x1b; /* 0 1 2 3 */
    for (unsigned i = 0; i < WORDS; i++) {
        const symbol_pair symbols = symbols_of(leaders, i);
        places[i].stages.high = symbols.high;
        places[i].stages.low = symbols.low;
    }
    /* Words that the first pass has not reached yet, and words that the last one has left, are left out. */
    unsigned begun = 0;
    for (unsigned i = STAGES / 4; i-- > 0;) { /* passes of the quasigroups 79 to 0, four of a byte */
        uint8_t leader = leaders[i], number = s->key[i % 10];
        for (unsigned j = 0; j < 4; j++, begun++) {
            pass(places, places + begun / WORD_BITS + 1, leader & 3, number & 3, 1);
            leader >>= 2;
            number >>= 2;
        }
    }
    for (unsigned at = 0; at < STAGES - 1;
         at++) /* until the last one, which stands at that stage, has passed every one */
        pass(places + at / WORD_BITS, places + WORDS, 0, 0, 0);
    for (unsigned i = 0; i < WORDS; i++) {
        s->stages[i].high = places[i].stages.high;
        s->stages[i].low = places[i].stages.low;
    }
    fill(s->stages);
    runnel_wipe(leaders, sizeof leaders);
    runnel_wipe(places, sizeof places);
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_edon80_stages *const stages = ((runnel_edon80_state *)state)->stages;
    const runnel_edon80_stages *const last = stages + (STAGES - 1) / WORD_BITS;
    (void)index;
    for (size_t bytes = BLOCK * nblocks; bytes > 0; bytes--) {
        uint8_t keystream = 0;
        for (unsigned i = 0; i < 4; i++) { /* clocks count 0 1 2 3; the first one that comes out came in as number 79 */
            tick(stages, i % 2 == 0 ? 3 : 1);
            tick(stages, i % 2 == 0 ? 0 : 2);
            const unsigned high = (unsigned)(last->high >> (STAGES - 1) % WORD_BITS) & 1;
            const unsigned low = (unsigned)(last->low >> (STAGES - 1) % WORD_BITS) & 1;
            keystream = (uint8_t)(keystream << 2 | high << 1 | low); /* every second symbol is kept */
        }
        *out++ = in == NULL ? keystream : (uint8_t)(keystream ^ *in++);
    }
}

const runnel_kernel runnel_edon80_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("all stages at once, each a clock behind the one before, as bits of words"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks},
};

static runnel_kernel_list kernels = {
#ifdef RUNNEL_EDON80_KERNEL
    RUNNEL_LIST_ONLY(edon80, RUNNEL_EDON80_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_edon80_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_edon80_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher edon80 = {
    .name = RUNNEL_TEXT("edon80"),
    .family = RUNNEL_TEXT("edon80"),
    .title = RUNNEL_TEXT("Edon80"),
    .source = RUNNEL_TEXT("Gligoroski, Markovski, Kocarev, Gusev: eSTREAM, phase 3"),
    .remark = RUNNEL_TEXT("80-bit key; 2^69 operations and as much keystream give the key (Hell and Johansson 2007)"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_BROKEN,
    .key_bytes = {10, 10, 1},
    .iv_bytes = {8, 8, 1},
    .block_bytes = BLOCK,
    .blocks = (uint64_t)1 << 41, /* the designers' limit of 2^48 bits */
    .context_bytes = sizeof(runnel_edon80),
    .state_offset = offsetof(runnel_edon80, state),
    .kernels = kernels,
};

runnel_cipher_list runnel_edon80_ciphers = {&edon80, NULL};

RUNNEL_DEFINE_STREAM_VERBS(edon80, runnel_edon80_ciphers)
