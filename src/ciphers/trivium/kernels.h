/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Trivium, each in the file of its name, and what they share. */
#ifndef RUNNEL_TRIVIUM_KERNELS_H
#define RUNNEL_TRIVIUM_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "trivium.h"

enum {
    TRIVIUM_KEY = 10,
    TRIVIUM_IV_MOST = 10,
    TRIVIUM_BLOCK = 8,
    TRIVIUM_SETUP_STEPS = 1152 /* without output, after the key and the IV are loaded */
};

/* Puts the key and the IV into the registers, before the steps without output. */
void runnel_trivium_load(runnel_trivium_registers *r, const uint8_t key[TRIVIUM_KEY], const uint8_t *iv,
                         size_t iv_bytes);
void runnel_trivium_set_key(void *state, const uint8_t *key, size_t key_bytes);

#define KERNEL(on, name) extern const runnel_kernel runnel_trivium_##name;
#define PAPER KERNEL
#include "kernels.inc"
#if RUNNEL_X86_64
extern const runnel_batch runnel_trivium_batch_avx2;
#endif

#endif
