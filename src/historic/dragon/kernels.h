/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Dragon, each in the file of its name, and what they share. */
#ifndef DRAGON_KERNELS_H
#define DRAGON_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "arch/common/lookup.h"
#include "arch/common/wipe.h"
#include "dragon.h"

enum { DRAGON_BLOCK = 8 };

extern const uint32_t runnel_dragon_s1[256], runnel_dragon_s2[256]; /* RUNNEL_FLASH */

/* The words that the function F of the specification mixes. */
typedef struct dragon_six {
    uint32_t a, b, c, d, e, f;
} dragon_six;

#define KERNEL(on, name) extern const runnel_kernel runnel_dragon_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
