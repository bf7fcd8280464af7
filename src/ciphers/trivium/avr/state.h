/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the kernels for 8-bit AVR: a state of their own, in the memory of the portable kernel's, for the steps in
 * assembly (steps.inc): rings of the last eight bytes of A, B and C, then what is in the processor's registers. */
#ifndef TRIVIUM_AVR_STATE_H
#define TRIVIUM_AVR_STATE_H

#include "ciphers/trivium/kernels.h"
#include "places.h"

#if RUNNEL_AVR_MUL

typedef void trivium_steps(uint8_t *state, uint8_t *out, const uint8_t *in, size_t nblocks);

enum {
    TRIVIUM_REGISTERS_A = REGISTERS,     /* window 69 three steps ago, two, one, what begins the next */
    TRIVIUM_REGISTERS_B = REGISTERS + 4, /* window 69 two steps ago, one, what begins the next */
    TRIVIUM_WINDOW_111 = REGISTERS + 7,  /* of C */
    TRIVIUM_BEGIN_A66 = REGISTERS + 13   /* what begins window 66 of A */
};

_Static_assert(sizeof(runnel_trivium_registers) >= STATE_BYTES,
               "the registers take the memory of the portable kernel's");

/* Puts ten bytes, the oldest first, into a register: two are past the ring. */
static void trivium_load_bytes(uint8_t *ring, uint8_t *registers, const uint8_t *bytes)
{
    memcpy(ring, bytes + 2, 8);
    registers[0] = (uint8_t)(bytes[0] << 5);
    registers[1] = (uint8_t)(bytes[0] >> 3 | bytes[1] << 5);
    registers[2] = bytes[1] >> 3;
}

static inline void trivium_start(void *states, const uint8_t *iv, size_t iv_bytes, trivium_steps *clock)
{
    runnel_trivium_state *state = states;
    uint8_t *s = (uint8_t *)&state->now;
    uint8_t padded[10] = {0}, nowhere[TRIVIUM_BLOCK] = {0};
    memset(s, 0, STATE_BYTES);
    trivium_load_bytes(s + RING_A, s + TRIVIUM_REGISTERS_A + 1, state->key);
    s[TRIVIUM_BEGIN_A66] = state->key[1] >> 6;
    if (iv_bytes > 0)
        memcpy(padded + sizeof padded - iv_bytes, iv, iv_bytes);
    trivium_load_bytes(s + RING_B, s + TRIVIUM_REGISTERS_B, padded);
    s[TRIVIUM_WINDOW_111] = 7;
    clock(s, nowhere, nowhere, TRIVIUM_SETUP_STEPS / 8 / TRIVIUM_BLOCK);
    runnel_wipe(nowhere, sizeof nowhere);
}

static inline void trivium_generate(void *states, uint8_t *out, const uint8_t *in, size_t nblocks,
                                    trivium_steps *xor_steps)
{
    runnel_trivium_state *state = states;
    if (in == NULL) {
        memset(out, 0, nblocks * TRIVIUM_BLOCK);
        in = out;
    }
    xor_steps((uint8_t *)&state->now, out, in, nblocks);
}

#endif
#endif
