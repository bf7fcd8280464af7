/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of HIGHT, each in the file of its name, and the key set-up in C that they may share. */
#ifndef RUNNEL_HIGHT_KERNELS_H
#define RUNNEL_HIGHT_KERNELS_H

#include "core/describe.h"
#include "hight.h"
#include "places.h"

#define KERNEL(on, name) extern const runnel_kernel runnel_hight_##name;
#define PAPER KERNEL
#include "kernels.inc"

/* Key set-up in C: the schedule as hight.h describes it. */
void runnel_hight_set_key(void *state, const uint8_t *key, size_t key_bytes);

#endif
