/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of HIGHT, each in the file of its name, and the key set-up in C that they may share. */
#ifndef RUNNEL_HIGHT_KERNELS_H
#define RUNNEL_HIGHT_KERNELS_H

#include "core/kernel.h"
#include "hight.h"
#include "ciphers/hight/thumb2/dsp.h"

extern const runnel_kernel runnel_hight_avx2;
extern const runnel_kernel runnel_hight_ssse3;
extern const runnel_kernel runnel_hight_aarch64_neon;
extern const runnel_kernel runnel_hight_portable;
extern const runnel_kernel runnel_hight_thumb2;
extern const runnel_kernel runnel_hight_thumb2_small;
extern const runnel_kernel runnel_hight_rv32;
extern const runnel_kernel runnel_hight_rv32_small;
extern const runnel_kernel runnel_hight_avr;
extern const runnel_kernel runnel_hight_avr_small;

/* Key set-up in C: the schedule as hight.h describes it. */
void runnel_hight_set_key(void *state, const uint8_t *key, size_t key_bytes);

#endif
