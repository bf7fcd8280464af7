/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels for 8-bit AVR whose steps are in assembly (steps.inc). They keep the registers in their own
 * way, in the same memory: rings of the last eight bytes of A, B and C, then what is in the processor's registers. */
#include "ciphers/trivium/kernels.h"

#if RUNNEL_AVR

typedef void steps(uint8_t *state, uint8_t *out, const uint8_t *in, size_t nblocks);
steps runnel_trivium_avr_clock, runnel_trivium_avr_xor, runnel_trivium_avr_small_clock, runnel_trivium_avr_small_xor;

enum {
    RING_A = 0,
    RING_B = 8,
    REGISTERS_A = 24, /* window 69 three steps ago, two, one, what begins the next */
    REGISTERS_B = 28, /* window 69 two steps ago, one, what begins the next */
    WINDOW_111 = 31,  /* of C */
    BEGIN_A66 = 37,   /* what begins window 66 of A */
    STATE = 39
};

_Static_assert(sizeof(runnel_trivium_registers) >= STATE, "the registers take the memory of the portable kernel's");

/* Puts ten bytes, the oldest first, into a register: two are past the ring. */
static void load_bytes(uint8_t *ring, uint8_t *registers, const uint8_t *bytes)
{
    memcpy(ring, bytes + 2, 8);
    registers[0] = (uint8_t)(bytes[0] << 5);
    registers[1] = (uint8_t)(bytes[0] >> 3 | bytes[1] << 5);
    registers[2] = bytes[1] >> 3;
}

static inline void start(void *states, const uint8_t *iv, size_t iv_bytes, steps *clock)
{
    runnel_trivium_state *state = states;
    uint8_t *s = (uint8_t *)&state->now;
    uint8_t padded[10] = {0}, nowhere[TRIVIUM_BLOCK] = {0};
    memset(s, 0, STATE);
    load_bytes(s + RING_A, s + REGISTERS_A + 1, state->key);
    s[BEGIN_A66] = state->key[1] >> 6;
    if (iv_bytes > 0)
        memcpy(padded + sizeof padded - iv_bytes, iv, iv_bytes);
    load_bytes(s + RING_B, s + REGISTERS_B, padded);
    s[WINDOW_111] = 7;
    clock(s, nowhere, nowhere, TRIVIUM_SETUP_STEPS / 8 / TRIVIUM_BLOCK);
    runnel_wipe(nowhere, sizeof nowhere);
}

static inline void generate(void *states, uint8_t *out, const uint8_t *in, size_t nblocks, steps *xor_steps)
{
    runnel_trivium_state *state = states;
    if (in == NULL) {
        memset(out, 0, nblocks * TRIVIUM_BLOCK);
        in = out;
    }
    xor_steps((uint8_t *)&state->now, out, in, nblocks);
}

static void set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    start(state, iv, iv_bytes, runnel_trivium_avr_clock);
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    generate(state, out, in, nblocks, runnel_trivium_avr_xor);
}

const runnel_kernel runnel_trivium_avr = {
    .name = RUNNEL_TEXT("avr"),
    .citation = RUNNEL_TEXT("eight steps at once, windows in registers"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_trivium_set_key,
    .stream = {
        .iv = set_iv,
        .xor_blocks = xor_blocks,
    },
};

static void set_iv_small(void *state, const uint8_t *iv, size_t iv_bytes)
{
    start(state, iv, iv_bytes, runnel_trivium_avr_small_clock);
}

static void xor_blocks_small(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    generate(state, out, in, nblocks, runnel_trivium_avr_small_xor);
}

const runnel_kernel runnel_trivium_avr_small = {
    .name = RUNNEL_TEXT("avr-small"),
    .citation = RUNNEL_TEXT("eight steps at once, in a loop"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_trivium_set_key,
    .stream = {
        .iv = set_iv_small,
        .xor_blocks = xor_blocks_small,
    },
};

#endif
