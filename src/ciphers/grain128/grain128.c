/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128: the descriptor and the portable kernel, which makes 32 steps at once on words. */
#include "core/define.h"
#include "kernels.h"

/* 32 bits of a register of four words, from bit i on; i <= 96. */
static inline uint32_t window(const uint32_t *w, unsigned i)
{
    const unsigned shift = i % 32;
    w += i / 32;
    if (shift == 0)
        return w[0];
#if UINTPTR_MAX > 0xffffffffu
    /* Two words are combined once for all shifts. */
    return (uint32_t)(((uint64_t)w[1] << 32 | w[0]) >> shift);
#else
    return w[0] >> shift | w[1] << (32 - shift);
#endif
}

#define B(i) window(r->b, i)
#define S(i) window(r->s, i)

/* 32 steps; feedback: all ones if the output goes into the registers, else 0. Returns the output, its first bit lowest. */
static inline uint32_t steps(runnel_grain128_registers *r, uint32_t feedback)
{
    const uint32_t output = GRAIN128_OUTPUT(B, S);
    const uint32_t nonlinear = GRAIN128_NONLINEAR(B, S) ^ (output & feedback);
    const uint32_t linear = GRAIN128_LINEAR(S) ^ (output & feedback);
    r->b[0] = r->b[1], r->b[1] = r->b[2], r->b[2] = r->b[3], r->b[3] = nonlinear;
    r->s[0] = r->s[1], r->s[1] = r->s[2], r->s[2] = r->s[3], r->s[3] = linear;
    return output;
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
    memcpy(state->key, key, key_bytes);
}

static void set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_grain128_state *state = states;
    runnel_grain128_registers r;
    (void)iv_bytes;
    memset(&r, 0, sizeof r); /* including its padding, which becomes the context's */
    runnel_grain128_load(&r, state->key, iv);
    for (unsigned i = 0; i < GRAIN128_SETUP_STEPS / 32; i++)
        (void)steps(&r, 0xffffffff);
    state->now = r;
    runnel_wipe(&r, sizeof r);
}

static void xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_grain128_state *state = states;
    runnel_grain128_registers r = state->now;
    (void)index;
    for (; nblocks > 0; nblocks--) {
        runnel_xor32le(out, in, 0, steps(&r, 0));
        out += GRAIN128_BLOCK;
        if (in != NULL)
            in += GRAIN128_BLOCK;
    }
    state->now = r;
    runnel_wipe(&r, sizeof r);
}

const runnel_kernel runnel_grain128_portable = {.name = RUNNEL_TEXT("portable"),
                                                .citation = RUNNEL_TEXT("the specification, 32 steps at once"),
                                                .kind = RUNNEL_KIND_STREAM,
                                                .timing = RUNNEL_CONSTANT_TIME,
                                                .key = runnel_grain128_set_key,
                                                .stream = {.iv = set_iv, .xor_blocks = xor_blocks},
                                                RUNNEL_BATCH_ON_X86_64(runnel_grain128_batch_avx2)};

static runnel_kernel_list kernels = {
#ifdef RUNNEL_GRAIN128_KERNEL
    &RUNNEL_KERNEL(grain128, RUNNEL_GRAIN128_KERNEL),
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
    .source = RUNNEL_TEXT("Hell, Johansson, Maximov, Meier 2006; eSTREAM phase 3"),
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
    .kernels = kernels,
};

runnel_cipher_list runnel_grain128_ciphers = {&grain128, NULL};

RUNNEL_DEFINE_STREAM_VERBS(grain128, runnel_grain128_ciphers)
