/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 (eSTREAM phase 3): key of 16 bytes, IV of 12 bytes. Bytes are numbered as in eSTREAM: the first bit of the
 * key, the IV and the keystream is the least significant bit of byte 0; the design paper prints it as the most
 * significant. Not seekable. Never use an IV twice with one key. */
#ifndef RUNNEL_GRAIN128_H
#define RUNNEL_GRAIN128_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the kernel needs beside the registers: the one that firmware names, or the most of all. */
#if defined(RUNNEL_GRAIN128_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_GRAIN128_MORE_OF_(kernel) RUNNEL_GRAIN128_MORE_##kernel
#define RUNNEL_GRAIN128_MORE_OF(kernel) RUNNEL_GRAIN128_MORE_OF_(kernel)
#define RUNNEL_GRAIN128_MORE RUNNEL_GRAIN128_MORE_OF(RUNNEL_GRAIN128_KERNEL)
#elif defined(__AVR__)
#define RUNNEL_GRAIN128_MORE 41
#else
#define RUNNEL_GRAIN128_MORE 0
#endif

/* Bit i of a register is bit i % 32 of word i / 32; bit 0 leaves first. */
typedef struct runnel_grain128_registers {
    RUNNEL_ALIGNED uint32_t b[4]; /* the nonlinear one */
    uint32_t s[4];                /* the linear one */
#if RUNNEL_GRAIN128_MORE
    uint8_t more[RUNNEL_GRAIN128_MORE];
#endif
} runnel_grain128_registers;

typedef struct runnel_grain128_state {
    runnel_grain128_registers now;
    uint8_t key[16];
} runnel_grain128_state;

typedef struct runnel_grain128 {
    runnel_stream stream;
    uint8_t leftover[4];
    runnel_grain128_state state;
} runnel_grain128;

RUNNEL_DECLARE_STREAM_VERBS(grain128)

#ifdef __cplusplus
}
#endif
#endif
