/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Grain-128, each in the file of its name, and what they share. */
#ifndef RUNNEL_GRAIN128_KERNELS_H
#define RUNNEL_GRAIN128_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "grain128.h"

enum {
    GRAIN128_KEY = 16,
    GRAIN128_IV = 12,
    GRAIN128_BLOCK = 4,
    GRAIN128_SETUP_STEPS = 256 /* in which the output goes into the registers */
};

/* The functions of a step, on words or vectors: B(i) and S(i) are bit i of the nonlinear and of the linear register
 * and the bits that follow it, for as many steps. No index is above 96, so 32 steps may be made at once. */
#define GRAIN128_OUTPUT(B, S)                                                                                          \
    ((B(12) & S(8)) ^ (S(13) & S(20)) ^ (B(95) & S(42)) ^ (S(60) & S(79)) ^ (B(12) & B(95) & S(95)) ^ S(93) ^ B(2) ^   \
     B(15) ^ B(36) ^ B(45) ^ B(64) ^ B(73) ^ B(89))
#define GRAIN128_LINEAR(S) (S(0) ^ S(7) ^ S(38) ^ S(70) ^ S(81) ^ S(96))
#define GRAIN128_NONLINEAR(B, S)                                                                                       \
    (S(0) ^ B(0) ^ B(26) ^ B(56) ^ B(91) ^ B(96) ^ (B(3) & B(67)) ^ (B(11) & B(13)) ^ (B(17) & B(18)) ^                \
     (B(27) & B(59)) ^ (B(40) & B(48)) ^ (B(61) & B(65)) ^ (B(68) & B(84)))

/* Puts the key and the IV into the registers, before the steps without output. */
void runnel_grain128_load(runnel_grain128_registers *r, const uint8_t key[GRAIN128_KEY], const uint8_t iv[GRAIN128_IV]);
void runnel_grain128_set_key(void *state, const uint8_t *key, size_t key_bytes);

#define KERNEL(on, name) extern const runnel_kernel runnel_grain128_##name;
#define PAPER KERNEL
#include "kernels.inc"
#if RUNNEL_X86_64
extern const runnel_batch runnel_grain128_batch_avx2;
#endif

#endif
