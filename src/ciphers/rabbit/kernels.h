/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Rabbit, each in the file of its name, and what they share. */
#ifndef RUNNEL_RABBIT_KERNELS_H
#define RUNNEL_RABBIT_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "places.h"
#include "rabbit.h"

enum { RABBIT_BLOCK = 16 };

/* The counter constants a1:a0, a3:a2, a5:a4, a7:a6. */
#define RABBIT_A0 0xd34d34d34d34d34du
#define RABBIT_A1 0x4d34d34d34d34d34u
#define RABBIT_A2 0x34d34d34d34d34d3u
#define RABBIT_A3 0xd34d34d34d34d34du

/* Key and IV set-up of the portable kernel, with x in its order: x0 … x7. */
void runnel_rabbit_set_key(void *states, const uint8_t *key, size_t key_bytes);
void runnel_rabbit_set_iv(void *states, const uint8_t *iv, size_t iv_bytes);

/* The first step of IV set-up: the IV's 8 bytes into the counters. */
static inline void runnel_rabbit_mix_iv(runnel_rabbit_state *s, const uint8_t *iv)
{
    const uint32_t low = runnel_load32le(iv), high = runnel_load32le(iv + 4);
    const uint32_t w1 = (high & 0xffff0000) | low >> 16, w3 = high << 16 | (low & 0xffff);
    s->counters[0] ^= (uint64_t)w1 << 32 | low;
    s->counters[1] ^= (uint64_t)w3 << 32 | high;
    s->counters[2] ^= (uint64_t)w1 << 32 | low;
    s->counters[3] ^= (uint64_t)w3 << 32 | high;
}

#define KERNEL(on, name) extern const runnel_kernel runnel_rabbit_##name;
#define PAPER KERNEL
#include "kernels.inc"
#if RUNNEL_X86_64
extern const runnel_batch runnel_rabbit_batch_avx2;
#endif

#endif
