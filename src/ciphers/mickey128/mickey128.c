/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 2.0: the descriptor and the portable kernel. The registers are clocked irregularly, so one step is made
 * at a time, on whole words; control bits become masks, not branches. */
#include "arch/avr/copy.h"
#include "core/define.h"
#include "kernels.h"

typedef runnel_mickey128_word word;
typedef runnel_mickey128_registers registers;

enum { WORD_BITS = 8 * sizeof(word), WORDS = RUNNEL_MICKEY128_WORDS };

#if RUNNEL_WORD_BITS == 64
#define LIST(a, b, c, d, e) {(uint64_t)(b) << 32 | (a), (uint64_t)(d) << 32 | (c), (e)}
#define CONSTANT(table, i) ((table)[i])
#else
#define LIST(a, b, c, d, e) {a, b, c, d, e}
#define CONSTANT(table, i) runnel_flash32(&(table)[i])
#endif

/* Three words of a register stay in registers of a 64-bit machine, if nothing is a loop or a call. */
#if RUNNEL_WORD_BITS == 64 && defined(__GNUC__)
#define STEP RUNNEL_INLINE
#define UNROLLED _Pragma("GCC unroll 3")
#else
#define STEP static RUNNEL_AVR_NOINLINE
#define UNROLLED
#endif

static const word taps[WORDS] RUNNEL_FLASH = MICKEY128_R(LIST);
static const word comp0[WORDS] RUNNEL_FLASH = MICKEY128_COMP0(LIST);
static const word comp1[WORDS] RUNNEL_FLASH = MICKEY128_COMP1(LIST);
static const word feedback0[WORDS] RUNNEL_FLASH = MICKEY128_FB0(LIST);
static const word feedback1[WORDS] RUNNEL_FLASH = MICKEY128_FB1(LIST);
static const word inner[WORDS] RUNNEL_FLASH = MICKEY128_INNER(LIST);

/* Stage i in the lowest bit; bits above it are meaningless. */
static inline word stage(const word *reg, unsigned i)
{
    return reg[i / WORD_BITS] >> (i % WORD_BITS);
}

/* All ones or zero, as the lowest bit says. */
static inline word mask(word bit)
{
    const word all = (word)0 - (bit & 1);
    return sizeof(word) == 8 ? (word)runnel_value_barrier64(all) : (word)runnel_value_barrier32((uint32_t)all);
}

/* One step, with an input bit and mixing (0 or 1). Returns the output bit, and above it meaningless bits. What leaves
 * the registers at stage 159 stays in unused bits of the last word and never comes back. */
STEP word step(registers *g, word mixing, word input)
{
    const word output = g->r[0] ^ g->s[0];
    const word control_r = mask(stage(g->s, 54) ^ stage(g->r, 106));
    const word control_s = mask(stage(g->s, 106) ^ stage(g->r, 53));
    const word feed_r = mask(stage(g->r, 159) ^ input ^ (mixing & stage(g->s, 80)));
    const word feed_s = mask(stage(g->s, 159) ^ input);
    word r_below = 0, s_below = 0;
    UNROLLED
    for (unsigned i = 0; i < WORDS; i++) {
        const word r = g->r[i], s = g->s[i], s_above = i + 1 < WORDS ? g->s[i + 1] : 0;
        const word product = (s ^ CONSTANT(comp0, i)) & ((s >> 1 | s_above << (WORD_BITS - 1)) ^ CONSTANT(comp1, i)) &
                             CONSTANT(inner, i);
        const word f0 = CONSTANT(feedback0, i), f1 = CONSTANT(feedback1, i);
        g->r[i] = (r << 1 | r_below) ^ (r & control_r) ^ (CONSTANT(taps, i) & feed_r);
        g->s[i] = (s << 1 | s_below) ^ product ^ ((f0 ^ ((f0 ^ f1) & control_s)) & feed_s);
        r_below = r >> (WORD_BITS - 1);
        s_below = s >> (WORD_BITS - 1);
    }
    return output;
}

/* Steps with the bits of some bytes as input. */
static void mix(registers *g, const uint8_t *bytes, size_t count)
{
    for (; count > 0; count--, bytes++) {
        uint8_t bits = *bytes;
        for (unsigned i = 0; i < 8; i++, bits = (uint8_t)(bits << 1))
            (void)step(g, 1, bits >> 7);
    }
}

void runnel_mickey128_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    runnel_mickey128_state *state = states;
    (void)key_bytes;
    RUNNEL_COPY(state->key, key, MICKEY128_KEY);
}

static void set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_mickey128_state *state = states;
    memset(&state->now, 0, sizeof state->now);
    mix(&state->now, iv, iv_bytes);
    mix(&state->now, state->key, MICKEY128_KEY);
    for (unsigned i = 0; i < MICKEY128_SETUP_STEPS; i++)
        (void)step(&state->now, 1, 0);
}

static void xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    registers *g = &((runnel_mickey128_state *)states)->now;
    (void)index;
    for (size_t n = nblocks * MICKEY128_BLOCK; n > 0; n--) {
        uint8_t keystream = 0;
        for (unsigned i = 0; i < 8; i++)
            keystream = (uint8_t)(keystream << 1 | (step(g, 0, 0) & 1));
        *out++ = in == NULL ? keystream : keystream ^ *in++;
    }
}

const runnel_kernel runnel_mickey128_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the specification, on words, with masks for branches"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_mickey128_set_key,
    .stream = {.iv = set_iv, .xor_blocks = xor_blocks},
};

static runnel_kernel_list kernels = {
#ifdef RUNNEL_MICKEY128_KERNEL
    RUNNEL_LIST_ONLY(mickey128, RUNNEL_MICKEY128_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_mickey128_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_mickey128_##name)
#include "kernels.inc"
#endif
        NULL,
};

static const runnel_cipher mickey128 = {
    .name = RUNNEL_TEXT("mickey-128"),
    .family = RUNNEL_TEXT("mickey128"),
    .title = RUNNEL_TEXT("MICKEY-128 2.0"),
    .source = RUNNEL_TEXT("Babbage, Dodd 2006; eSTREAM phase 3"),
    .remark = RUNNEL_TEXT("unbroken but little studied; all IVs under one key must have the same length"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {MICKEY128_KEY, MICKEY128_KEY, 1},
    .iv_bytes = {0, MICKEY128_IV_MOST, 1},
    .block_bytes = MICKEY128_BLOCK,
    .blocks = (uint64_t)1 << 59, /* 2^64 bits */
    .context_bytes = sizeof(runnel_mickey128),
    .state_offset = offsetof(runnel_mickey128, state),
    .kernels = kernels,
};

runnel_cipher_list runnel_mickey128_ciphers = {&mickey128, NULL};

RUNNEL_DEFINE_STREAM_VERBS(mickey128, runnel_mickey128_ciphers)
