/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* MICKEY-128 2.0: the descriptor and the portable kernel. The registers are clocked irregularly, so one step is made
 * at a time, on whole words; control bits become masks, not branches. */
#include "arch/avr/copy.h"
#include "core/define.h"
#include "kernels.h"

typedef runnel_mickey128_word mickey128_word;
typedef runnel_mickey128_registers mickey128_registers;

enum { MICKEY128_WORD_BITS = 8 * sizeof(mickey128_word), MICKEY128_WORDS = RUNNEL_MICKEY128_WORDS };

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

static const mickey128_word mickey128_taps[MICKEY128_WORDS] RUNNEL_FLASH = MICKEY128_R(LIST);
static const mickey128_word mickey128_comp0[MICKEY128_WORDS] RUNNEL_FLASH = MICKEY128_COMP0(LIST);
static const mickey128_word mickey128_comp1[MICKEY128_WORDS] RUNNEL_FLASH = MICKEY128_COMP1(LIST);
static const mickey128_word mickey128_feedback0[MICKEY128_WORDS] RUNNEL_FLASH = MICKEY128_FB0(LIST);
static const mickey128_word mickey128_feedback1[MICKEY128_WORDS] RUNNEL_FLASH = MICKEY128_FB1(LIST);
static const mickey128_word mickey128_inner[MICKEY128_WORDS] RUNNEL_FLASH = MICKEY128_INNER(LIST);

/* Stage i in the lowest bit; bits above it are meaningless. */
static inline mickey128_word mickey128_stage(const mickey128_word *reg, unsigned i)
{
    return reg[i / MICKEY128_WORD_BITS] >> (i % MICKEY128_WORD_BITS);
}

/* All ones or zero, as the lowest bit says. */
static inline mickey128_word mickey128_mask(mickey128_word bit)
{
    const mickey128_word all = (mickey128_word)0 - (bit & 1);
    return sizeof(mickey128_word) == 8 ? (mickey128_word)runnel_value_barrier64(all)
                                       : (mickey128_word)runnel_value_barrier32((uint32_t)all);
}

/* One step, with an input bit and mixing (0 or 1). Returns the output bit, and above it meaningless bits. What leaves
 * the registers at stage 159 stays in unused bits of the last word and never comes back. */
STEP mickey128_word mickey128_step(mickey128_registers *g, mickey128_word mixing, mickey128_word input)
{
    const mickey128_word output = g->r[0] ^ g->s[0];
    const mickey128_word control_r = mickey128_mask(mickey128_stage(g->s, 54) ^ mickey128_stage(g->r, 106));
    const mickey128_word control_s = mickey128_mask(mickey128_stage(g->s, 106) ^ mickey128_stage(g->r, 53));
    const mickey128_word feed_r =
        mickey128_mask(mickey128_stage(g->r, 159) ^ input ^ (mixing & mickey128_stage(g->s, 80)));
    const mickey128_word feed_s = mickey128_mask(mickey128_stage(g->s, 159) ^ input);
    mickey128_word r_below = 0, s_below = 0;
    UNROLLED
    for (unsigned i = 0; i < MICKEY128_WORDS; i++) {
        const mickey128_word r = g->r[i], s = g->s[i], s_above = i + 1 < MICKEY128_WORDS ? g->s[i + 1] : 0;
        const mickey128_word product =
            (s ^ CONSTANT(mickey128_comp0, i)) &
            ((s >> 1 | s_above << (MICKEY128_WORD_BITS - 1)) ^ CONSTANT(mickey128_comp1, i)) &
            CONSTANT(mickey128_inner, i);
        const mickey128_word f0 = CONSTANT(mickey128_feedback0, i), f1 = CONSTANT(mickey128_feedback1, i);
        g->r[i] = (r << 1 | r_below) ^ (r & control_r) ^ (CONSTANT(mickey128_taps, i) & feed_r);
        g->s[i] = (s << 1 | s_below) ^ product ^ ((f0 ^ ((f0 ^ f1) & control_s)) & feed_s);
        r_below = r >> (MICKEY128_WORD_BITS - 1);
        s_below = s >> (MICKEY128_WORD_BITS - 1);
    }
    return output;
}

/* Steps with the bits of some bytes as input. */
static void mickey128_mix(mickey128_registers *g, const uint8_t *bytes, size_t count)
{
    for (; count > 0; count--, bytes++) {
        uint8_t bits = *bytes;
        for (unsigned i = 0; i < 8; i++, bits = (uint8_t)(bits << 1))
            (void)mickey128_step(g, 1, bits >> 7);
    }
}

void runnel_mickey128_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    runnel_mickey128_state *state = states;
    (void)key_bytes;
    RUNNEL_COPY(state->key, key, MICKEY128_KEY);
}

static void mickey128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_mickey128_state *state = states;
    memset(&state->now, 0, sizeof state->now);
    mickey128_mix(&state->now, iv, iv_bytes);
    mickey128_mix(&state->now, state->key, MICKEY128_KEY);
    for (unsigned i = 0; i < MICKEY128_SETUP_STEPS; i++)
        (void)mickey128_step(&state->now, 1, 0);
}

static void mickey128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    mickey128_registers *g = &((runnel_mickey128_state *)states)->now;
    (void)index;
    for (size_t n = nblocks * MICKEY128_BLOCK; n > 0; n--) {
        uint8_t keystream = 0;
        for (unsigned i = 0; i < 8; i++)
            keystream = (uint8_t)(keystream << 1 | (mickey128_step(g, 0, 0) & 1));
        *out++ = in == NULL ? keystream : keystream ^ *in++;
    }
}

const runnel_kernel runnel_mickey128_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the specification, on words, with masks for branches"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_mickey128_set_key,
    .stream = {.iv = mickey128_set_iv, .xor_blocks = mickey128_xor_blocks},
};

static runnel_kernel_list mickey128_kernels = {
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
    .kernels = mickey128_kernels,
};

runnel_cipher_list runnel_mickey128_ciphers = {&mickey128, NULL};

RUNNEL_DEFINE_STREAM_VERBS(mickey128, runnel_mickey128_ciphers)
