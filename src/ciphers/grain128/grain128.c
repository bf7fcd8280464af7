/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128: the descriptor and the portable kernel, which makes 32 steps at once on words. */
#include "arch/avr/copy.h"
#include "core/define.h"
#include "kernels.h"

#if RUNNEL_WORD_BITS == 64
/* Registers as every two neighbouring words, so that a window is one shift: to the left, into the upper half, below which
 * bits mean nothing. */
typedef struct grain128_pairs {
    uint64_t w01, w12, w23;
} grain128_pairs;

typedef struct grain128_registers {
    grain128_pairs b, s;
} grain128_registers;

typedef uint64_t grain128_bits;
#define STEPS RUNNEL_INLINE /* six words, which stay in registers */
#define AT(x) (&(x))

static inline uint64_t grain128_window(grain128_pairs r, unsigned i)
{
    const uint64_t pair = i <= 32 ? r.w01 : i <= 64 ? r.w12 : r.w23;
    return i > 0 && i % 32 == 0 ? pair : pair << (32 - i % 32);
}

static inline uint32_t grain128_word_of(uint64_t x)
{
    return (uint32_t)(x >> 32);
}

static inline void grain128_append(grain128_pairs *r, uint64_t x)
{
    r->w01 = r->w12;
    r->w12 = r->w23;
    r->w23 = r->w23 >> 32 | (uint64_t)grain128_word_of(x) << 32;
}

static inline grain128_pairs grain128_pairs_of(const uint32_t *w)
{
    const grain128_pairs r = {(uint64_t)w[1] << 32 | w[0], (uint64_t)w[2] << 32 | w[1], (uint64_t)w[3] << 32 | w[2]};
    return r;
}

static inline void grain128_put_words(uint32_t *w, grain128_pairs r)
{
    w[0] = (uint32_t)r.w01;
    w[1] = (uint32_t)r.w12;
    w[2] = (uint32_t)r.w23;
    w[3] = grain128_word_of(r.w23);
}

static inline grain128_registers grain128_take(const runnel_grain128_registers *now)
{
    const grain128_registers r = {grain128_pairs_of(now->b), grain128_pairs_of(now->s)};
    return r;
}

static inline void grain128_put(runnel_grain128_registers *now, grain128_registers *r)
{
    grain128_put_words(now->b, r->b);
    grain128_put_words(now->s, r->s);
}
#else
typedef runnel_grain128_registers grain128_registers;
typedef uint32_t grain128_bits;
#define STEPS static inline
#define AT(x) (x)

/* 32 bits of a register of four words, from bit i on; i <= 96. */
static inline uint32_t grain128_window(const uint32_t *w, unsigned i)
{
    const unsigned shift = i % 32;
    w += i / 32;
    return shift == 0 ? w[0] : w[0] >> shift | w[1] << (32 - shift);
}

static inline uint32_t grain128_word_of(uint32_t x)
{
    return x;
}

static inline void grain128_append(uint32_t *w, uint32_t x)
{
    w[0] = w[1], w[1] = w[2], w[2] = w[3], w[3] = x;
}

static inline grain128_registers grain128_take(const runnel_grain128_registers *now)
{
    return *now;
}

static inline void grain128_put(runnel_grain128_registers *now, grain128_registers *r)
{
    *now = *r;
    runnel_wipe(r, sizeof *r);
}
#endif

#define B(i) grain128_window(r->b, i)
#define S(i) grain128_window(r->s, i)

/* 32 steps; feedback: all ones if the output goes into the registers, else 0. Returns the output, its first bit lowest. */
STEPS uint32_t grain128_steps(grain128_registers *r, grain128_bits feedback)
{
    const grain128_bits output = GRAIN128_OUTPUT(B, S);
    const grain128_bits nonlinear = GRAIN128_NONLINEAR(B, S) ^ (output & feedback);
    const grain128_bits linear = GRAIN128_LINEAR(S) ^ (output & feedback);
    grain128_append(AT(r->b), nonlinear);
    grain128_append(AT(r->s), linear);
    return grain128_word_of(output);
}

