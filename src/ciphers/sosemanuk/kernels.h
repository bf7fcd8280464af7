/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of SOSEMANUK, each in the file of its name, and what they share. */
#ifndef RUNNEL_SOSEMANUK_KERNELS_H
#define RUNNEL_SOSEMANUK_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "places.h"
#include "sosemanuk.h"

enum { SOSEMANUK_BLOCK = 16 };

#define SOSEMANUK_MULTIPLIER 0x54655307

/* Key and IV set-up of all kernels. */
void runnel_sosemanuk_set_key(void *state, const uint8_t *key, size_t key_bytes);
void runnel_sosemanuk_set_iv(void *state, const uint8_t *iv, size_t iv_bytes);

#define KERNEL(on, name) extern const runnel_kernel runnel_sosemanuk_##name;
#define PAPER KERNEL
#include "kernels.inc"

#if RUNNEL_X86_64
extern const runnel_batch runnel_sosemanuk_batch_avx2;    /* beside kernels that work on words */
extern const runnel_batch runnel_sosemanuk_batch_of_four; /* beside kernels that work on vectors */
#endif

#endif
