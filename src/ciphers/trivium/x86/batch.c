/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium for four streams at once: the portable kernel's words, a stream in each quarter of a vector. Two passes of 64
 * steps follow each other without moving the registers, and their keystream is stored together. */
#include "ciphers/trivium/kernels.h"

#include "arch/x86/lanes.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum { TRIVIUM_LANES = 4 };

typedef runnel_longs256 trivium_vector;

/* The registers: two words each, and the words that two passes append. */
typedef struct trivium_registers {
    trivium_vector a[4], b[4], c[4];
} trivium_registers;

/* As in trivium.c, with two words from w on; below 128 - p lies the oldest bit of the window. */
#define WINDOW(w, p) ((w)[0] >> (128 - (p)) | (w)[1] << ((p) - 64))

/* 64 steps; reads words i and i + 1 of each register and writes i + 2. */
TARGET RUNNEL_INLINE trivium_vector trivium_steps(trivium_registers *r, unsigned i)
{
    const trivium_vector *a = r->a + i, *b = r->b + i, *c = r->c + i;
    const trivium_vector from_a = WINDOW(a, 66) ^ WINDOW(a, 93);
    const trivium_vector from_b = WINDOW(b, 69) ^ WINDOW(b, 84);
    const trivium_vector from_c = WINDOW(c, 66) ^ WINDOW(c, 111);
    r->b[i + 2] = from_a ^ (WINDOW(a, 91) & WINDOW(a, 92)) ^ WINDOW(b, 78);
    r->c[i + 2] = from_b ^ (WINDOW(b, 82) & WINDOW(b, 83)) ^ WINDOW(c, 87);
    r->a[i + 2] = from_c ^ (WINDOW(c, 109) & WINDOW(c, 110)) ^ WINDOW(a, 69);
    return from_a ^ from_b ^ from_c;
}

TARGET RUNNEL_INLINE void trivium_move(trivium_registers *r, unsigned words)
{
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 2; i++) {
        r->a[i] = r->a[i + words];
        r->b[i] = r->b[i + words];
        r->c[i] = r->c[i + words];
    }
}

#define AT(member) offsetof(runnel_trivium_registers, member)

TARGET RUNNEL_INLINE void trivium_load(trivium_registers *r, const uint8_t *const states[TRIVIUM_LANES])
{
    runnel_get_long_lanes(states, AT(a), &r->a[0], &r->a[1]);
    runnel_get_long_lanes(states, AT(b), &r->b[0], &r->b[1]);
    runnel_get_long_lanes(states, AT(c), &r->c[0], &r->c[1]);
}

TARGET RUNNEL_INLINE void trivium_store(uint8_t *const states[TRIVIUM_LANES], const trivium_registers *r)
{
    runnel_put_long_lanes(states, NULL, AT(a), r->a[0], r->a[1]);
    runnel_put_long_lanes(states, NULL, AT(b), r->b[0], r->b[1]);
    runnel_put_long_lanes(states, NULL, AT(c), r->c[0], r->c[1]);
}

TARGET static void trivium_set_ivs(void *const *states, const uint8_t *const *ivs, size_t iv_bytes)
{
    uint8_t *now[TRIVIUM_LANES];
    trivium_registers r;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < TRIVIUM_LANES; i++) {
        runnel_trivium_state *state = states[i];
        now[i] = (uint8_t *)&state->now;
        runnel_trivium_load(&state->now, state->key, ivs[i], iv_bytes);
    }
    trivium_load(&r, (const uint8_t *const *)now);
    for (unsigned i = 0; i < TRIVIUM_SETUP_STEPS / 128; i++) {
        (void)trivium_steps(&r, 0);
        (void)trivium_steps(&r, 1);
        trivium_move(&r, 2);
    }
    trivium_store(now, &r);
}

TARGET static void trivium_xor_blocks(void *const *states, uint64_t index, uint8_t *const *out,
                                      const uint8_t *const *in, size_t nblocks)
{
    uint8_t *now[TRIVIUM_LANES];
    trivium_registers r;
    size_t at = 0;
    (void)index;
    RUNNEL_UNROLL
    for (unsigned i = 0; i < TRIVIUM_LANES; i++)
        now[i] = (uint8_t *)&((runnel_trivium_state *)states[i])->now;
    trivium_load(&r, (const uint8_t *const *)now);
    for (; nblocks >= 2; nblocks -= 2, at += 2 * TRIVIUM_BLOCK) {
        const trivium_vector first = trivium_steps(&r, 0), second = trivium_steps(&r, 1);
        trivium_move(&r, 2);
        runnel_put_long_lanes(out, in, at, first, second);
    }
    if (nblocks > 0) {
        const trivium_vector last = trivium_steps(&r, 0);
        trivium_move(&r, 1);
        runnel_put_long_lane_words(out, in, at, last);
    }
    trivium_store(now, &r);
}

const runnel_batch runnel_trivium_batch_avx2 = {
    .cpu = RUNNEL_CPU_AVX2,
    .lanes = TRIVIUM_LANES,
    .min_streams_iv = 4,
    .min_streams_xor = 3,
    .iv = trivium_set_ivs,
    .xor_blocks = trivium_xor_blocks,
};

#endif
