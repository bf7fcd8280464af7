/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 for eight streams at once: the portable kernel's words, a stream in each element of a vector. Four times 32
 * steps follow each other without moving the registers, and their keystream is stored together. */
#include "ciphers/grain128/kernels.h"

#include "arch/x86/lanes.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum { LANES = 8, BATCH = 4 };

typedef runnel_words256 vector;

/* The registers: four words each, and the words that a batch appends. */
typedef struct registers {
    vector b[4 + BATCH], s[4 + BATCH];
} registers;

/* 32 bits of a register from bit i on. */
TARGET RUNNEL_INLINE vector window(const vector *w, unsigned i)
{
    const unsigned shift = i % 32;
    w += i / 32;
    return shift == 0 ? w[0] : w[0] >> shift | w[1] << (32 - shift);
}

#define B(i) window(r->b + step, i)
#define S(i) window(r->s + step, i)

/* 32 steps: reads words step to step + 3 of each register and writes the next. */
TARGET RUNNEL_INLINE vector steps(registers *r, unsigned step, int feedback)
{
    const vector output = GRAIN128_OUTPUT(B, S);
    r->b[step + 4] = GRAIN128_NONLINEAR(B, S);
    r->s[step + 4] = GRAIN128_LINEAR(S);
    if (feedback) {
        r->b[step + 4] ^= output;
        r->s[step + 4] ^= output;
    }
    return output;
}

TARGET RUNNEL_INLINE void move(registers *r, unsigned words)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        r->b[i] = r->b[i + words];
        r->s[i] = r->s[i + words];
    }
}

#define AT(member) offsetof(runnel_grain128_registers, member)

TARGET RUNNEL_INLINE void load(registers *r, const uint8_t *const states[LANES])
{
    runnel_get_lanes(states, AT(b), &r->b[0], &r->b[1], &r->b[2], &r->b[3]);
    runnel_get_lanes(states, AT(s), &r->s[0], &r->s[1], &r->s[2], &r->s[3]);
}

TARGET RUNNEL_INLINE void store(uint8_t *const states[LANES], const registers *r)
{
    runnel_put_lanes(states, NULL, AT(b), r->b[0], r->b[1], r->b[2], r->b[3]);
    runnel_put_lanes(states, NULL, AT(s), r->s[0], r->s[1], r->s[2], r->s[3]);
}

TARGET static void set_ivs(void *const *states, const uint8_t *const *ivs, size_t iv_bytes)
{
    uint8_t *now[LANES];
    registers r;
    (void)iv_bytes;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < LANES; i++) {
        runnel_grain128_state *state = states[i];
        now[i] = (uint8_t *)&state->now;
        runnel_grain128_load(&state->now, state->key, ivs[i]);
    }
    load(&r, (const uint8_t *const *)now);
    for (unsigned i = 0; i < GRAIN128_SETUP_STEPS / 32; i += BATCH) {
        RUNNEL_UNROLL
        for (unsigned step = 0; step < BATCH; step++)
            (void)steps(&r, step, 1);
        move(&r, BATCH);
    }
    store(now, &r);
}

TARGET static void xor_blocks(void *const *states, uint64_t index, uint8_t *const *out, const uint8_t *const *in,
                              size_t nblocks)
{
    uint8_t *now[LANES];
    registers r;
    size_t at = 0;
    (void)index;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < LANES; i++)
        now[i] = (uint8_t *)&((runnel_grain128_state *)states[i])->now;
    load(&r, (const uint8_t *const *)now);
    for (; nblocks >= BATCH; nblocks -= BATCH, at += BATCH * GRAIN128_BLOCK) {
        const vector k0 = steps(&r, 0, 0), k1 = steps(&r, 1, 0), k2 = steps(&r, 2, 0), k3 = steps(&r, 3, 0);
        move(&r, BATCH);
        runnel_put_lanes(out, in, at, k0, k1, k2, k3);
    }
    for (; nblocks > 0; nblocks--, at += GRAIN128_BLOCK) {
        const vector keystream = steps(&r, 0, 0);
        move(&r, 1);
        runnel_put_lane_words(out, in, at, keystream);
    }
    store(now, &r);
}

const runnel_batch runnel_grain128_batch_avx2 = {
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = LANES,
    .min_streams_iv = 3,
    .min_streams_xor = 2,
    .iv = set_ivs,
    .xor_blocks = xor_blocks,
};

#endif
