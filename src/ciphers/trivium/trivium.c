/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium: the descriptor and the portable kernel. No cell is read within 65 steps after it was written, so a word of
 * steps is made at once: what a step reads from cell p is, for the whole word, a window of the register. */
#include "arch/avr/copy.h"
#include "core/define.h"
#include "kernels.h"

typedef runnel_trivium_word trivium_word;

#if RUNNEL_WORD_BITS == 64
#define load_word runnel_load64le
#define xor_word runnel_xor64le
#define STEPS RUNNEL_INLINE /* six words, which stay in registers */
#else
#define load_word runnel_load32le
#define xor_word runnel_xor32le
#define STEPS static inline
#endif

enum { TRIVIUM_WORD_BITS = 8 * sizeof(trivium_word) };

#define WORDS(registers, name) (sizeof(registers)->name / sizeof(trivium_word))

/* The window of TRIVIUM_WORD_BITS bits that begins with cell p; the newest bit of the register is cell 1. */
static inline trivium_word trivium_window(const trivium_word *newest_word, unsigned p)
{
    const unsigned back = p - 1;
    const trivium_word *old = newest_word - back / TRIVIUM_WORD_BITS;
    const unsigned shift = TRIVIUM_WORD_BITS - 1 - back % TRIVIUM_WORD_BITS;
    return (trivium_word)(old[0] >> shift | old[1] << (TRIVIUM_WORD_BITS - shift));
}

static inline void trivium_push(trivium_word *reg, size_t words, trivium_word newest)
{
    for (size_t i = 0; i + 1 < words; i++)
        reg[i] = reg[i + 1];
    reg[words - 1] = newest;
}

/* TRIVIUM_WORD_BITS steps; returns their keystream, the first bit lowest. */
STEPS trivium_word trivium_steps(runnel_trivium_registers *r)
{
    const trivium_word *a = r->a + WORDS(r, a) - 1, *b = r->b + WORDS(r, b) - 1, *c = r->c + WORDS(r, c) - 1;
    const trivium_word from_a = trivium_window(a, 66) ^ trivium_window(a, 93);
    const trivium_word from_b = trivium_window(b, 69) ^ trivium_window(b, 84);
    const trivium_word from_c = trivium_window(c, 66) ^ trivium_window(c, 111);
    const trivium_word to_b = from_a ^ (trivium_window(a, 91) & trivium_window(a, 92)) ^ trivium_window(b, 78);
    const trivium_word to_c = from_b ^ (trivium_window(b, 82) & trivium_window(b, 83)) ^ trivium_window(c, 87);
    const trivium_word to_a = from_c ^ (trivium_window(c, 109) & trivium_window(c, 110)) ^ trivium_window(a, 69);
    trivium_push(r->a, WORDS(r, a), to_a);
    trivium_push(r->b, WORDS(r, b), to_b);
    trivium_push(r->c, WORDS(r, c), to_c);
    return from_a ^ from_b ^ from_c;
}

/* A register from its bytes, the oldest bits first. */
static inline void trivium_load_register(trivium_word *reg, size_t words, const uint8_t *bytes)
{
    for (size_t i = 0; i < words; i++)
        reg[i] = load_word(bytes + i * sizeof(trivium_word));
}

void runnel_trivium_load(runnel_trivium_registers *r, const uint8_t key[TRIVIUM_KEY], const uint8_t *iv,
                         size_t iv_bytes)
{
    uint8_t bytes[sizeof r->a] = {0};
    memset(r, 0, sizeof *r);
    memcpy(bytes + sizeof r->a - TRIVIUM_KEY, key, TRIVIUM_KEY);
    trivium_load_register(r->a, WORDS(r, a), bytes);
    memset(bytes, 0, sizeof bytes);
    if (iv_bytes > 0)
        memcpy(bytes + sizeof r->b - iv_bytes, iv, iv_bytes);
    trivium_load_register(r->b, WORDS(r, b), bytes);
    r->c[0] = (trivium_word)7 << (8 * sizeof r->c - 111); /* the three oldest cells */
}

void runnel_trivium_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    runnel_trivium_state *state = states;
    (void)key_bytes;
    RUNNEL_COPY(state->key, key, TRIVIUM_KEY);
}

static void trivium_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_trivium_state *state = states;
    runnel_trivium_registers r;
    runnel_trivium_load(&r, state->key, iv, iv_bytes);
    for (unsigned i = 0; i < TRIVIUM_SETUP_STEPS / TRIVIUM_WORD_BITS; i++)
        (void)trivium_steps(&r);
    state->now = r;
    runnel_wipe(&r, sizeof r);
}

static void trivium_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_trivium_state *state = states;
    runnel_trivium_registers r = state->now;
    (void)index;
    for (; nblocks > 0; nblocks--) {
        for (unsigned i = 0; i < TRIVIUM_BLOCK / sizeof(trivium_word); i++)
            xor_word(out, in, i, trivium_steps(&r));
        out += TRIVIUM_BLOCK;
        if (in != NULL)
            in += TRIVIUM_BLOCK;
    }
    state->now = r;
    runnel_wipe(&r, sizeof r);
}

const runnel_kernel runnel_trivium_portable = {.name = RUNNEL_TEXT("portable"),
                                               .citation = RUNNEL_TEXT("the specification, a word of steps at once"),
                                               .kind = RUNNEL_KIND_STREAM,
                                               .timing = RUNNEL_CONSTANT_TIME,
                                               .key = runnel_trivium_set_key,
                                               .stream = {.iv = trivium_set_iv, .xor_blocks = trivium_xor_blocks},
                                               RUNNEL_BATCH_ON_X86_64(runnel_trivium_batch_avx2)};

static runnel_kernel_list trivium_kernels = {
#ifdef RUNNEL_TRIVIUM_KERNEL
    RUNNEL_LIST_ONLY(trivium, RUNNEL_TRIVIUM_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_trivium_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_trivium_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher trivium = {
    .name = RUNNEL_TEXT("trivium"),
    .family = RUNNEL_TEXT("trivium"),
    .title = RUNNEL_TEXT("Trivium"),
    .source =
        RUNNEL_TEXT("De Canniere, Preneel 2005, the first bit lowest in byte 0; eSTREAM portfolio; ISO/IEC 29192-3"),
    .remark = RUNNEL_TEXT("unbroken, but a key of 80 bits is too short for lasting secrets"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {TRIVIUM_KEY, TRIVIUM_KEY, 1},
    .iv_bytes = {0, TRIVIUM_IV_MOST, 1},
    .block_bytes = TRIVIUM_BLOCK,
    .blocks = (uint64_t)1 << 58, /* 2^64 bits */
    .context_bytes = sizeof(runnel_trivium),
    .state_offset = offsetof(runnel_trivium, state),
    .kernels = trivium_kernels,
};

runnel_cipher_list runnel_trivium_ciphers = {&trivium, NULL};

RUNNEL_DEFINE_STREAM_VERBS(trivium, runnel_trivium_ciphers)
