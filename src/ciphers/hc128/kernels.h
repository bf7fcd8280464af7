/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of HC-128, each in the file of its name, and what they share. */
#ifndef RUNNEL_HC128_KERNELS_H
#define RUNNEL_HC128_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "hc128.h"

enum {
    HC128_BLOCK = 64,       /* 16 steps */
    HC128_TABLE = 512,      /* words of P, and of Q */
    HC128_TABLE_BLOCKS = 32 /* blocks in a row that update the same one of the two */
};

/* Keeps the key: all of it is mixed in together with the IV. */
static inline void runnel_hc128_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    memcpy(((runnel_hc128_state *)state)->key, key, 16);
}

/* g1, for P, or g2, for Q: y to the right or to the left by 8, with the others. */
static inline uint32_t runnel_hc128_g(int is_q, uint32_t x, uint32_t y, uint32_t z)
{
    return is_q ? (runnel_rotl32(x, 10) ^ runnel_rotl32(z, 23)) + runnel_rotl32(y, 8)
                : (runnel_rotl32(x, 22) ^ runnel_rotl32(z, 9)) + runnel_rotl32(y, 24);
}

/* Writes into P and Q what key and IV expand to, before the 1024 steps that mix them. */
void runnel_hc128_expand(runnel_hc128_state *s, const uint8_t *iv);

/* The same with SSE2, which every x86-64 has, and with the SHA extensions. */
#if RUNNEL_X86_64
void runnel_hc128_expand_sse2(runnel_hc128_state *s, const uint8_t *iv);
void runnel_hc128_expand_sha(runnel_hc128_state *s, const uint8_t *iv);
#endif

/* The same, as fast as this processor can. */
static inline void runnel_hc128_expand_fast(runnel_hc128_state *s, const uint8_t *iv)
{
#if RUNNEL_X86_64
    if (runnel_cpu() & RUNNEL_CPU_SHA)
        runnel_hc128_expand_sha(s, iv);
    else
        runnel_hc128_expand_sse2(s, iv);
#else
    runnel_hc128_expand(s, iv);
#endif
}

#define KERNEL(on, name) extern const runnel_kernel runnel_hc128_##name;
#define PAPER KERNEL
#include "kernels.inc"
#if RUNNEL_X86_64
extern const runnel_batch runnel_hc128_batch_avx2;
#endif

#endif
