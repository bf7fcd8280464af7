/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK's keystream, block by block. The includer defines sosemanuk_times_alpha(x) and sosemanuk_over_alpha(x):
 * products of a word of the shift register with alpha and with its inverse. ROTL32 may be defined as well. */
#ifndef SOSEMANUK_STEPS_H
#define SOSEMANUK_STEPS_H

#include "arch/common/barrier.h"
#include "arch/common/multiply.h"
#include "kernels.h"
#include "serpent.h"

#ifndef ROTL32
#define ROTL32 runnel_rotl32
#endif

typedef struct sosemanuk_registers {
    uint32_t r1, r2;
} sosemanuk_registers;

/* One step on the register that begins at s[0]: writes s[10] and returns f. */
static RUNNEL_AVR_NOINLINE uint32_t sosemanuk_step(sosemanuk_registers *r, uint32_t *s)
{
    const uint32_t old = r->r1;
    r->r1 = r->r2 + (s[1] ^ (s[8] & runnel_value_barrier32((uint32_t)0 - (old & 1))));
    r->r2 = ROTL32(RUNNEL_PRODUCT32(old, SOSEMANUK_MULTIPLIER), 7);
    s[10] = s[9] ^ sosemanuk_over_alpha(s[3]) ^ sosemanuk_times_alpha(s[0]);
    return (s[9] + r->r1) ^ r->r2;
}

static void sosemanuk_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    runnel_sosemanuk_state *kept = state;
    sosemanuk_registers r = {kept->r1, kept->r2};
    uint32_t s[14]; /* the register, and the words of the next four steps */
    (void)index;
    memcpy(s, kept->s, sizeof kept->s);
    for (; nblocks > 0; nblocks--) {
        uint32_t f0 = sosemanuk_step(&r, s), f1 = sosemanuk_step(&r, s + 1), f2 = sosemanuk_step(&r, s + 2),
                 f3 = sosemanuk_step(&r, s + 3);
        SERPENT_S2(uint32_t, f0, f1, f2, f3);
        runnel_xor32le(out, in, 0, f0 ^ s[0]);
        runnel_xor32le(out, in, 1, f1 ^ s[1]);
        runnel_xor32le(out, in, 2, f2 ^ s[2]);
        runnel_xor32le(out, in, 3, f3 ^ s[3]);
        for (unsigned i = 0; i < 10; i++)
            s[i] = s[i + 4];
        out += SOSEMANUK_BLOCK;
        if (in != NULL)
            in += SOSEMANUK_BLOCK;
    }
    memcpy(kept->s, s, sizeof kept->s);
    kept->r1 = r.r1;
    kept->r2 = r.r2;
    runnel_wipe(s, sizeof s);
}

#endif
