/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rabbit: the descriptor and the portable kernel. The eight counters are one number of 256 bits to which a constant is
 * added in every step, the carry out of it entering at the next step; it is held in four 64-bit words. */
#include "rabbit_kernels.h"

#include "../../core/wipe.h"

/* The low and the high half of u * u, XORed. */
static inline uint32_t g(uint32_t u)
{
    const uint64_t square = (uint64_t)u * u;
    return (uint32_t)square ^ (uint32_t)(square >> 32);
}

/* sum = sum + constant + carry; gives the carry out. The constants are never all ones, so constant + carry fits. */
static inline uint64_t add_with_carry(uint64_t *sum, uint64_t constant, uint64_t carry)
{
    const uint64_t addend = constant + carry;
    *sum += addend;
    return *sum < addend;
}

static inline void next_state(runnel_rabbit_state *s)
{
    uint64_t carry = add_with_carry(&s->counters[0], RABBIT_A0, s->carry);
    carry = add_with_carry(&s->counters[1], RABBIT_A1, carry);
    carry = add_with_carry(&s->counters[2], RABBIT_A2, carry);
    s->carry = (uint8_t)add_with_carry(&s->counters[3], RABBIT_A3, carry);

    const uint32_t g0 = g(s->x[0] + (uint32_t)s->counters[0]), g1 = g(s->x[1] + (uint32_t)(s->counters[0] >> 32));
    const uint32_t g2 = g(s->x[2] + (uint32_t)s->counters[1]), g3 = g(s->x[3] + (uint32_t)(s->counters[1] >> 32));
    const uint32_t g4 = g(s->x[4] + (uint32_t)s->counters[2]), g5 = g(s->x[5] + (uint32_t)(s->counters[2] >> 32));
    const uint32_t g6 = g(s->x[6] + (uint32_t)s->counters[3]), g7 = g(s->x[7] + (uint32_t)(s->counters[3] >> 32));

    s->x[0] = g0 + runnel_rotl32(g7, 16) + runnel_rotl32(g6, 16);
    s->x[1] = g1 + runnel_rotl32(g0, 8) + g7;
    s->x[2] = g2 + runnel_rotl32(g1, 16) + runnel_rotl32(g0, 16);
    s->x[3] = g3 + runnel_rotl32(g2, 8) + g1;
    s->x[4] = g4 + runnel_rotl32(g3, 16) + runnel_rotl32(g2, 16);
    s->x[5] = g5 + runnel_rotl32(g4, 8) + g3;
    s->x[6] = g6 + runnel_rotl32(g5, 16) + runnel_rotl32(g4, 16);
    s->x[7] = g7 + runnel_rotl32(g6, 8) + g5;
}

void runnel_rabbit_set_key(void *states, const uint8_t *key, size_t key_bytes)
{
    runnel_rabbit_state *s = &((runnel_rabbit_states *)states)->master;
    uint32_t k[8]; /* k[i]: the 16-bit parts i + 1 (high) and i of the key */
    (void)key_bytes;
    for (unsigned i = 0; i < 8; i++) {
        const unsigned next = (i + 1) % 8;
        k[i] = (uint32_t)key[2 * i] | (uint32_t)key[2 * i + 1] << 8 | (uint32_t)key[2 * next] << 16 |
               (uint32_t)key[2 * next + 1] << 24;
    }
    for (unsigned j = 0; j < 8; j += 2) {
        s->x[j] = k[j];
        s->x[j + 1] = k[(j + 5) % 8];
        const uint32_t even = runnel_rotl32(k[(j + 4) % 8], 16), odd = runnel_rotl32(k[(j + 1) % 8], 16);
        s->counters[j / 2] = (uint64_t)odd << 32 | even;
    }
    s->carry = 0;
    for (unsigned i = 0; i < 4; i++)
        next_state(s);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned j = (2 * i + 4) % 8;
        s->counters[i] ^= (uint64_t)s->x[j + 1] << 32 | s->x[j];
    }
    runnel_wipe(k, sizeof k);
}

void runnel_rabbit_set_iv(void *states, const uint8_t *iv, size_t iv_bytes)
{
    runnel_rabbit_states *both = states;
    runnel_rabbit_state s = both->master;
    if (iv_bytes > 0) {
        runnel_rabbit_mix_iv(&s, iv);
        for (unsigned i = 0; i < 4; i++)
            next_state(&s);
    }
    both->now = s;
    runnel_wipe(&s, sizeof s);
}

static void xor_blocks(void *states, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_rabbit_state *state = &((runnel_rabbit_states *)states)->now;
    runnel_rabbit_state s = *state;
    (void)index;
    for (; nblocks > 0; nblocks--) {
        next_state(&s);
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t mixed = s.x[(2 * i + 5) % 8] >> 16 | s.x[(2 * i + 3) % 8] << 16;
            runnel_xor32le(out, in, i, s.x[2 * i] ^ mixed);
        }
        out += RABBIT_BLOCK;
        if (in != NULL)
            in += RABBIT_BLOCK;
    }
    *state = s;
    runnel_wipe(&s, sizeof s);
}

const runnel_kernel runnel_rabbit_portable = {
    .name = RUNNEL_TEXT("portable"),
    .source = RUNNEL_TEXT("RFC 4503 2, with 64-bit counter words and squares"),
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_rabbit_set_key,
    .iv = runnel_rabbit_set_iv,
    .xor_blocks = xor_blocks,
};

static const runnel_kernel *const kernels[] = {
#ifdef RUNNEL_RABBIT_KERNEL
    &RUNNEL_KERNEL(rabbit, RUNNEL_RABBIT_KERNEL),
#else
    RUNNEL_ON_X86_64(runnel_rabbit_avx2)
    RUNNEL_ON_THUMB2(runnel_rabbit_thumb2)
    RUNNEL_ON_AVR(runnel_rabbit_avr)
    RUNNEL_ON_RV32(runnel_rabbit_rv32)
    &runnel_rabbit_portable,
#endif
    NULL,
};

static const runnel_cipher rabbit = {
    .name = RUNNEL_TEXT("rabbit"),
    .family = RUNNEL_TEXT("rabbit"),
    .title = RUNNEL_TEXT("Rabbit"),
    .source = RUNNEL_TEXT("RFC 4503, in eSTREAM's byte order; eSTREAM portfolio; ISO/IEC 18033-4"),
    .remark = RUNNEL_TEXT("unbroken but little used; the IV is too short to be random: count messages"),
    .status = RUNNEL_LEGACY,
    .seekable = 0,
    .key_bytes = {16, 16, 1},
    .iv_bytes = {0, 8, 8},
    .block_bytes = RABBIT_BLOCK,
    .context_bytes = sizeof(runnel_rabbit),
    .state_offset = offsetof(runnel_rabbit, states),
    .kernels = kernels,
};

const runnel_cipher *const runnel_rabbit_ciphers[] = {&rabbit, NULL};

RUNNEL_DEFINE_STREAM_VERBS(rabbit, runnel_rabbit_ciphers)
