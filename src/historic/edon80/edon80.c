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
    EDON80_BLOCK = 16,
    EDON80_STAGES = 80,
    EDON80_WORD_BITS = 8 * sizeof(runnel_edon80_word),
    EDON80_WORDS = (EDON80_STAGES + EDON80_WORD_BITS - 1) / EDON80_WORD_BITS,
};

typedef runnel_edon80_word edon80_word;

/* Symbols, or numbers of quasigroups. */
typedef struct edon80_symbol_pair {
    edon80_word high, low;
} edon80_symbol_pair;

/* Entries of the quasigroups of the given numbers: row r, column c. Each bit of an entry is a sum of products of bits
 * of r and c; the sums here have the products of all four quasigroups, each masked by whether the number asks for
 * it. */
static inline edon80_symbol_pair edon80_quasigroup(edon80_symbol_pair number, edon80_symbol_pair r,
                                                   edon80_symbol_pair c)
{
    const edon80_word high = number.high, low = number.low;
    const edon80_word three = high & low, one = low ^ three,
                      two = high ^ three; /* all ones where the number is that one */
    const edon80_word low_three = c.low & three, low_high = c.low & high, high_two = c.high & two,
                      high_high = c.high & high;
    const edon80_symbol_pair entry = {
        (edon80_word)(high ^ c.low ^ low_three ^ high_high ^ (r.low & ~(one & ~(c.low ^ c.high))) ^
                      (r.high & (low ^ low_three ^ high_two))),
        (edon80_word)(low ^ low_high ^ c.high ^ high_high ^ (r.high & ~high_two) ^
                      (r.low & (high ^ low ^ c.low ^ low_high ^ (c.high & one)))),
    };
    return entry;
}

/* A word of stages moved up by one; `below` is the word below it. */
static inline edon80_word edon80_moved_up(edon80_word stages, edon80_word below)
{
#if defined(__AVR__) /* its compiler would shift by 7, bit by bit */
    return (uint8_t)((uint16_t)(((uint16_t)stages << 8 | below) << 1) >> 8);
#else
    return stages << 1 | below >> (EDON80_WORD_BITS - 1);
#endif
}

/* The input of stage 0, as the highest of the stages below it. */
static inline edon80_symbol_pair edon80_incoming(unsigned symbol)
{
    const edon80_symbol_pair in = {
        (edon80_word)((edon80_word)(symbol >> 1) << (EDON80_WORD_BITS - 1)),
        (edon80_word)((edon80_word)(symbol & 1) << (EDON80_WORD_BITS - 1)),
    };
    return in;
}

static inline edon80_symbol_pair edon80_moved_up_pair(edon80_symbol_pair stages, edon80_symbol_pair below)
{
    const edon80_symbol_pair moved = {edon80_moved_up(stages.high, below.high), edon80_moved_up(stages.low, below.low)};
    return moved;
}

/* new where mask is 1, else old */
static inline edon80_word edon80_pick(edon80_word old, edon80_word new, edon80_word mask)
{
    return (edon80_word)(old ^ ((old ^ new) & mask));
}

/* Word number i of the symbols that 20 bytes are, the first of them in the highest bits of the first byte. */
static edon80_symbol_pair edon80_symbols_of(const uint8_t bytes[EDON80_STAGES / 4], unsigned i)
{
    edon80_symbol_pair symbols = {0, 0};
    for (unsigned at = EDON80_WORD_BITS * (i + 1); at-- > EDON80_WORD_BITS * i;) {
        const unsigned symbol = at < EDON80_STAGES ? (unsigned)bytes[at / 4] >> (6 - 2 * (at % 4)) : 0;
        symbols.high = (edon80_word)(symbols.high << 1 | (symbol >> 1 & 1));
        symbols.low = (edon80_word)(symbols.low << 1 | (symbol & 1));
    }
    return symbols;
}

static void edon80_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_edon80_state *s = state;
    uint8_t twice[EDON80_STAGES / 4];
    memcpy(s->key, key, key_bytes);
    memcpy(twice, key, key_bytes);
    memcpy(twice + key_bytes, key, key_bytes);
    for (unsigned i = 0; i < EDON80_WORDS; i++) {
        const edon80_symbol_pair numbers = edon80_symbols_of(twice, i);
        s->stages[i].number_high = numbers.high;
        s->stages[i].number_low = numbers.low;
    }
    runnel_wipe(twice, sizeof twice);
}

/* IV set-up: the stages' symbols, the quasigroups of the passes in them, and in active which stages have a pass. */
typedef struct edon80_passing {
    runnel_edon80_stages stages;
    edon80_word active;
} edon80_passing;

/* One tick of IV set-up in the words from p to before end, in which a pass begins with that leader and that quasigroup
 * (begins = 1), or none (0). */
static RUNNEL_AVR_NOINLINE void edon80_pass(edon80_passing *p, const edon80_passing *end, unsigned leader,
                                            unsigned number, unsigned begins)
{
    edon80_symbol_pair below = edon80_incoming(leader), number_below = edon80_incoming(number);
    edon80_word active_below = edon80_incoming(begins).low;
    for (; p < end; p++) {
        const edon80_symbol_pair old = {p->stages.high, p->stages.low};
        const edon80_symbol_pair numbers = {p->stages.number_high, p->stages.number_low};
        const edon80_symbol_pair moved = edon80_moved_up_pair(numbers, number_below);
        const edon80_word active = edon80_moved_up(p->active, active_below);
        const edon80_symbol_pair new = edon80_quasigroup(moved, edon80_moved_up_pair(old, below), old);
        active_below = p->active;
        number_below = numbers;
        below = old;
        p->stages.number_high = moved.high;
        p->stages.number_low = moved.low;
        p->active = active;
        p->stages.high = edon80_pick(old.high, new.high, active);
        p->stages.low = edon80_pick(old.low, new.low, active);
    }
}

