/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK (eSTREAM portfolio): key of 1 to 32 bytes, at least 16 for 128-bit security, which longer keys do not raise;
 * IV of 0 to 16 bytes, filled up with zeros: two IVs that differ only in zeros at the end are the same. No limit that
 * can be reached. Not seekable. Never use an IV twice with one key; 16 random bytes are enough to be sure of that. */
#ifndef RUNNEL_SOSEMANUK_H
#define RUNNEL_SOSEMANUK_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Firmware names its kernel with RUNNEL_SOSEMANUK_KERNEL, and has in the context what that kernel asks for. RING, 1:
 * the shift register is a ring. FUSED, 1: the key is kept instead of the subkeys. */
#if defined(RUNNEL_SOSEMANUK_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_SOSEMANUK_ASK_(what, kernel) RUNNEL_SOSEMANUK_##what##_##kernel
#define RUNNEL_SOSEMANUK_ASK(what, kernel) RUNNEL_SOSEMANUK_ASK_(what, kernel)
#define RUNNEL_SOSEMANUK_RING RUNNEL_SOSEMANUK_ASK(RING, RUNNEL_SOSEMANUK_KERNEL)
#define RUNNEL_SOSEMANUK_FUSED RUNNEL_SOSEMANUK_ASK(FUSED, RUNNEL_SOSEMANUK_KERNEL)
#elif defined(__AVR__)
#define RUNNEL_SOSEMANUK_RING 1
#define RUNNEL_SOSEMANUK_FUSED 0
#else
#define RUNNEL_SOSEMANUK_RING 0
#define RUNNEL_SOSEMANUK_FUSED 0
#endif

typedef struct runnel_sosemanuk_state {
#if RUNNEL_SOSEMANUK_RING
    RUNNEL_ALIGNED uint32_t s[12]; /* the shift register: after IV set-up the oldest word first, later in a ring */
    uint32_t f[3];                 /* for the kernel */
    uint32_t r1, r2;
    uint8_t block; /* where in the ring the next block begins */
#else
    RUNNEL_ALIGNED uint32_t s[10]; /* the shift register, the oldest word first */
    uint32_t r1, r2;
#endif
    union { /* where every IV begins */
        uint8_t key[32]; /* filled up */
#if !RUNNEL_SOSEMANUK_FUSED
        uint32_t subkeys[100]; /* of the key alone */
#endif
    };
} runnel_sosemanuk_state;

typedef struct runnel_sosemanuk {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_sosemanuk_state state;
} runnel_sosemanuk;

RUNNEL_DECLARE_STREAM_VERBS(sosemanuk)

#ifdef __cplusplus
}
#endif
#endif