void runnel_grain128_load(runnel_grain128_registers *r, const uint8_t key[GRAIN128_KEY], const uint8_t iv[GRAIN128_IV])
{
    for (unsigned i = 0; i < 4; i++)
        r->b[i] = runnel_load32le(key + 4 * i);
    for (unsigned i = 0; i < 3; i++)
        r->s[i] = runnel_load32le(iv + 4 * i);
    r->s[3] = 0xffffffff;
}

void runnel_grain128_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    runnel_grain128_state *state = states;
    (void)key_bytes;
    RUNNEL_COPY(state->key, key, sizeof state->key);
}

static void grain128_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_grain128_state *state = states;
    (void)iv_bytes;
    memset(&state->now, 0, sizeof state->now); /* including its padding */
    runnel_grain128_load(&state->now, state->key, iv);
    grain128_registers r = grain128_take(&state->now);
    for (unsigned i = 0; i < GRAIN128_SETUP_STEPS / 32; i++)
        (void)grain128_steps(&r, (grain128_bits)-1);
    grain128_put(&state->now, &r);
}

static void grain128_xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_grain128_state *state = states;
    grain128_registers r = grain128_take(&state->now);
    (void)index;
    for (; nblocks > 0; nblocks--) {
        runnel_xor32le(out, in, 0, grain128_steps(&r, 0));
        out += GRAIN128_BLOCK;
        if (in != NULL)
            in += GRAIN128_BLOCK;
    }
    grain128_put(&state->now, &r);
}

const runnel_kernel runnel_grain128_portable = {.name = RUNNEL_TEXT("portable"),
                                                .citation = RUNNEL_TEXT("the specification, 32 steps at once"),
                                                .kind = RUNNEL_KIND_STREAM,
                                                .timing = RUNNEL_CONSTANT_TIME,
                                                .key = runnel_grain128_set_key,
                                                .stream = {.iv = grain128_set_iv, .xor_blocks = grain128_xor_blocks},
                                                RUNNEL_BATCH_ON_X86_64(runnel_grain128_batch_avx2)};

static runnel_kernel_list grain128_kernels = {
#ifdef RUNNEL_GRAIN128_KERNEL
    RUNNEL_LIST_ONLY(grain128, RUNNEL_GRAIN128_KERNEL)
#else
#define KERNEL(on, name) RUNNEL_LIST_KERNEL(on, runnel_grain128_##name)
#define PAPER(on, name) RUNNEL_LIST_PAPER(on, runnel_grain128_##name)
#include "kernels.inc"
#endif
        NULL,
};

#ifndef RUNNEL_GRAIN128_KERNEL
#define KERNEL(on, name) RUNNEL_FITS(on, RUNNEL_GRAIN128_MORE_##name <= RUNNEL_GRAIN128_MORE)
#define PAPER KERNEL
#include "kernels.inc"
#endif

static const runnel_cipher grain128 = {
    .name = RUNNEL_TEXT("grain-128"),
    .family = RUNNEL_TEXT("grain128"),
    .title = RUNNEL_TEXT("Grain-128"),
    .source = RUNNEL_TEXT(
        "Hell, Johansson, Maximov, Meier 2006: reverse the bits of each byte that they print; eSTREAM phase 3"),
    .remark =
        RUNNEL_TEXT("attacks below 2^128, none practical; its designers replaced it by Grain-128a and Grain-128AEAD"),
    .mode = RUNNEL_MODE_STREAM,
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {GRAIN128_KEY, GRAIN128_KEY, 1},
    .iv_bytes = {GRAIN128_IV, GRAIN128_IV, 1},
    .block_bytes = GRAIN128_BLOCK,
    .context_bytes = sizeof(runnel_grain128),
    .state_offset = offsetof(runnel_grain128, state),
    .kernels = grain128_kernels,
};

runnel_cipher_list runnel_grain128_ciphers = {&grain128, NULL};

RUNNEL_DEFINE_STREAM_VERBS(grain128, runnel_grain128_ciphers)
