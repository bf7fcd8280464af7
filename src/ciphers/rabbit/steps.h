/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit in plain C. The eight counters are one number of 256 bits to which a constant is added in every step, the
 * carry out of it entering at the next step; it is held in four 64-bit words. ROTL32 may be defined before. */
#ifndef RABBIT_STEPS_H
#define RABBIT_STEPS_H

#include "arch/common/barrier.h"
#include "arch/common/multiply.h"
#include "kernels.h"

#ifndef ROTL32
#define ROTL32 runnel_rotl32
#endif

/* The low and the high half of u * u, XORed. */
static inline uint32_t rabbit_g(uint32_t u)
{
    const uint64_t square = RUNNEL_PRODUCT64(u, u);
    return (uint32_t)square ^ (uint32_t)(square >> 32);
}

/* sum = sum + constant + carry; returns the carry out. The constants are never all ones, so constant + carry fits. With
 * words of 32 bits compilers branch on a comparison of 64, and the carry is secret: there it is computed. (avr-gcc
 * branches in other places too; on AVR constant time is the assembly's.) */
static inline uint64_t rabbit_add_with_carry(uint64_t *sum, uint64_t constant, uint64_t carry)
{
    const uint64_t addend = constant + carry, before = *sum;
    *sum = before + addend;
#if RUNNEL_AVR_MUL
    return *sum < addend;
#elif RUNNEL_WORD_BITS == 64
    return runnel_value_barrier64(*sum < addend); /* clang 14 branches at -O3 */
#else
    return ((before & addend) | ((before | addend) & ~*sum)) >> 63;
#endif
}

static RUNNEL_AVR_NOINLINE void rabbit_next_state(runnel_rabbit_state *s)
{
    uint64_t carry = rabbit_add_with_carry(&s->counters[0], RABBIT_A0, s->carry);
    carry = rabbit_add_with_carry(&s->counters[1], RABBIT_A1, carry);
    carry = rabbit_add_with_carry(&s->counters[2], RABBIT_A2, carry);
    s->carry = (uint8_t)rabbit_add_with_carry(&s->counters[3], RABBIT_A3, carry);

    const uint32_t g0 = rabbit_g(s->x[0] + (uint32_t)s->counters[0]),
                   g1 = rabbit_g(s->x[1] + (uint32_t)(s->counters[0] >> 32));
    const uint32_t g2 = rabbit_g(s->x[2] + (uint32_t)s->counters[1]),
                   g3 = rabbit_g(s->x[3] + (uint32_t)(s->counters[1] >> 32));
    const uint32_t g4 = rabbit_g(s->x[4] + (uint32_t)s->counters[2]),
                   g5 = rabbit_g(s->x[5] + (uint32_t)(s->counters[2] >> 32));
    const uint32_t g6 = rabbit_g(s->x[6] + (uint32_t)s->counters[3]),
                   g7 = rabbit_g(s->x[7] + (uint32_t)(s->counters[3] >> 32));

    s->x[0] = g0 + ROTL32(g7, 16) + ROTL32(g6, 16);
    s->x[1] = g1 + ROTL32(g0, 8) + g7;
    s->x[2] = g2 + ROTL32(g1, 16) + ROTL32(g0, 16);
    s->x[3] = g3 + ROTL32(g2, 8) + g1;
    s->x[4] = g4 + ROTL32(g3, 16) + ROTL32(g2, 16);
    s->x[5] = g5 + ROTL32(g4, 8) + g3;
    s->x[6] = g6 + ROTL32(g5, 16) + ROTL32(g4, 16);
    s->x[7] = g7 + ROTL32(g6, 8) + g5;
}

/* Key set-up. */
static inline void rabbit_begin(runnel_rabbit_state *s, const uint8_t *key)
{
    uint32_t k[8]; /* k[i]: the 16-bit parts i + 1 (high) and i of the key */
    for (unsigned i = 0; i < 8; i++) {
        const unsigned next = (i + 1) % 8;
        k[i] = (uint32_t)key[2 * i] | (uint32_t)key[2 * i + 1] << 8 | (uint32_t)key[2 * next] << 16 |
               (uint32_t)key[2 * next + 1] << 24;
    }
    for (unsigned j = 0; j < 8; j += 2) {
        s->x[j] = k[j];
        s->x[j + 1] = k[(j + 5) % 8];
        const uint32_t even = ROTL32(k[(j + 4) % 8], 16), odd = ROTL32(k[(j + 1) % 8], 16);
        s->counters[j / 2] = (uint64_t)odd << 32 | even;
    }
    s->carry = 0;
    for (unsigned i = 0; i < 4; i++)
        rabbit_next_state(s);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned j = (2 * i + 4) % 8;
        s->counters[i] ^= (uint64_t)s->x[j + 1] << 32 | s->x[j];
    }
    runnel_wipe(k, sizeof k);
}

/* IV set-up, from the state after key set-up on. */
static inline void rabbit_start(runnel_rabbit_state *s, const uint8_t *iv, size_t iv_bytes)
{
    if (iv_bytes == 0)
        return;
    runnel_rabbit_mix_iv(s, iv);
    for (unsigned i = 0; i < 4; i++)
        rabbit_next_state(s);
}

static inline void rabbit_xor_from(runnel_rabbit_state *s, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks > 0; nblocks--) {
        rabbit_next_state(s);
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t mixed = s->x[(2 * i + 5) % 8] >> 16 | s->x[(2 * i + 3) % 8] << 16;
            runnel_xor32le(out, in, i, s->x[2 * i] ^ mixed);
        }
        out += RABBIT_BLOCK;
        if (in != NULL)
            in += RABBIT_BLOCK;
    }
}

#endif
