/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of MICKEY-128, each in the file of its name, and what they share. */
#ifndef RUNNEL_MICKEY128_KERNELS_H
#define RUNNEL_MICKEY128_KERNELS_H

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "core/describe.h"
#include "arch/common/lookup.h"
#include "mickey128.h"
#include "tables.h"

enum {
    MICKEY128_KEY = 16,
    MICKEY128_IV_MOST = 16,
    MICKEY128_BLOCK = 4,
    MICKEY128_STAGES = 160,
    MICKEY128_SETUP_STEPS = 160 /* after the IV and the key */
};

void runnel_mickey128_set_key(void *state, const uint8_t *key, size_t key_bytes);

#define KERNEL(on, name) extern const runnel_kernel runnel_mickey128_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
