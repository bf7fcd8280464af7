/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 for eight streams at once: the portable kernel's words, a stream in each element of a vector. Four times 32
 * steps follow each other without moving the registers, and their keystream is stored together. */
#include "ciphers/grain128/kernels.h"

#include "arch/x86/lanes.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum { GRAIN128_LANES = 8, GRAIN128_BATCH = 4 };

typedef runnel_words256 grain128_vector;

/* The registers: four words each, and the words that a batch appends. */
typedef struct grain128_registers {
    grain128_vector b[4 + GRAIN128_BATCH], s[4 + GRAIN128_BATCH];
} grain128_registers;

/* 32 bits of a register from bit i on. */
TARGET RUNNEL_INLINE grain128_vector grain128_window(const grain128_vector *w, unsigned i)
{
    const unsigned shift = i % 32;
    w += i / 32;
    return shift == 0 ? w[0] : w[0] >> shift | w[1] << (32 - shift);
}

#define B(i) grain128_window(r->b + step, i)
#define S(i) grain128_window(r->s + step, i)

/* 32 steps: reads words step to step + 3 of each register and writes the next. */
TARGET RUNNEL_INLINE grain128_vector grain128_steps(grain128_registers *r, unsigned step, int feedback)
{
    const grain128_vector output = GRAIN128_OUTPUT(B, S);
    r->b[step + 4] = GRAIN128_NONLINEAR(B, S);
    r->s[step + 4] = GRAIN128_LINEAR(S);
    if (feedback) {
        r->b[step + 4] ^= output;
        r->s[step + 4] ^= output;
    }
    return output;
}

TARGET RUNNEL_INLINE void grain128_move(grain128_registers *r, unsigned words)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        r->b[i] = r->b[i + words];
        r->s[i] = r->s[i + words];
    }
}

#define AT(member) offsetof(runnel_grain128_registers, member)

TARGET RUNNEL_INLINE void grain128_load(grain128_registers *r, const uint8_t *const states[GRAIN128_LANES])
{
    runnel_get_lanes(states, AT(b), &r->b[0], &r->b[1], &r->b[2], &r->b[3]);
    runnel_get_lanes(states, AT(s), &r->s[0], &r->s[1], &r->s[2], &r->s[3]);
}

TARGET RUNNEL_INLINE void grain128_store(uint8_t *const states[GRAIN128_LANES], const grain128_registers *r)
{
    runnel_put_lanes(states, NULL, AT(b), r->b[0], r->b[1], r->b[2], r->b[3]);
    runnel_put_lanes(states, NULL, AT(s), r->s[0], r->s[1], r->s[2], r->s[3]);
}

TARGET static void grain128_set_ivs(void *const *states, const uint8_t *const *ivs, size_t iv_bytes)
{
    uint8_t *now[GRAIN128_LANES];
    grain128_registers r;
    (void)iv_bytes;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < GRAIN128_LANES; i++) {
        runnel_grain128_state *state = states[i];
        now[i] = (uint8_t *)&state->now;
        runnel_grain128_load(&state->now, state->key, ivs[i]);
    }
    grain128_load(&r, (const uint8_t *const *)now);
    for (unsigned i = 0; i < GRAIN128_SETUP_STEPS / 32; i += GRAIN128_BATCH) {
        RUNNEL_UNROLL
        for (unsigned step = 0; step < GRAIN128_BATCH; step++)
            (void)grain128_steps(&r, step, 1);
        grain128_move(&r, GRAIN128_BATCH);
    }
    grain128_store(now, &r);
}

TARGET static void grain128_xor_blocks(void *const *states, uint64_t index, uint8_t *const *out,
                                       const uint8_t *const *in, size_t nblocks)
{
    uint8_t *now[GRAIN128_LANES];
    grain128_registers r;
    size_t at = 0;
    (void)index;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < GRAIN128_LANES; i++)
        now[i] = (uint8_t *)&((runnel_grain128_state *)states[i])->now;
    grain128_load(&r, (const uint8_t *const *)now);
    for (; nblocks >= GRAIN128_BATCH; nblocks -= GRAIN128_BATCH, at += GRAIN128_BATCH * GRAIN128_BLOCK) {
        const grain128_vector k0 = grain128_steps(&r, 0, 0), k1 = grain128_steps(&r, 1, 0),
                              k2 = grain128_steps(&r, 2, 0), k3 = grain128_steps(&r, 3, 0);
        grain128_move(&r, GRAIN128_BATCH);
        runnel_put_lanes(out, in, at, k0, k1, k2, k3);
    }
    for (; nblocks > 0; nblocks--, at += GRAIN128_BLOCK) {
        const grain128_vector keystream = grain128_steps(&r, 0, 0);
        grain128_move(&r, 1);
        runnel_put_lane_words(out, in, at, keystream);
    }
    grain128_store(now, &r);
}

const runnel_batch runnel_grain128_batch_avx2 = {
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = GRAIN128_LANES,
    .min_streams_iv = 3,
    .min_streams_xor = 2,
    .iv = grain128_set_ivs,
    .xor_blocks = grain128_xor_blocks,
};

#endif