/* One tick of keystream generation, with the symbol that comes in at stage 0. */
static RUNNEL_AVR_NOINLINE void edon80_tick(runnel_edon80_stages *stages, unsigned symbol)
{
    edon80_symbol_pair below = edon80_incoming(symbol);
    for (const runnel_edon80_stages *const end = stages + EDON80_WORDS; stages < end; stages++) {
        const edon80_symbol_pair old = {stages->high, stages->low};
        const edon80_symbol_pair numbers = {stages->number_high, stages->number_low};
        const edon80_symbol_pair new = edon80_quasigroup(numbers, old, edon80_moved_up_pair(old, below));
        below = old;
        stages->high = new.high;
        stages->low = new.low;
    }
}

/* Runs until a symbol stands before the last stage. Stages that no symbol has reached yet do not change: words of them are
 * left out. */
static void edon80_fill(runnel_edon80_stages *stages)
{
    edon80_word reached[EDON80_WORDS] = {0};
    for (unsigned t = 0; t < EDON80_STAGES - 1; t++) {
        edon80_symbol_pair below = edon80_incoming(t % 4);
        edon80_word reached_below = edon80_incoming(1).low;
        for (unsigned i = 0; i <= t / EDON80_WORD_BITS; i++) {
            const edon80_symbol_pair old = {stages[i].high, stages[i].low};
            const edon80_symbol_pair numbers = {stages[i].number_high, stages[i].number_low};
            const edon80_symbol_pair new = edon80_quasigroup(numbers, old, edon80_moved_up_pair(old, below));
            const edon80_word was_reached = reached[i], mask = edon80_moved_up(was_reached, reached_below);
            reached[i] = mask;
            reached_below = was_reached;
            below = old;
            stages[i].high = edon80_pick(old.high, new.high, mask);
            stages[i].low = edon80_pick(old.low, new.low, mask);
        }
    }
}

static void edon80_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_edon80_state *s = state;
    uint8_t leaders[EDON80_STAGES / 4];
    edon80_passing places[EDON80_WORDS] = {{{0, 0, 0, 0}, 0}};
    memcpy(leaders, s->key, 10);
    memcpy(leaders + 10, iv, iv_bytes);
    leaders[18] = 0xe4; /* 3 2 1 0 */
    leaders[19] = 0x1b; /* 0 1 2 3 */
    for (unsigned i = 0; i < EDON80_WORDS; i++) {
        const edon80_symbol_pair symbols = edon80_symbols_of(leaders, i);
        places[i].stages.high = symbols.high;
        places[i].stages.low = symbols.low;
    }
    /* Words that the first pass has not reached yet, and words that the last one has left, are left out. */
    unsigned begun = 0;
    for (unsigned i = EDON80_STAGES / 4; i-- > 0;) { /* passes of the quasigroups 79 to 0, four of a byte */
        uint8_t leader = leaders[i], number = s->key[i % 10];
        for (unsigned j = 0; j < 4; j++, begun++) {
            edon80_pass(places, places + begun / EDON80_WORD_BITS + 1, leader & 3, number & 3, 1);
            leader >>= 2;
            number >>= 2;
        }
    }
    for (unsigned at = 0; at < EDON80_STAGES - 1;
         at++) /* until the last one, which stands at that stage, has passed every one */
        edon80_pass(places + at / EDON80_WORD_BITS, places + EDON80_WORDS, 0, 0, 0);
    for (unsigned i = 0; i < EDON80_WORDS; i++) {
        s->stages[i].high = places[i].stages.high;
        s->stages[i].low = places[i].stages.low;
    }
    edon80_fill(s->stages);
    runnel_wipe(leaders, sizeof leaders);
    runnel_wipe(places, sizeof places);
}

static void edon80_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_edon80_stages *const stages = ((runnel_edon80_state *)state)->stages;
    const runnel_edon80_stages *const last = stages + (EDON80_STAGES - 1) / EDON80_WORD_BITS;
    (void)index;
    for (size_t bytes = EDON80_BLOCK * nblocks; bytes > 0; bytes--) {
        uint8_t keystream = 0;
        for (unsigned i = 0; i < 4; i++) { /* clocks count 0 1 2 3; the first one that comes out came in as number 79 */
            edon80_tick(stages, i % 2 == 0 ? 3 : 1);
            edon80_tick(stages, i % 2 == 0 ? 0 : 2);
            const unsigned high = (unsigned)(last->high >> (EDON80_STAGES - 1) % EDON80_WORD_BITS) & 1;
            const unsigned low = (unsigned)(last->low >> (EDON80_STAGES - 1) % EDON80_WORD_BITS) & 1;
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
    .key = edon80_set_key,
    .stream = {.iv = edon80_set_iv, .xor_blocks = edon80_xor_blocks},
};

static runnel_kernel_list edon80_kernels = {
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
    .block_bytes = EDON80_BLOCK,
    .blocks = (uint64_t)1 << 41, /* the designers' limit of 2^48 bits */
    .context_bytes = sizeof(runnel_edon80),
    .state_offset = offsetof(runnel_edon80, state),
    .kernels = edon80_kernels,
};

runnel_cipher_list runnel_edon80_ciphers = {&edon80, NULL};

RUNNEL_DEFINE_STREAM_VERBS(edon80, runnel_edon80_ciphers)
